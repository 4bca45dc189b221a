/** The summary that a person reads at the end of a run: at most so many columns wide, the verdict last. */
import type { Report, Verdict } from '../core/result.ts';
import { exitStatus } from './exit-status.ts';
import { groupsOf } from './namespace-groups.ts';
import type { Page } from './page.ts';
import { hang, pageOf, verdictStyles } from './page.ts';
import { exceptions, notEvaluated, remarks } from './terminal-books.ts';
import { byCheck } from './terminal-checks.ts';
import { header } from './terminal-header.ts';
import { isCloseUp, namespaces } from './terminal-namespaces.ts';
import { cut } from './width.ts';

export interface TerminalOptions {
  readonly columns?: number;
  readonly color: boolean;
  /** Where the files were written. */
  readonly files?: { readonly report: string; readonly junit: string };
}

export function renderTerminal(
  report: Report,
  { columns = 80, color, files }: TerminalOptions,
): string {
  const page = pageOf(columns, color);
  const lines = [
    ...header(page, report),
    ...namespaces(page, report),
    ...byCheck(page, report.results),
    ...notEvaluated(page, report.results),
    ...remarks(page, report.results),
    ...exceptions(page, report),
    ...more(page, report, files),
    '',
    ...verdict(page, report),
  ];
  return `${lines.join('\n')}\n`;
}

function more(page: Page, { results }: Report, files: TerminalOptions['files']): readonly string[] {
  // A path of its own line can be selected with a double click.
  const paths = files === undefined ? [] : [files.report, files.junit];
  const hints = [
    ...(isCloseUp(groupsOf(results))
      ? []
      : ['add --namespace NS                       for all of one namespace, with fixes']),
    'ha-compliance explain ID [NS/KIND/NAME]  for what a check wants, and why',
  ];
  return [
    ...(paths.length === 0 ? [] : ['', page.paint('bold', 'FILES')]),
    ...paths.flatMap((text) => hang(page, { label: '  ', text })),
    '',
    page.paint('bold', 'MORE'),
    ...hints.map((hint) => cut(`  ${hint}`, page.columns)),
  ];
}

const words = {
  0: { word: 'PASS', style: verdictStyles.pass },
  // What is not known cannot be said to be well.
  partly: { word: 'PASS, NOT ALL JUDGED', style: verdictStyles.error },
  1: { word: 'FAIL', style: verdictStyles.fail },
  2: { word: 'INCOMPLETE', style: verdictStyles.error },
  none: { word: 'NOTHING WAS JUDGED', style: verdictStyles.error },
} as const;

function verdict(page: Page, report: Report): readonly string[] {
  const { word, style } = words[conclusion(report)];
  const order: readonly Verdict[] = ['fail', 'flake', 'error', 'pass', 'skip'];
  const text = order.map((one) => `${report.summary[one]} ${one}`).join(', ');
  return hang(page, { label: `${word}: `, style, text });
}

function conclusion(report: Report): keyof typeof words {
  const { pass, flake, fail, error } = report.summary;
  if (pass + flake + fail === 0) return 'none';
  const status = exitStatus(report);
  return status === 0 && (error > 0 || !report.complete) ? 'partly' : status;
}
