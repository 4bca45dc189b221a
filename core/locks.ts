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
  for (const { metadata, spec } of leases?.all ?? []) {
    const { namespace, labels = {} } = metadata;
    // Heartbeats of nodes, and identities of API servers: nobody was elected.
    if (namespace === 'kube-node-lease') continue;
    if (Object.hasOwn(labels, 'apiserver.kubernetes.io/identity')) continue;
    if (spec?.holderIdentity === undefined) continue;
    yield lockOf(title({ kind: 'Lease', ...metadata }), namespace, spec.holderIdentity);
  }
  for (const { metadata } of configMaps?.all ?? []) {
    const { namespace, name, ownerReferences = [] } = metadata;
    const lock = title({ kind: 'ConfigMap', ...metadata });
    const holder = legacyHolder(metadata.annotations?.['control-plane.alpha.kubernetes.io/leader']);
    if (holder !== undefined) yield lockOf(lock, namespace, holder);
    // By uid: a pod of the same name that was made later does not hold it.
    const owner = ownerReferences.find(({ kind }) => kind === 'Pod')?.uid;
    if (name.endsWith('-lock') && owner !== undefined) {
      yield { title: lock, namespace, holder: owner, isForLife: true };
    }
  }
}

/** An identity is a host name, mostly with `_` and a random part behind it. */
function lockOf(lock: string, namespace: string | undefined, identity: string): Lock {
  return { title: lock, namespace, holder: identity.replace(/_.*$/s, '') };
}

function legacyHolder(annotation: string | undefined): string | undefined {
  if (annotation === undefined) return undefined;
  try {
    const record: unknown = JSON.parse(annotation);
    const isHeld = typeof record === 'object' && record !== null && 'holderIdentity' in record;
    return isHeld && typeof record.holderIdentity === 'string'
      ? record.holderIdentity || undefined
      : undefined;
  } catch {
    // Not an election record: evidence of nothing.
    return undefined;
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
