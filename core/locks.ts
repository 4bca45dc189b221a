/** Leader election locks: which one is held by which pod. */
import type { Artifacts, Collection } from './artifacts.ts';
import type { usesOfL } from './kinds.ts';
import { once } from './memo.ts';
import type { ApiObject, Lease, Node, Pod } from './objects.ts';
import { controllerOf } from './owner.ts';
import { isCounted, isTerminal, isTerminating } from './pods.ts';

export type LockArtifacts = Artifacts<'pods' | 'nodes', (typeof usesOfL)[number]>;
type ConfigMap = ApiObject;

interface Lock {
  /** `Lease shop/cart-controller`. */
  readonly title: string;
  readonly namespace: string;
  readonly holder: string;
  /** Of a leader-for-life lock: the pod itself. */
  readonly holderUid?: string;
}

/** What the locks of the whole cluster say about each pod. */
export interface Holders {
  /** Pods that hold a lock, with the lock's title. */
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
    for (const lock of locks(leases, configMaps)) {
      const named = byUid(lock, counted) ?? byHostName(lock, byName);
      if (named) strong.set(named, lock.title);
      if (named || isUuid(lock.holder)) continue;
      const candidates = onNode(lock, pods, nodes);
      const owners = new Set(candidates.map((pod) => controllerOf(pod)?.uid ?? pod.metadata.uid));
      for (const pod of candidates) {
        if (owners.size === 1) strong.set(pod, lock.title);
        else weak.add(pod);
      }
    }
    return { strong, weak };
  },
);

function* locks(
  leases: Collection<Lease> | undefined,
  configMaps: Collection<ConfigMap> | undefined,
): Generator<Lock> {
  for (const { metadata, spec } of leases?.all ?? []) {
    const { namespace = '', labels = {} } = metadata;
    // Heartbeats of nodes, and identities of API servers: nobody was elected.
    if (namespace === 'kube-node-lease') continue;
    if (Object.hasOwn(labels, 'apiserver.kubernetes.io/identity')) continue;
    if (spec?.holderIdentity === undefined) continue;
    yield lockOf(`Lease ${namespace}/${metadata.name}`, namespace, spec.holderIdentity);
  }
  for (const { metadata } of configMaps?.all ?? []) {
    const { namespace = '', name, ownerReferences = [] } = metadata;
    const title = `ConfigMap ${namespace}/${name}`;
    const holder = legacyHolder(metadata.annotations?.['control-plane.alpha.kubernetes.io/leader']);
    if (holder !== undefined) yield lockOf(title, namespace, holder);
    const owner = ownerReferences.find(({ kind, uid }) => kind === 'Pod' && uid !== undefined);
    if (name.endsWith('-lock') && owner) {
      yield { title, namespace, holder: owner.name ?? '', holderUid: owner.uid ?? '' };
    }
  }
}

/** An identity is a host name, mostly with `_` and a random part behind it. */
function lockOf(title: string, namespace: string, identity: string): Lock {
  const [holder = ''] = identity.split('_', 1);
  return { title, namespace, holder };
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

function byUid({ holderUid }: Lock, counted: readonly Pod[]): Pod | undefined {
  return holderUid === undefined
    ? undefined
    : counted.find((pod) => pod.metadata.uid === holderUid);
}

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
