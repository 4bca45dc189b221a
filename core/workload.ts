/** One view of everything that keeps pods running: Deployment, StatefulSet, DaemonSet, a bare ReplicaSet … */
import { once } from './memo.ts';
import type { Pod, PodSpec } from './objects.ts';
import type { OwnerArtifacts, Source } from './owner.ts';
import { groupOf, ownership, podOwner } from './owner.ts';
import { isCounted } from './pods.ts';
import type { Scope } from './scope.ts';
import { compare, count, names } from './text.ts';
import { isReplicaSet, managerOf, replicasOf, sourcesOf, templateOf } from './workload-source.ts';

export interface Workload {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly class: 'replicated' | 'daemon';
  /** What is asked for now, before any autoscaler's floor; 0 is switched off. */
  readonly replicas: number;
  /** The labels and the spec of its pods: the template's, or those of its newest pod. */
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  /** False when neither a template nor a pod could be read. */
  readonly isTemplateKnown: boolean;
  readonly pods: readonly Pod[];
  /** The pods that are neither finished nor on their way out. */
  readonly counted: readonly Pod[];
  /** The object above it, in which its replicas and its template are written. */
  readonly manager?: { readonly kind: string; readonly namespace?: string; readonly name: string };
  /** Not from an API server: nothing in it was defaulted, and there are no pods. */
  readonly isManifest: boolean;
  /** Absent for a custom workload, of which only the pods are read. */
  readonly source?: Source;
}

export interface Workloads {
  /** By kind and name, the switched off ones included. Jobs and static pods are none. */
  readonly all: readonly Workload[];
  /** Undefined for the pods of Jobs, static, bare and orphaned pods. */
  of(pod: Pod): Workload | undefined;
  /** Whether its owner went away while it was being read: such a pod is left out. */
  isOrphan(pod: Pod): boolean;
  /** Names the orphans. */
  readonly notes: readonly string[];
}

/** The workloads of the scope's namespace. */
export const workloadsOf = once((artifacts: OwnerArtifacts, scope: Scope): Workloads => {
  const pods = artifacts.pods
    .in(scope.namespace)
    .map((pod) => ({ pod, owner: podOwner(pod, ownership(artifacts, scope, pod)) }));
  const owned = Map.groupBy(pods, ({ owner }) => keyOf(owner));
  const podsOf = (key: string) => (owned.get(key) ?? []).map(({ pod }) => pod);
  const workloads = new Map<string, Workload>();
  for (const source of sourcesOf(artifacts, scope)) {
    const key = identity(source, source.metadata.name);
    workloads.set(key, fromSource(source, podsOf(key), artifacts, scope));
  }
  for (const { owner } of pods) {
    const key = keyOf(owner);
    if (owner.kind !== 'custom' || workloads.has(key)) continue;
    workloads.set(key, fromPods(owner.reference, podsOf(key), scope));
  }
  const keys = new Map(pods.map(({ pod, owner }) => [pod, keyOf(owner)]));
  const orphans = podsOf('orphan').map((pod) => pod.metadata.name);
  const isOrphan = (pod: Pod) => keys.get(pod) === 'orphan';
  return {
    all: [...workloads.values()].toSorted(byKindAndName),
    of: (pod) => workloads.get(keys.get(pod) ?? ''),
    isOrphan,
    notes: orphans.length > 0 ? [orphanNote(orphans)] : [],
  };
});

const byKindAndName = (a: Workload, b: Workload) =>
  compare(a.kind, b.kind) || compare(a.name, b.name);

const orphanNote = (orphans: readonly string[]) =>
  `left out ${count(orphans.length, 'pod')} whose owner is gone: ${names(orphans)}`;

function keyOf(owner: ReturnType<typeof podOwner>): string {
  if (owner.kind === 'workload') return identity(owner.owner, owner.owner.metadata.name);
  if (owner.kind === 'custom') return identity(owner.reference, owner.reference.name);
  return owner.kind;
}

function identity(type: { readonly apiVersion?: string; readonly kind?: string }, name?: string) {
  return `${groupOf(type.apiVersion)}/${type.kind}/${name}`;
}

function fromSource(
  source: Source,
  pods: readonly Pod[],
  artifacts: OwnerArtifacts,
  scope: Scope,
): Workload {
  const { namespace = '', name, uid } = source.metadata;
  const counted = pods.filter(isCounted);
  const template =
    templateOf(source, artifacts) ??
    revisionTemplate(counted, artifacts, scope) ??
    podTemplate(counted, scope);
  const manager = managerOf(source, ownership(artifacts, scope, source).above);
  return {
    apiVersion: source.apiVersion,
    kind: source.kind,
    namespace,
    name,
    class: source.kind === 'DaemonSet' ? 'daemon' : 'replicated',
    replicas: replicasOf(source),
    labels: template?.labels ?? {},
    spec: template?.spec ?? {},
    isTemplateKnown: template !== undefined,
    pods,
    counted,
    isManifest: uid === undefined,
    source,
    ...(manager && { manager }),
  };
}

function fromPods(reference: Reference, pods: readonly Pod[], scope: Scope): Workload {
  const counted = pods.filter(isCounted);
  const template = podTemplate(counted, scope);
  return {
    apiVersion: reference.apiVersion ?? '',
    kind: reference.kind ?? '',
    namespace: scope.namespace ?? '',
    name: reference.name ?? '',
    class: 'replicated',
    replicas: counted.length,
    labels: template?.labels ?? {},
    spec: template?.spec ?? {},
    isTemplateKnown: template !== undefined,
    pods,
    counted,
    isManifest: false,
  };
}

type Reference = { readonly apiVersion?: string; readonly kind?: string; readonly name?: string };

/** The template of the ReplicaSet that made the newest pod. */
function revisionTemplate(counted: readonly Pod[], artifacts: OwnerArtifacts, scope: Scope) {
  const newest = newestOf(counted);
  const revision = newest && ownership(artifacts, scope, newest).chain[0];
  return isReplicaSet(revision) ? templateOf(revision, artifacts) : undefined;
}

/** What the newest pod shows of a template: without its placement, and without injected sidecars. */
function podTemplate(counted: readonly Pod[], { cluster }: Scope) {
  const newest = newestOf(counted);
  if (!newest) return undefined;
  const { nodeName: _, ...spec } = newest.spec ?? {};
  const containers = (spec.containers ?? []).filter(
    ({ name = '' }) => !cluster.options.sidecars.includes(name),
  );
  return { labels: newest.metadata.labels ?? {}, spec: { ...spec, containers } };
}

/** The pod that shows the newest template. */
export function newestOf(pods: readonly Pod[]): Pod | undefined {
  return pods.toSorted(
    (a, b) =>
      compare(b.metadata.creationTimestamp ?? '', a.metadata.creationTimestamp ?? '') ||
      compare(a.metadata.name, b.metadata.name),
  )[0];
}
