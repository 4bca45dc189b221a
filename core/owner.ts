/** Who owns an object: controller references, followed upwards as far as objects were read. */
import type { Artifacts } from './artifacts.ts';
import type { usesOfW, W } from './kinds.ts';
import { kinds } from './kinds.ts';
import { once } from './memo.ts';
import type {
  ArgoRollout,
  DaemonSet,
  Deployment,
  DeploymentConfig,
  Job,
  OwnerReference,
  Pod,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from './objects.ts';
import { isMirror } from './pods.ts';
import type { Scope } from './scope.ts';

export type OwnerArtifacts = Artifacts<(typeof W)[number], (typeof usesOfW)[number]>;

/** An object as far as ownership goes. */
export interface Owned {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly ownerReferences?: readonly OwnerReference[];
  };
}

/** The objects that keep pods and that were read. */
export type Source =
  | Deployment
  | StatefulSet
  | DaemonSet
  | ReplicaSet
  | ReplicationController
  | DeploymentConfig
  | ArgoRollout;
export type Owner = Source | Job;

export interface Ownership {
  /** The owners that were read, from the nearest to the highest. */
  readonly chain: readonly Owner[];
  /** The reference above the chain: to something that was not read, or undefined. */
  readonly above: OwnerReference | undefined;
  /** Objects of that kind were read, but not this one: its deletion overtook the reference. */
  readonly isGone: boolean;
}

export function controllerOf(object: Owned): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller);
}

/** The API group of an apiVersion; the core group is ''. */
export function groupOf(apiVersion: string | undefined): string {
  return apiVersion?.slice(0, Math.max(apiVersion.indexOf('/'), 0)) ?? '';
}

/** What a pod belongs to. */
export type PodOwner =
  | { readonly kind: 'workload'; readonly owner: Owner }
  /** A controller that this project has no view of: its pods are all that is known of it. */
  | { readonly kind: 'custom'; readonly reference: OwnerReference }
  | { readonly kind: 'batch' | 'static' | 'bare' | 'orphan' };

export function podOwner(pod: Pod, { chain, above, isGone }: Ownership): PodOwner {
  if (isMirror(pod) || (above && isNode(above))) return { kind: 'static' };
  if (chain.some(isBatch) || (above && isBatch(above))) return { kind: 'batch' };
  if (isGone) return { kind: 'orphan' };
  const owner = chain.at(-1);
  if (owner) return { kind: 'workload', owner };
  if (!above) return { kind: 'bare' };
  if (runsToCompletion(pod, above)) return { kind: 'batch' };
  return { kind: 'custom', reference: above };
}

type Typed = { readonly apiVersion?: string; readonly kind?: string };

/** Of Kubernetes: other APIs have kinds of that name, too. */
export function isNode({ apiVersion, kind }: Typed): boolean {
  return groupOf(apiVersion) === '' && kind === 'Node';
}

function isBatch({ apiVersion, kind }: Typed): boolean {
  return groupOf(apiVersion) === 'batch' && (kind === 'Job' || kind === 'CronJob');
}

// A pod that is not restarted belongs to a workflow or a task run, whatever its controller is called.
// KubeVirt's launcher pods are not restarted either, but their machine is.
function runsToCompletion(pod: Pod, above: OwnerReference): boolean {
  const policy = pod.spec?.restartPolicy;
  return (
    (policy === 'Never' || policy === 'OnFailure') && groupOf(above.apiVersion) !== 'kubevirt.io'
  );
}

/** Follows the controller references of an object of the scope's namespace. */
export function ownership(artifacts: OwnerArtifacts, scope: Scope, object: Owned): Ownership {
  const index = ownersByUid(artifacts, scope);
  const chain: Owner[] = [];
  let above = controllerOf(object);
  while (above?.uid !== undefined) {
    const owner = index.get(above.uid);
    // A reference back into the chain can only be forged; following it would never end.
    if (!owner || chain.includes(owner)) break;
    chain.push(owner);
    above = controllerOf(owner);
  }
  return { chain, above, isGone: above !== undefined && isRead(above, artifacts) };
}

const ownerKinds = [
  'deployments',
  'statefulSets',
  'daemonSets',
  'replicaSets',
  'replicationControllers',
  'deploymentConfigs',
  'rollouts',
  'jobs',
] as const;

const ownersByUid = once((artifacts: OwnerArtifacts, scope: Scope): ReadonlyMap<string, Owner> => {
  const objects = ownerKinds.flatMap(
    (kind): readonly Owner[] => artifacts[kind]?.in(scope.namespace) ?? [],
  );
  return new Map(
    objects.flatMap((object) => (object.metadata.uid ? [[object.metadata.uid, object]] : [])),
  );
});

function isRead({ apiVersion, kind }: Typed, artifacts: OwnerArtifacts): boolean {
  const read = ownerKinds.filter((name) => artifacts[name]);
  return read.some(
    (name) => kinds[name].kind === kind && kinds[name].group === groupOf(apiVersion),
  );
}
