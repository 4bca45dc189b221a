/** CATALOG.md: every check with what breaks, for whom, and what the rule rests on. */
import type { AnyCheck } from '../core/check.ts';
import { topologyModes } from '../core/topology.ts';

/** What another project asks, and where it is asked here, or why not. */
export interface Traced {
  readonly row: number;
  readonly asks: string;
  readonly here?: readonly string[];
  readonly because?: string;
}

export function renderCatalog(checks: readonly AnyCheck[], traced: readonly Traced[]): string {
  const suites = Map.groupBy(checks, ({ suite }) => suite);
  return [
    '# Catalogue\n',
    `${checks.length} checks. Written from what the checks say of themselves: \`UPDATE=1 npm test\` writes it anew.\n`,
    ...[...suites].flatMap(([suite, own]) => [`## ${suite}\n`, ...own.map(entry)]),
    '## What others ask\n',
    'What comparable projects check, and where it is asked here.\n',
    '| row | asks | here |',
    '| --- | --- | --- |',
    ...traced.map((one) => tracedRow(one, checks)),
    '',
  ].join('\n');
}

const pageOf = ({ suite, id }: Pick<AnyCheck, 'suite' | 'id'>) => `checks/${suite}/${id}/README.md`;

function entry(check: AnyCheck): string {
  const { id, title, breaks, severity, stage, scope, source } = check;
  const sources = source.map((one) => `[${one.title}](${one.url})`).join(', ');
  return [
    `### [${id}](${pageOf(check)})\n`,
    `${title}. ${breaks}\n`,
    `- severity ${severity}, stage ${stage}, once per ${scope}`,
    `- topologies: ${topologiesOf(check)}`,
    `- needs: ${needsOf(check)}`,
    `- source: ${sources}`,
    '',
  ].join('\n');
}

/** A redundant workload is expected where something else can take over. */
function topologiesOf({ redundant }: AnyCheck): string {
  return redundant ? topologyModes.filter((mode) => mode !== 'SingleReplica').join(', ') : 'any';
}

function needsOf({ live, transient, since }: AnyCheck): string {
  const needs = [
    live ? 'a live state' : 'a live state or manifests',
    ...(transient ? ['a finding in two readings'] : []),
    ...(since ? [`Kubernetes ${since.version} (${since.field})`] : []),
  ];
  return needs.join(', ');
}

function tracedRow({ row, asks, here = [], because }: Traced, checks: readonly AnyCheck[]): string {
  const links = here
    .flatMap((id) => checks.filter((check) => check.id === id))
    .map((check) => `[${check.id}](${pageOf(check)})`);
  return `| ${row} | ${asks} | ${[...links, ...(because === undefined ? [] : [because])].join(', ')} |`;
}
