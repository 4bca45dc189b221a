/** Sets what checks say of one object on a page. */
import { dump } from 'js-yaml';
import type { ExplainedCheck, ExplainedFinding, Explanation, Trial } from '../core/result.ts';
import { title } from '../core/text.ts';
import { clean } from './clean.ts';
import { findingLine } from './findings.ts';
import type { Page } from './page.ts';
import { commandLine, hang, verdictStyles } from './page.ts';
import { acceptedBy } from './ticket.ts';
import { plain } from './width.ts';

export function renderExplanation(page: Page, { object, facts, checks }: Explanation): string {
  const width = Math.max(0, ...facts.map(({ name }) => name.length));
  const judged = checks.filter(({ verdict }) => verdict !== 'skip');
  const skipped = checks.filter(({ verdict }) => verdict === 'skip');
  const lines = [
    page.paint('bold', plain(title(object))),
    ...facts.flatMap(({ name, text }) =>
      hang(page, { label: `  ${name.padEnd(width)}  `, style: 'dim', text }),
    ),
    ...judged.flatMap((check) => ['', ...full(page, check, object.namespace)]),
    ...(checks.length > 0 ? [] : ['', '  Nothing that was asked for judges it.']),
    ...(skipped.length > 0 ? [''] : []),
    ...skipped.flatMap((check) => brief(page, check, object.namespace)),
  ];
  return `${lines.join('\n')}\n`;
}

const indent = ' '.repeat(9);

function full(page: Page, check: ExplainedCheck, home: string | undefined): readonly string[] {
  const { stage, reason, findings, facts, reads, docs } = check;
  const said = reason ?? (findings.length === 0 ? check.title : `stage ${stage}`);
  const line = (label: string, text: string) =>
    hang(page, { label: `${indent}${label}: `, style: 'dim', text });
  return [
    ...brief(page, check, home, said),
    ...findings.flatMap((finding) => about(page, finding, home)),
    ...(said === check.title ? [] : line('Expects', check.title)),
    ...(facts.length === 0 ? [] : line('Because of', facts.join(', '))),
    ...(findings.length === 0 ? [] : [...line('Breaks', check.breaks), ...line('Fix', check.fix)]),
    ...line('Reads', inputs(reads)),
    ...line('Docs', docs),
  ];
}

/** `pods 4, nodes 6; not served: routes` */
function inputs(reads: ExplainedCheck['reads']): string {
  const counted = reads.filter(({ objects }) => typeof objects === 'number');
  const unknown = reads.filter(({ objects }) => typeof objects === 'string');
  const reasons = Map.groupBy(unknown, ({ objects }) => objects);
  return [
    ...(counted.length > 0
      ? [counted.map(({ kind, objects }) => `${kind} ${objects}`).join(', ')]
      : []),
    ...[...reasons].map(
      ([reason, members]) => `${reason}: ${members.map(({ kind }) => kind).join(', ')}`,
    ),
  ].join('; ');
}

function brief(
  page: Page,
  check: ExplainedCheck,
  home: string | undefined,
  said = check.reason,
): readonly string[] {
  const { verdict, namespace, notes } = check;
  const where = namespace === home ? '' : ` in ${namespace ?? 'the cluster'}`;
  return [
    ...hang(page, {
      label: `  ${verdict.toUpperCase().padEnd(7)}`,
      style: verdictStyles[verdict],
      text: `${check.check}${where}: ${said}`,
    }),
    ...notes.flatMap((note) => hang(page, { label: `${indent}Note: `, style: 'dim', text: note })),
  ];
}

function about(page: Page, finding: ExplainedFinding, home: string | undefined) {
  const { command, patch, dryRun } = finding;
  const text = `${findingLine(finding, { home })}${acceptedBy(finding)}`;
  return [
    ...hang(page, { label: `${indent}- `, text }),
    commandLine(page, `${indent}  `, command),
    ...(patch
      ? [...hang(page, { label: `${indent}  Patch `, text: tried(dryRun) }), ...yaml(patch)]
      : []),
  ];
}

function tried(trial: Trial = { state: 'not tried' }): string {
  const why = trial.reason === undefined ? '' : `: ${trial.reason}`;
  return trial.state === 'accepted' ? 'that the server takes:' : `(${trial.state}${why}):`;
}

/** Not wrapped: that would be another patch. */
const yaml = (patch: object): readonly string[] =>
  dump(patch, { lineWidth: -1 })
    .trimEnd()
    .split('\n')
    .map((line) => `${indent}    ${clean(line.replace(/\p{Cf}/gu, ''))}`);
