/** The rest of the terminal summary: what was not judged or only observed, and the state of exceptions. */
import type { ExceptionUse, Report, Result } from '../core/result.ts';
import { compare, count, names } from '../core/text.ts';
import type { ErrorGroup } from './error-groups.ts';
import { errorGroups } from './error-groups.ts';
import type { Page } from './page.ts';
import { hang } from './page.ts';
import { endOf, ticket } from './ticket.ts';

const shownGroups = 8;
const shownExceptions = 3;

export function notEvaluated(page: Page, results: readonly Result[]): readonly string[] {
  const groups = errorGroups(results);
  if (groups.length === 0) return [];
  const total = groups.flatMap((group) => group.results).length;
  return [
    '',
    `${page.paint(['magenta', 'bold'], 'NOT EVALUATED')}  ${count(total, 'result')}`,
    ...groups.slice(0, shownGroups).flatMap((group) => errorLines(page, group)),
    ...(groups.length > shownGroups ? [`  and ${groups.length - shownGroups} more causes`] : []),
  ];
}

function errorLines(
  page: Page,
  { cause, subject, reason, results }: ErrorGroup,
): readonly string[] {
  const places = names([...new Set(results.map(({ namespace = 'the cluster' }) => namespace))]);
  const text = `${subject}: ${count(results.length, 'result')} (${places}), such as: ${reason}`;
  return hang(page, { label: `  ${cause.padEnd(15)}`, text, lines: 3 });
}

/** Findings of stage observe, and what the mass failure limit does to JUnit. */
export function remarks(page: Page, results: readonly Result[]): readonly string[] {
  const observed = results.filter(
    ({ verdict, findings }) => verdict === 'pass' && findings.length > 0,
  );
  const findings = observed.flatMap((result) => result.findings).length;
  const checks = names([...new Set(observed.map(({ check }) => check))]);
  const guarded = results.filter((result) => result.guarded).length;
  return [
    ...(findings === 0
      ? []
      : remark(
          page,
          'OBSERVED',
          `${count(findings, 'finding')} at stage observe (${checks}): listed in report.json, raised by --stage CHECK=flake`,
        )),
    ...(guarded === 0
      ? []
      : remark(
          page,
          'GUARDED',
          `${count(guarded, 'failure')} beyond the mass failure limit: flakes in JUnit, failures here and in the exit status`,
        )),
  ];
}

function remark(page: Page, label: string, text: string): readonly string[] {
  return ['', ...hang(page, { label: label.padEnd(15), style: 'bold', text })];
}

/** Those in use are only counted: each stands with the finding that it covers. */
export function exceptions(page: Page, { exceptions: uses }: Report): readonly string[] {
  const lists = ['used', 'expired', 'expiring', 'unused', 'shadowed', 'broader'] as const;
  const counts = lists.flatMap((list) =>
    uses[list].length === 0 ? [] : [`${uses[list].length} ${list}`],
  );
  if (counts.length === 0) return [];
  return [
    ...remark(page, 'EXCEPTIONS', counts.join(', ')),
    ...lists
      .filter((list) => list !== 'used')
      .flatMap((list) => exceptionLines(page, list, uses[list])),
  ];
}

function exceptionLines(
  page: Page,
  list: string,
  uses: readonly ExceptionUse[],
): readonly string[] {
  const sorted = uses.toSorted((a, b) => compare(a.at, b.at));
  const hidden = sorted.length - Math.min(sorted.length, shownExceptions);
  return [
    ...sorted
      .slice(0, shownExceptions)
      .flatMap((use) =>
        hang(page, { label: `  ${list.padEnd(10)}`, text: useText(use), lines: 2 }),
      ),
    ...(hidden === 0 ? [] : [`  ${list.padEnd(10)}and ${hidden} more`]),
  ];
}

function useText(use: ExceptionUse): string {
  const issue = use.jira === undefined ? '' : `, ${ticket(use.jira)}`;
  const end = endOf(use);
  const until = end === undefined ? '' : `, until ${end}`;
  return `${use.at} (${use.check}${issue}${until})${use.note === undefined ? '' : `: ${use.note}`}`;
}
