/** Leader election locks: which one is held by which pod. */
import type { Artifacts, Collection } from './artifacts.ts';
import type { usesOfL } from './kinds.ts';
import { once } from './memo.ts';
import type { ApiObject, Lease, Node, Pod } from './objects.ts';
import { controllerOf } from './owner.ts';
import { isCounted, isTerminal, isTerminating } from './pods.ts';
import { compare, title } from './text.ts';

export type LockArtifacts = Artifacts<'pods' | 'nodes', (typeof usesOfL)[number]>;
type ConfigMap = ApiObject;

interface Lock {
  /** `Lease shop/cart-controller`. */
  readonly title: string;
  readonly namespace: string | undefined;
  /** A host name; of a leader-for-life lock the uid of a pod. */
  readonly holder: string;
  readonly isForLife?: true;
}

/** What the locks of the whole cluster say about each pod. */
export interface Holders {
  /** Pods that hold a lock, with the title of the first one. */
  readonly strong: ReadonlyMap<Pod, string>;
  /** Pods of several workloads to which one lock's holder could be counted. */
  readonly weak: ReadonlySet<Pod>;
}

export function holdersOf({ pods, nodes, leases, lockMetadata }: LockArtifacts): Holders {
  return resolve(pods, nodes, leases, lockMetadata);
}

const resolve = once(
  (
    pods: Collection<Pod>,
    nodes: Collection<Node>,
    leases: Collection<Lease> | undefined,
    configMaps: Collection<ConfigMap> | undefined,
  ): Holders => {
    const strong = new Map<Pod, string>();
    const weak = new Set<Pod>();
    const counted = pods.all.filter(isCounted);
    const byName = Map.groupBy(counted, (pod) => hostName(pod.metadata.name));
    const held = [...locks(leases, configMaps)].toSorted((a, b) => compare(a.title, b.title));
    for (const lock of held) {
      const candidates = candidatesFor(lock);
      const owners = new Set(candidates.map(ownerKey));
      for (const pod of candidates) {
        if (owners.size > 1) weak.add(pod);
        else if (!strong.has(pod)) strong.set(pod, lock.title);
      }
    }
    return { strong, weak };

    function candidatesFor(lock: Lock): readonly Pod[] {
      if (lock.isForLife) return counted.filter((pod) => pod.metadata.uid === lock.holder);
      const named = byHostName(lock, byName);
      if (named) return [named];
      return isUuid(lock.holder) ? [] : onNode(lock, pods, nodes);
    }
  },
);

/** The same for pods of one workload; the ReplicaSets of a Deployment differ in its template's hash only. */
function ownerKey(pod: Pod): string {
  const { kind, name = '', uid } = controllerOf(pod) ?? { uid: pod.metadata.uid };
  const hash = pod.metadata.labels?.['pod-template-hash'];
  return kind === 'ReplicaSet' && hash && name.endsWith(`-${hash}`)
    ? `${pod.metadata.namespace}/${name.slice(0, -hash.length)}`
    : String(uid);
}

function* locks(
  leases: Collection<Lease> | undefined,
  configMaps: Collection<ConfigMap> | undefined,
): Generator<Lock> {
  for (const { lock, holderIdentity } of elections(leases?.all ?? [], configMaps?.all ?? [])) {
    // An identity is a host name, mostly with `_` and a random part behind it.
    const holder = holderIdentity.replace(/_.*$/s, '');
    const { namespace } = lock.metadata;
    yield { title: title({ kind: lock.kind, ...lock.metadata }), namespace, holder };
  }
  for (const configMap of configMaps?.all ?? []) {
    const { namespace, name, ownerReferences = [] } = configMap.metadata;
    // By uid: a pod of the same name that was made later does not hold it.
    const owner = ownerReferences.find(({ kind }) => kind === 'Pod')?.uid;
    if (name.endsWith('-lock') && owner !== undefined) {
      const lock = title({ kind: configMap.kind, ...configMap.metadata });
      yield { title: lock, namespace, holder: owner, isForLife: true };
    }
  }
}

/** An election that somebody won, as its lock records it. */
export interface Election {
  readonly lock: Lease | ConfigMap;
  readonly holderIdentity: string;
  readonly leaseDurationSeconds?: number | undefined;
  readonly renewTime?: string | undefined;
}

/** Leases, and the annotations on ConfigMaps that were in use before them. */
export function elections(
  leases: readonly Lease[],
  configMaps: readonly ConfigMap[],
): readonly Election[] {
  return [...leases.flatMap(ofLease), ...configMaps.flatMap(ofConfigMap)];
}

function ofLease(lock: Lease): readonly Election[] {
  const { namespace, labels = {} } = lock.metadata;
  const { holderIdentity, leaseDurationSeconds, renewTime } = lock.spec ?? {};
  // Heartbeats of nodes, and identities of API servers: nobody was elected.
  if (namespace === 'kube-node-lease') return [];
  if (Object.hasOwn(labels, 'apiserver.kubernetes.io/identity')) return [];
  if (holderIdentity === undefined) return [];
  return [{ lock, holderIdentity, leaseDurationSeconds, renewTime }];
}

function ofConfigMap(lock: ConfigMap): readonly Election[] {
  const record = recordIn(lock.metadata.annotations?.['control-plane.alpha.kubernetes.io/leader']);
  const { holderIdentity, leaseDurationSeconds, renewTime } = record;
  if (typeof holderIdentity !== 'string' || holderIdentity === '') return [];
  return [
    {
      lock,
      holderIdentity,
      ...(typeof leaseDurationSeconds === 'number' && { leaseDurationSeconds }),
      ...(typeof renewTime === 'string' && { renewTime }),
    },
  ];
}

function recordIn(annotation: string | undefined): Readonly<Record<string, unknown>> {
  if (annotation === undefined) return {};
  try {
    const record: unknown = JSON.parse(annotation);
    return typeof record === 'object' && record !== null ? { ...record } : {};
  } catch {
    // Not an election record: evidence of nothing.
    return {};
  }
}

/** A kubelet cuts host names at 63 characters and drops what must not end one. */
const hostName = (podName: string) => podName.slice(0, 63).replace(/[-.]+$/, '');

const isUuid = (holder: string) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(holder);

/** The pod of that name in the lock's namespace, else the only one of that name anywhere. */
function byHostName(lock: Lock, byName: ReadonlyMap<string, readonly Pod[]>): Pod | undefined {
  const candidates = byName.get(lock.holder) ?? [];
  const own = candidates.find((pod) => pod.metadata.namespace === lock.namespace);
  return own ?? (candidates.length === 1 ? candidates[0] : undefined);
}

/** Pods on a node's own network call themselves by the node's name. */
function onNode(lock: Lock, pods: Collection<Pod>, nodes: Collection<Node>): readonly Pod[] {
  return pods.in(lock.namespace).filter((pod) => {
    const { hostNetwork, nodeName } = pod.spec ?? {};
    if (!hostNetwork || nodeName === undefined || isTerminal(pod) || isTerminating(pod)) {
      return false;
    }
    const node = nodes.get(undefined, nodeName);
    const names = [nodeName, nodeName.split('.')[0], node?.metadata.labels?.[hostnameLabel]];
    return names.includes(lock.holder);
  });
}

const hostnameLabel = 'kubernetes.io/hostname';
