/** Whether what an autoscaler names is there, and can be scaled. */
import type { ScalerArtifacts, Target } from './autoscaler.ts';
import type { Kind } from './kinds.ts';
import { kinds } from './kinds.ts';
import type { OwnerArtifacts } from './owner.ts';
import { groupOf } from './owner.ts';
import type { Scope } from './scope.ts';
import { title } from './text.ts';

type TargetArtifacts = OwnerArtifacts & ScalerArtifacts;

const scalable = [
  'deployments',
  'statefulSets',
  'replicaSets',
  'replicationControllers',
  'deploymentConfigs',
  'rollouts',
] as const;
const unscalable = ['daemonSets', 'pods', 'jobs', 'cronJobs'] as const;

export interface WrongTarget {
  readonly kind: 'wrong';
  readonly message: string;
  /** What was meant, where that is plain. */
  readonly right?: Target;
}

/** It may be there: nobody looked. */
interface UnreadTarget {
  readonly kind: 'unread';
  readonly message: string;
}

/** Undefined when the target exists. */
export function faultOf(
  target: Target,
  artifacts: TargetArtifacts,
  scope: Scope,
): WrongTarget | UnreadTarget | undefined {
  const { apiVersion, kind, name } = target;
  if (kind === undefined || name === undefined) return wrong('scaleTargetRef names no workload');
  const type = [...scalable, ...unscalable].find((known) => isOf(known, target));
  if (groupOf(apiVersion) === '' && !type) {
    const said = apiVersion === undefined ? 'no apiVersion' : `apiVersion ${apiVersion}`;
    const message = `scaleTargetRef has ${said}: group "" has no ${kind}`;
    const right = withApiVersion({ kind, name }, artifacts, scope);
    return { ...wrong(message), ...(right && { right }) };
  }
  const named = `targets ${title({ kind, namespace: scope.namespace, name })}`;
  if (unscalable.some((known) => known === type)) return wrong(`${named}, which cannot be scaled`);
  const own = scalable.find((known) => known === type);
  const collection = own && artifacts[own];
  if (!collection) return { kind: 'unread', message: `${named}, a kind that is not read` };
  if (collection.get(scope.namespace, name)) return undefined;
  return wrong(`${named}, which does not exist`);
}

const wrong = (message: string) => ({ kind: 'wrong', message }) as const;

function isOf(known: Kind, { apiVersion, kind }: Target): boolean {
  return kinds[known].kind === kind && kinds[known].group === groupOf(apiVersion);
}

/** What was meant, where there is a workload of that kind and name in some group. */
function withApiVersion(
  { kind, name }: { readonly kind: string; readonly name: string },
  artifacts: TargetArtifacts,
  { namespace }: Scope,
): Target | undefined {
  const meant = scalable.find(
    (known) => kinds[known].kind === kind && artifacts[known]?.get(namespace, name),
  );
  if (!meant) return undefined;
  const { group, versions } = kinds[meant];
  return { apiVersion: `${group}/${versions[0]}`, kind, name };
}
