/** Puts the results of a run together with what was read and asked: the report. */
import type { AnyCheck } from '../core/check.ts';
import { docsOf } from '../core/check.ts';
import { inventoryOf } from '../core/inventory.ts';
import type { Coverage, Report, Result, Verdict } from '../core/result.ts';
import { schemaVersion, verdicts } from '../core/result.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { missing } from '../core/snapshot.ts';
import { compare } from '../core/text.ts';
import { usesOf } from '../exceptions/uses.ts';
import { guard } from '../reports/guard.ts';
import type { Context } from './context.ts';
import { notReached } from './judge.ts';
import { stageOf } from './stages.ts';

export interface RunFacts {
  readonly tool: Report['tool'];
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** A signal or the deadline came before the end. */
  readonly interrupted: boolean;
}

export function reportOf(context: Context, recorded: readonly Result[], run: RunFacts): Report {
  const { settings, snapshot, cases, checks, circumstances } = context;
  const byId = new Map(recorded.map((result) => [result.id, result]));
  const results = guard(
    cases
      .map((subject) => byId.get(subject.id) ?? notReached(subject, context))
      .toSorted((a, b) => compare(a.id, b.id)),
    settings.failureLimit,
  );
  const { topology } = cases[0]?.scope.cluster ?? { topology: undefined };
  const isSelected = (namespace: string) => isInSelection(namespace, context);
  return {
    schemaVersion,
    tool: run.tool,
    startedAt: timeOf(run.startedAt),
    finishedAt: timeOf(run.finishedAt),
    stages: Object.fromEntries(checks.map((check) => [check.id, stageOf(check, settings.stages)])),
    input: snapshot.input,
    topology: topology && !('cause' in topology) ? topology : 'unknown',
    platform: circumstances.platform,
    release: circumstances.release,
    coverage: coverageOf(snapshot),
    complete: isComplete(context, results, run),
    ...(run.interrupted && { interrupted: true }),
    checks: checks.map(summaryOf),
    results,
    exceptions: usesOf(context.exceptions, results, {
      ...circumstances,
      isSelected,
      expiringWithinDays: 14,
    }),
    inventory: inventoryOf(snapshot),
    summary: summarize(results),
  };
}

/** Live, a list that could not be read cuts the run short as much as a signal does. */
function isComplete(context: Context, results: readonly Result[], { interrupted }: RunFacts) {
  const { snapshot } = context;
  const isLive = snapshot.input.kind === 'live';
  const isUnread = results.some(
    ({ verdict, cause }) => verdict === 'error' && cause !== 'exception',
  );
  return snapshot.complete && !interrupted && !(isLive && (isUnread || lacksResults(context)));
}

/** Where namespaces cannot be listed, there is no result, not even an error, for those nobody named. */
function lacksResults({ snapshot, settings, checks }: Context): boolean {
  const isNamed = settings.namespaces.length > 0;
  const isByNamespace = checks.some(({ scope }) => scope === 'namespace');
  return isByNamespace && !isNamed && missing(snapshot, 'namespaces') !== undefined;
}

function isInSelection(namespace: string, { settings, cases }: Context): boolean {
  const { namespaces, excludeNamespaces } = settings;
  if (excludeNamespaces.includes(namespace)) return false;
  if (namespaces.length > 0) return namespaces.includes(namespace);
  return settings.scope !== 'platform' || cases.some(({ scope }) => scope.namespace === namespace);
}

function coverageOf({ listings }: Snapshot): Coverage {
  const evaluated: string[] = [];
  const notEvaluated: { kind: string; reason: string }[] = [];
  for (const [kind, listing] of Object.entries(listings).toSorted(([a], [b]) => compare(a, b))) {
    if (listing.state === 'missing') notEvaluated.push({ kind, reason: listing.detail });
    if (listing.state !== 'read') continue;
    if (listing.gaps.length === 0) evaluated.push(kind);
    for (const { namespace, detail } of listing.gaps) {
      const where = namespace === undefined ? kind : `${kind} in ns/${namespace}`;
      notEvaluated.push({ kind: where, reason: detail });
    }
  }
  return { evaluated, notEvaluated };
}

function summaryOf(check: AnyCheck) {
  const { id, title, failureTitle, breaks, fix } = check;
  return { id, title, failureTitle, breaks, fix, docs: docsOf(check) };
}

function summarize(results: readonly Result[]): Record<Verdict, number> {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length;
  const counts = verdicts.map((verdict) => [verdict, count(verdict)] as const);
  return Object.fromEntries(counts) as Record<Verdict, number>; // one entry per verdict
}

/** To the second: finer times would only differ. */
const timeOf = (date: Date) => date.toISOString().replace(/\.\d+Z$/, 'Z');
