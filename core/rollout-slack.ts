/** How many replicas a rollout that is under way may have taken away for now. */
import { isYoung } from './age.ts';
import { resolve } from './int-or-percent.ts';
import type { DaemonSet, Deployment, Pod, StatefulSet } from './objects.ts';
import { isReady } from './pods.ts';
import { strategyOf } from './rolling.ts';
import { revisionOf } from './rollout-state.ts';
import type { Scope } from './scope.ts';
import type { Workload } from './workload.ts';
import { isDaemonSet, isDeployment, isStatefulSet } from './workload-source.ts';

/** 0 when no rollout is under way: what is missing then, nobody took away on purpose. */
export function slackOf(workload: Workload, scope: Scope): number {
  const { source, counted, replicas } = workload;
  if (isDaemonSet(source)) {
    return isRollingDaemonSet(source, workload, scope) ? daemonSetBound(source, replicas) : 0;
  }
  const isRolling =
    (isDeployment(source) && isRollingDeployment(source)) ||
    (isStatefulSet(source) && isRollingStatefulSet(source, counted, scope));
  return isRolling ? replicas - (strategyOf(workload, replicas)?.keeps ?? replicas) : 0;
}

// Not by too few updated replicas: those that a quota forbids are as few, and no rollout brings them.
function isRollingDeployment({ status = {} }: Deployment): boolean {
  const { replicas = 0, updatedReplicas = 0, conditions = [] } = status;
  const isProgressing = conditions.some(
    (condition) =>
      condition.type === 'Progressing' &&
      condition.status === 'True' &&
      condition.reason !== 'NewReplicaSetAvailable',
  );
  return replicas > updatedReplicas || isProgressing;
}

/** What a partition keeps on the old revision waits for nothing. */
function isRollingStatefulSet(
  { spec = {}, status = {} }: StatefulSet,
  counted: readonly Pod[],
  scope: Scope,
): boolean {
  const { replicas = 0, updatedReplicas = 0, updateRevision } = status;
  const staged = spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  return (
    replicas - updatedReplicas > staged ||
    counted.some((pod) => revisionOf(pod) === updateRevision && isStarting(pod, scope))
  );
}

function isRollingDaemonSet(
  { status = {} }: DaemonSet,
  { counted, replicas }: Workload,
  scope: Scope,
): boolean {
  const { updatedNumberScheduled = 0 } = status;
  return updatedNumberScheduled < replicas || counted.some((pod) => isStarting(pod, scope));
}

const isStarting = (pod: Pod, scope: Scope) => !isReady(pod) && isYoung(pod, scope);

/** Under OnDelete nothing is taken away but by hand. */
function daemonSetBound({ spec = {} }: DaemonSet, replicas: number): number {
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  if (type === 'OnDelete') return 0;
  return resolve(rollingUpdate?.maxUnavailable ?? 1, replicas, 'up') ?? 0;
}
