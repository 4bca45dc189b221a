/** Prints what was asked for on standard output, and nothing else there. */

import { readFileSync } from 'node:fs';
import type { Config } from '../config/schema.ts';
import type { Report } from '../core/result.ts';
import { renderJson } from '../reports/json.ts';
import type { Page } from '../reports/page.ts';
import { pageOf } from '../reports/page.ts';
import { renderTerminal } from '../reports/terminal.ts';
import type { ReportFiles } from './write.ts';

export interface OutputOptions {
  readonly format: NonNullable<Config['format']>;
  readonly quiet: boolean;
  readonly files: ReportFiles;
}

/** The page that standard output is. */
export function pageOfOutput(): Page {
  const { columns, color } = terminal();
  return pageOf(columns, color);
}

export function render(report: Report, { format, quiet, files }: OutputOptions): void {
  const { stdout } = process;
  switch (format) {
    case 'json':
      stdout.write(renderJson(report));
      return;
    case 'junit':
      stdout.write(readFileSync(files.junit, 'utf8'));
      return;
    case 'terminal': {
      if (quiet) return;
      stdout.write(renderTerminal(report, { ...terminal(), files }));
      return;
    }
    default:
      format satisfies never;
  }
}

function terminal() {
  const { stdout } = process;
  const { columns = 80 } = stdout;
  return { columns: Math.min(columns, 120), color: stdout.isTTY && stdout.hasColors() };
}
