/** The body of the terminal summary: what fails and flakes, by namespace, worst first. */
import type { CheckSummary, Report, Result, Verdict } from '../core/result.ts';
import { count } from '../core/text.ts';
import { extent, findingLine, sidesOf } from './findings.ts';
import type { Group } from './namespace-groups.ts';
import { groupsOf, worstFirst } from './namespace-groups.ts';
import type { Page } from './page.ts';
import { commandLine, hang, spread, verdictStyles } from './page.ts';
import { acceptedBy } from './ticket.ts';

/** How much is shown of a large report, and of one that a person has narrowed down. */
const overview = { groups: 10, brief: 12, results: 4, findings: 3, lines: 3, advice: false };
const closeUp = {
  ...overview,
  results: Infinity,
  findings: Infinity,
  lines: Infinity,
  advice: true,
};
const fewGroups = 2;

/** Whether so few namespaces were judged that all is shown of them. */
export function isCloseUp(groups: readonly Group[]): boolean {
  return groups.length <= fewGroups;
}

export function namespaces(page: Page, { results, checks }: Report): readonly string[] {
  const groups = groupsOf(results);
  const bad = groups.filter((group) => group.bad.length > 0).toSorted(worstFirst);
  const limits = isCloseUp(groups) ? closeUp : overview;
  const summaries = new Map(checks.map((check) => [check.id, check]));
  const brief = bad.slice(limits.groups, limits.groups + limits.brief);
  const left = bad.slice(limits.groups + limits.brief);
  return [
    ...bad
      .slice(0, limits.groups)
      .flatMap((group) => ['', ...details(page, group, { ...limits, summaries })]),
    ...(brief.length === 0 ? [] : ['', page.paint('bold', 'MORE NAMESPACES WITH FINDINGS')]),
    ...brief.map((group) => heading(page, titleOf(group), group.results)),
    ...(left.length === 0
      ? []
      : [
          heading(
            page,
            `and ${left.length} more`,
            left.flatMap((group) => group.results),
          ),
        ]),
    ...withoutFindings(page, groups),
  ];
}

function withoutFindings(page: Page, groups: readonly Group[]): readonly string[] {
  const clean = groups.filter(({ bad, namespaced }) => namespaced && bad.length === 0);
  const unjudged = clean.filter(({ results }) =>
    results.some(({ verdict }) => verdict === 'error'),
  );
  if (clean.length === 0) return [];
  const but = unjudged.length === 0 ? '' : `, ${unjudged.length} of them not judged by every check`;
  const text = `${count(clean.length, 'namespace')} without findings${but}.`;
  return ['', ...hang(page, { label: '', text })];
}

const titleOf = ({ name, owner }: Group): string =>
  owner ? `${name} (${owner.source} ${owner.name})` : name;

const shownVerdicts = ['fail', 'flake', 'error', 'pass', 'skip'] as const satisfies Verdict[];

function heading(page: Page, name: string, results: readonly Result[]): string {
  const counts = shownVerdicts.flatMap((verdict) => {
    const n = results.filter((result) => result.verdict === verdict).length;
    return n === 0 ? [] : [{ verdict, text: `${n} ${verdict}` }];
  });
  const right = counts.map(({ text }) => text).join('  ');
  const painted = counts.map(({ verdict, text }) => page.paint(verdictStyles[verdict], text));
  return spread(page, name, right, painted.join('  '));
}

type Limits = typeof overview & { readonly summaries: ReadonlyMap<string, CheckSummary> };

function details(page: Page, group: Group, limits: Limits): readonly string[] {
  const hidden = group.bad.slice(limits.results);
  return [
    heading(page, titleOf(group), group.results),
    ...group.bad.slice(0, limits.results).flatMap((result) => one(page, result, limits)),
    ...(hidden.length === 0 ? [] : [`  … ${count(hidden.length, 'more result')}`]),
  ];
}

const indent = ' '.repeat(9);

function one(page: Page, result: Result, limits: Limits): readonly string[] {
  const { verdict, check, severity, namespace } = result;
  const { uncovered, covered } = sidesOf(result.findings);
  const findings = [...uncovered, ...covered];
  const summary = limits.summaries.get(check);
  const why = [result.subject, severity, reasonOf(result)].filter(Boolean).join(', ');
  const hidden = findings.length - Math.min(findings.length, limits.findings);
  const text = `${check} (${why}): ${extent(result)}`;
  return [
    ...hang(page, {
      label: `  ${verdict.toUpperCase().padEnd(7)}`,
      style: verdictStyles[verdict],
      text,
    }),
    ...findings.slice(0, limits.findings).flatMap((finding) => [
      ...hang(page, {
        label: `${indent}- `,
        text: `${findingLine(finding, { home: namespace, brief: !limits.advice })}${acceptedBy(finding)}`,
        lines: limits.lines,
      }),
      commandLine(page, `${indent}  `, finding.command),
    ]),
    ...(hidden === 0 ? [] : [`${indent}… ${count(hidden, 'more finding')}`]),
    ...(summary ? advice(page, summary, limits) : []),
  ];
}

function advice(page: Page, { breaks, fix, docs }: CheckSummary, limits: Limits) {
  const line = (label: string, text: string) =>
    hang(page, { label: `${indent}${label}: `, style: 'dim', text });
  return [
    ...(limits.advice ? [...line('Breaks', breaks), ...line('Fix', fix)] : []),
    ...line('Docs', docs),
  ];
}

function reasonOf({ verdict, stage, guarded, findings }: Result): string {
  if (guarded) return 'a flake in JUnit';
  const staged = verdict === 'flake' && stage === 'flake' && sidesOf(findings).uncovered.length > 0;
  return staged ? 'stage flake' : '';
}
