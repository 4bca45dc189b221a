/** One check in one scope: decides whether it applies, runs it, and says what came out. */
import type { Artifacts } from './artifacts.ts';
import type { AnyCheck } from './check.ts';
import type { ErrorCause } from './errors.ts';
import type { Kind } from './kinds.ts';
import type { Finding } from './result.ts';
import type { Scope } from './scope.ts';
import type { Snapshot } from './snapshot.ts';
import { listing, missing } from './snapshot.ts';
import { compare, compareFindings } from './text.ts';
import type { Topology } from './topology.ts';
import { isRedundant } from './topology.ts';
import { olderThan } from './version.ts';

export type Outcome =
  | {
      readonly kind: 'judged';
      readonly examined: number;
      readonly findings: readonly Finding[];
      readonly notes: readonly string[];
    }
  | { readonly kind: 'skip'; readonly reason: string; readonly notes: readonly string[] }
  | { readonly kind: 'error'; readonly cause: ErrorCause; readonly reason: string };

const skip = (reason: string, notes: readonly string[] = []): Outcome => ({
  kind: 'skip',
  reason,
  notes,
});

/** Pure: the same snapshot, check and scope give the same outcome. Never throws. */
export function evaluate(
  check: AnyCheck,
  snapshot: Snapshot,
  artifacts: Artifacts<never, Kind>,
  scope: Scope,
): Outcome {
  const applied = attempt(() => whyNot(check, snapshot, scope));
  if (applied.kind === 'error') return applied;
  if (applied.value !== undefined) return skip(applied.value);
  const place = placeOf(check, scope);
  const absent = [
    ...missingOf(check.requires, snapshot, place),
    ...allMissingOf(check.requiresOneOf ?? [], snapshot, place),
  ];
  // What is there in part is judged: findings in it count, no findings say nothing.
  const cut = absent.filter(({ kind }) => artifacts[kind]);
  const [first] = absent.filter(({ kind }) => !artifacts[kind]);
  if (first) return { kind: 'error', cause: first.cause, reason: `${first.kind} ${first.detail}` };
  const { topology } = scope.cluster;
  if ((check.redundant || check.controlPlaneTopologies) && 'cause' in topology) {
    return { kind: 'error', cause: topology.cause, reason: `topology: ${topology.detail}` };
  }
  // A check reads the kinds that it declared, which were just found to be readable.
  const judged = attempt(() => check.run(artifacts as never, scope));
  if (judged.kind === 'error') return judged;
  const judgement = judged.value;
  if (judgement.missing !== undefined) {
    return { kind: 'error', cause: 'not collected', reason: judgement.missing };
  }
  if (cut[0] && judgement.findings.length === 0) {
    return { kind: 'error', cause: 'partial', reason: `${cut[0].kind} ${cut[0].detail}` };
  }
  const marked = (finding: Finding): Finding =>
    check.transient ? { ...finding, transient: true } : finding;
  const evidence = new Set<Kind>([...(check.uses ?? []), ...always]);
  for (const kind of [...check.requires, ...absent.map(({ kind }) => kind)]) evidence.delete(kind);
  const unread = [...cut, ...missingOf([...evidence], snapshot, place)];
  const notes = [
    ...(judgement.notes ?? []),
    ...unread.map(({ kind, cause }) => `${kind} not readable: ${cause}`),
  ].sort(compare);
  if (judgement.examined === 0) return skip(judgement.skip ?? 'nothing to judge', notes);
  return {
    kind: 'judged',
    examined: judgement.examined,
    findings: judgement.findings.map(marked).toSorted(compareFindings),
    notes,
  };
}

/** The namespace whose objects a check reads, if it is one: the view of the artifacts that it gets. */
export function placeOf(check: AnyCheck, { namespace }: Scope): string | undefined {
  return namespace ?? check.ownerNamespace;
}

/** What says whose a namespace is and which cluster this is: without it any judgement may be off. */
export const always = ['namespaces', 'nodes', 'infrastructures', 'clusterVersions'] as const;

/** The first reason, in the order of the specification, why a check says nothing about this scope. */
function whyNot(check: AnyCheck, snapshot: Snapshot, scope: Scope): string | undefined {
  const { cluster } = scope;
  if (check.live && cluster.input === 'manifests') return 'no live state';
  if (check.isInForce?.(scope) === false) return 'convention not in force';
  const { since } = check;
  if (since && cluster.serverVersion && olderThan(cluster.serverVersion, since.version)) {
    return `server too old: ${since.field} needs ${since.version}`;
  }
  const { topology } = cluster;
  if (check.redundant && !('cause' in topology) && !isAnyRedundant(topology)) {
    return `topology: ${topology.infrastructureTopology}`;
  }
  const { controlPlaneTopologies } = check;
  if (controlPlaneTopologies && !('cause' in topology)) {
    const { controlPlaneTopology: mode } = topology;
    if (!controlPlaneTopologies.includes(mode)) return `topology: ${mode}`;
  }
  const unserved = check.requires.find((kind) => listing(snapshot, kind).state === 'not served');
  return unserved && `not served: ${unserved}`;
}

function isAnyRedundant(topology: Topology): boolean {
  return (
    isRedundant(topology.infrastructureTopology, 'infrastructure') ||
    isRedundant(topology.controlPlaneTopology, 'control plane')
  );
}

function missingOf(wanted: readonly Kind[], snapshot: Snapshot, place: string | undefined) {
  return wanted.flatMap((kind) => {
    const found = missing(snapshot, kind, place);
    return found ? [{ kind, ...found }] : [];
  });
}

/** Of kinds that stand in for each other: nothing while one of them could be read to its end. */
function allMissingOf(wanted: readonly Kind[], snapshot: Snapshot, place: string | undefined) {
  const found = missingOf(wanted, snapshot, place);
  return found.length === wanted.length ? found : [];
}

/** What a check does is not ours alone: that it throws costs its own result. */
function attempt<T>(work: () => T) {
  try {
    return { kind: 'done', value: work() } as const;
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { kind: 'error', cause: 'exception', reason } as const;
  }
}
