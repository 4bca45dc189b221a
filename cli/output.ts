/** Prints what was asked for on standard output, and nothing else there. */

import { readFileSync } from 'node:fs';
import type { Config } from '../config/schema.ts';
import type { Report } from '../core/result.ts';
import { renderJson } from '../reports/json.ts';
import { renderTerminal } from '../reports/terminal.ts';
import type { ReportFiles } from './write.ts';

export interface OutputOptions {
  readonly format: NonNullable<Config['format']>;
  readonly quiet: boolean;
  readonly files: ReportFiles;
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
      const columns = stdout.columns ?? 80;
      stdout.write(
        renderTerminal(report, {
          columns: Math.min(columns, 120),
          color: stdout.isTTY && stdout.hasColors(),
          files,
        }),
      );
      return;
    }
    default:
      format satisfies never;
  }
}
