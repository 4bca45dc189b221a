/** The terminal summary's table by check: which rule is broken most. */
import type { Result, Verdict } from '../core/result.ts';
import { severities } from '../core/result.ts';
import { compare, count } from '../core/text.ts';
import type { Page } from './page.ts';
import { cut, plain, width } from './width.ts';

interface Row {
  readonly check: string;
  readonly severity: Result['severity'];
  readonly counts: Readonly<Record<Verdict, number>>;
}

const shown = 20;

export function byCheck(page: Page, results: readonly Result[]): readonly string[] {
  const rows = [...Map.groupBy(results, ({ check }) => check)].flatMap(([check, members]) =>
    members.slice(0, 1).map(({ severity }) => ({ check, severity, counts: countsOf(members) })),
  );
  const bad = rows.filter(({ counts }) => counts.fail + counts.flake + counts.error > 0);
  if (bad.length === 0) return [];
  const head = line(page, 'BY CHECK', 'severity', ['fail', 'flake', 'error', 'pass', 'skip']);
  const hidden = bad.length - Math.min(bad.length, shown);
  const rest = rows.length - bad.length;
  return [
    '',
    page.paint('bold', head),
    ...bad
      .toSorted(worstFirst)
      .slice(0, shown)
      .map(({ check, severity, counts: { fail, flake, error, pass, skip } }) =>
        line(page, check, severity, [fail, flake, error, pass, skip].map(String)),
      ),
    ...(hidden === 0 ? [] : [`… ${count(hidden, 'more check')}`]),
    ...(rest === 0 ? [] : [`${count(rest, 'check')} without findings`]),
  ];
}

function countsOf(results: readonly Result[]): Readonly<Record<Verdict, number>> {
  const of = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length;
  return {
    pass: of('pass'),
    flake: of('flake'),
    fail: of('fail'),
    skip: of('skip'),
    error: of('error'),
  };
}

function worstFirst(a: Row, b: Row): number {
  return (
    b.counts.fail - a.counts.fail ||
    b.counts.flake - a.counts.flake ||
    b.counts.error - a.counts.error ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    compare(a.check, b.check)
  );
}

/** Zeros are left out: what is there is seen at once. */
function line(page: Page, check: string, severity: string, figures: readonly string[]): string {
  const right = figures.map((figure) => (figure === '0' ? '' : figure).padStart(6)).join('');
  const room = page.columns - right.length - severityWidth;
  const name = cut(plain(check), room - 1);
  return `${name}${' '.repeat(room - width(name))}${severity.padEnd(severityWidth)}${right}`.trimEnd();
}

const severityWidth = 9;
