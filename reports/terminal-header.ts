/** The head of the terminal summary: what was judged, when, and loudly what was not. */
import type { Report } from '../core/result.ts';
import { count, names } from '../core/text.ts';
import { endedEarly } from './ended-early.ts';
import type { Page } from './page.ts';
import { hang } from './page.ts';

export function header(page: Page, report: Report): readonly string[] {
  const { tool, input, startedAt, finishedAt, results } = report;
  const started = `${startedAt.slice(0, 10)} ${startedAt.slice(11, 19)} UTC`;
  const took = duration(Date.parse(finishedAt) - Date.parse(startedAt));
  const checks = new Set(results.map(({ check }) => check)).size;
  const rows: readonly (readonly [string, string])[] = [
    ['input', `${input.kind} ${input.name}`],
    ['cluster', `${release(report)}, topology ${topology(report)}`],
    ['inventory', inventory(report).join(', ')],
    ['run', `${started}, ${took}, ${count(checks, 'check')}, ${count(results.length, 'result')}`],
  ];
  return [
    page.paint('bold', `${tool.name} ${tool.version}`),
    ...rows
      .filter(([, text]) => text !== '')
      .flatMap(([label, text]) =>
        hang(page, { label: `  ${label.padEnd(11)}`, style: 'dim', text }),
      ),
    ...alerts(page, report),
  ];
}

function release({ release: known, platform }: Report): string {
  const name = known === 'unknown' ? 'release unknown' : known;
  return platform === 'unknown' ? name : `${name} on ${platform}`;
}

function topology({ topology: known }: Report): string {
  if (known === 'unknown') return known;
  const { controlPlaneTopology: control, infrastructureTopology: infra, source, note } = known;
  const both =
    control === infra ? control : `${control} (control plane), ${infra} (infrastructure)`;
  const doubts = [source === 'assumed' && 'assumed', note].filter(Boolean);
  return doubts.length === 0 ? both : `${both} (${doubts.join(', ')})`;
}

/** What was not read is not named here: 0 would be wrong. */
function inventory({ inventory: read }: Report): readonly string[] {
  const byReplicas = Object.entries(read.deploymentsByReplicas ?? {});
  // The noun belongs to the last figure of the list.
  const replicas = byReplicas.at(-1)?.[0] === '1' ? 'replica' : 'replicas';
  const split = byReplicas.map(([replicas, deployments]) => `${deployments} with ${replicas}`);
  const without = [
    [read.containersWithoutLiveness, 'liveness'],
    [read.containersWithoutReadiness, 'readiness'],
    [read.containersWithoutStartup, 'startup'],
  ] as const;
  const probes = without.flatMap(([n, probe]) =>
    n === undefined ? [] : [`${n} without ${probe}`],
  );
  return [
    figure(read.namespaces, 'namespace'),
    figure(read.deployments, 'Deployment', split, replicas),
    figure(read.podDisruptionBudgets, 'PodDisruptionBudget'),
    figure(read.containers, 'container', probes, 'probe'),
  ].flat();
}

function figure(
  n: number | undefined,
  noun: string,
  details: readonly string[] = [],
  unit = '',
): readonly string[] {
  if (n === undefined) return [];
  return [count(n, noun) + (details.length === 0 ? '' : ` (${details.join(', ')} ${unit})`)];
}

function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const shownKinds = 6;
const namedPlaces = 3;

const lacks = {
  run: 'The run was cut short: what it did not reach is missing below.',
  recording: 'The recording is not whole: what it lost is missing below.',
} as const;

function alerts(page: Page, report: Report): readonly string[] {
  const end = endedEarly(report);
  const cutShort =
    end === undefined
      ? []
      : hang(page, { label: 'INCOMPLETE   ', style: ['red', 'bold'], text: lacks[end] });
  const unread = unreadKinds(report.coverage.notEvaluated);
  const shown = unread.slice(0, shownKinds);
  const more = unread.length > shownKinds ? [`and ${unread.length - shownKinds} more`] : [];
  const lines = [...shown, ...more].flatMap((text, index) =>
    hang(page, {
      label: index === 0 ? 'NOT READ     ' : ' '.repeat(13),
      style: ['magenta', 'bold'],
      text,
      lines: 2,
    }),
  );
  const alert = [...cutShort, ...lines];
  return alert.length === 0 ? [] : ['', ...alert];
}

/** One line per kind, or, where several kinds of a namespace are missing for one reason, one for it. */
function unreadKinds(notEvaluated: Report['coverage']['notEvaluated']): readonly string[] {
  const split = notEvaluated.map(({ kind: place, reason }) => {
    const [kind = place, namespace] = place.split(' in ns/');
    const [why = reason] = reason.split(': ');
    return { kind, namespace, reason, why };
  });
  const byNamespace = Map.groupBy(split, ({ namespace, why }) => `${namespace}\n${why}`);
  const wide = [...byNamespace.values()].filter(
    ([first, ...rest]) => first?.namespace && rest.length > 1,
  );
  const told = new Set(wide.flat());
  const byKind = Map.groupBy(
    split.filter((entry) => !told.has(entry)),
    ({ kind, why }) => `${kind}\n${why}`,
  );
  return [
    ...[...byKind.values()].flatMap((members) => {
      const namespaces = members.flatMap(({ namespace }) => namespace ?? []);
      const where = namespaces.length === 0 ? '' : ` in ${places(namespaces)}`;
      return members.slice(0, 1).map(({ kind }) => `${kind}${where}: ${shared(members)}`);
    }),
    ...wide.flatMap((members) => {
      const kinds = count(members.length, 'kind');
      return members
        .slice(0, 1)
        .map(({ namespace }) => `${kinds} in ${namespace}: ${shared(members)}`);
    }),
  ];
}

/** The reason matters more than all the names, and has to fit behind them. */
const places = (namespaces: readonly string[]): string =>
  namespaces.length > namedPlaces ? count(namespaces.length, 'namespace') : names(namespaces);

/** As much of their reasons as all have. */
function shared(members: readonly { readonly reason: string }[]): string {
  const [first = [], ...others] = members.map(({ reason }) => reason.split(': '));
  const end = first.findIndex((part, n) => others.some((parts) => parts[n] !== part));
  return (end < 0 ? first : first.slice(0, end)).join(': ');
}
