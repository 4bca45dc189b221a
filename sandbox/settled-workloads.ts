/**
 * Whether the controllers of workloads are done: one function per kind, which says what is missing.
 *
 * A workload is done when all its pods are ready and of the newest revision. One that is meant to stay
 * halfway carries annotations that say how many pods are.
 */
import { conditionOf, type LiveObject } from './objects.ts';

const readyAnnotation = 'ha-compliance-sandbox/ready';
const updatedAnnotation = 'ha-compliance-sandbox/updated';

export function deploymentLacks(deployment: LiveObject): string | undefined {
  const { spec, status } = deployment;
  const wanted = spec.replicas ?? 1;
  return (
    observationLacks(deployment) ??
    podsLack(deployment, wanted, status.readyReplicas, status.updatedReplicas) ??
    (isMeantHalfway(deployment) ? undefined : differs('pods', wanted, status.replicas)) ??
    progressLacks(deployment)
  );
}

export function statefulSetLacks(set: LiveObject): string | undefined {
  const { spec, status } = set;
  const wanted = spec.replicas ?? 1;
  return (
    observationLacks(set) ??
    podsLack(set, wanted, status.readyReplicas, status.updatedReplicas) ??
    differs('pods', wanted, status.replicas) ??
    (isMeantHalfway(set) || status.currentRevision === status.updateRevision
      ? undefined
      : 'its rollout is not finished')
  );
}

export function daemonSetLacks(set: LiveObject): string | undefined {
  const { desiredNumberScheduled: wanted, currentNumberScheduled } = set.status;
  return (
    observationLacks(set) ??
    podsLack(set, wanted, set.status.numberReady, set.status.updatedNumberScheduled) ??
    differs('pods', wanted, currentNumberScheduled)
  );
}

/** The status of a ReplicaSet is part of its Deployment's; only its own observation is left to ask for. */
export function observationLacks({ metadata, status }: LiveObject): string | undefined {
  return status.observedGeneration < metadata.generation
    ? `generation ${metadata.generation} is not observed`
    : undefined;
}

export function jobLacks(job: LiveObject): string | undefined {
  const wanted = job.spec.suspend === true ? ['Suspended'] : ['Complete', 'Failed'];
  const has = wanted.some((type) => conditionOf(job, type)?.status === 'True');
  return has ? undefined : `is not ${wanted.join(' or ')}`;
}

/** Without metrics, an autoscaler still raises its target to its minimum, and then wants nothing. */
export function autoscalerLacks(autoscaler: LiveObject): string | undefined {
  const able = conditionOf(autoscaler, 'AbleToScale');
  if (able === undefined) return 'has not looked at its target';
  const disabled = conditionOf(autoscaler, 'ScalingActive')?.reason === 'ScalingDisabled';
  if (able.status === 'False' || disabled) return undefined;
  const { minReplicas = 1 } = autoscaler.spec;
  const { currentReplicas, desiredReplicas } = autoscaler.status;
  const reached = Math.max(currentReplicas, desiredReplicas);
  return reached < minReplicas ? `has ${reached} of ${minReplicas} replicas` : undefined;
}

/** A Deployment says itself when it has ended, well or not. Without a deadline it says nothing. */
function progressLacks(deployment: LiveObject): string | undefined {
  const reason = conditionOf(deployment, 'Progressing')?.reason;
  if (reason === undefined) {
    const noDeadline = 2 ** 31 - 1;
    return deployment.spec.progressDeadlineSeconds === noDeadline ? undefined : 'has not started';
  }
  const ended = ['NewReplicaSetAvailable', 'ProgressDeadlineExceeded', 'DeploymentPaused'];
  return ended.includes(reason) ? undefined : `is progressing (${reason})`;
}

function isMeantHalfway({ metadata }: LiveObject): boolean {
  return updatedAnnotation in metadata.annotations;
}

function podsLack(
  { metadata }: LiveObject,
  wanted: number,
  ready: number,
  updated: number,
): string | undefined {
  const expected = (annotation: string) => Number(metadata.annotations[annotation] ?? wanted);
  return (
    differs('ready pods', expected(readyAnnotation), ready) ??
    differs('updated pods', expected(updatedAnnotation), updated)
  );
}

function differs(what: string, expected: number, found: number): string | undefined {
  return expected === found ? undefined : `${found} ${what}, expected ${expected}`;
}
