/** How far a rollout got, and what holds it. */
import { isYoung } from './age.ts';
import type { DaemonSet, Deployment, Pod, StatefulSet } from './objects.ts';
import { isReady } from './pods.ts';
import type { Scope } from './scope.ts';
import type { Workload } from './workload.ts';
import {
  isArgoRollout,
  isDaemonSet,
  isDeployment,
  isDeploymentConfig,
  isStatefulSet,
} from './workload-source.ts';

/** What somebody left unfinished on purpose. */
export interface Leftover {
  readonly path: string;
  readonly message: string;
  readonly patch?: Readonly<Record<string, unknown>>;
}

export function leftover({ source, isManifest }: Workload): Leftover | undefined {
  if (isDeployment(source) || isDeploymentConfig(source) || isArgoRollout(source)) {
    if (!source.spec?.paused) return undefined;
    const since = isDeployment(source) ? pausedSince(source) : '';
    const waiting = isChangeWaiting(source) ? ', a template change is waiting' : '';
    return {
      path: 'spec.paused',
      message: `paused${since}${waiting}`,
      patch: { spec: { paused: false } },
    };
  }
  // Only a status tells what is staged, and a manifest has none that means anything.
  if (isManifest) return undefined;
  if (isStatefulSet(source)) return stagedStatefulSet(source);
  return isDaemonSet(source) ? stagedDaemonSet(source) : undefined;
}

// No such condition without a progress deadline, or when it had passed before the pause.
function pausedSince({ status = {} }: Deployment): string {
  const paused = status.conditions?.find(
    ({ type, reason }) => type === 'Progressing' && reason === 'DeploymentPaused',
  );
  const date = (paused?.lastUpdateTime ?? paused?.lastTransitionTime)?.slice(0, 10);
  return date ? ` since ${date} (condition Progressing, reason DeploymentPaused)` : '';
}

interface Pausable {
  readonly metadata: { readonly generation?: number; readonly uid?: string };
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number | string;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
  };
}

// Not by the newest ReplicaSet: after a rollback neither age nor revision says which one is current.
function isChangeWaiting({ metadata, spec = {}, status = {} }: Pausable): boolean {
  const { observedGeneration = 0, replicas = 0, updatedReplicas = 0 } = status;
  const isObserved =
    metadata.uid !== undefined && Number(observedGeneration) >= (metadata.generation ?? 0);
  return isObserved && updatedReplicas < Math.max(spec.replicas ?? 1, replicas);
}

function stagedStatefulSet({ spec = {}, status = {} }: StatefulSet): Leftover | undefined {
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  const { replicas = 0, updatedReplicas = 0, currentRevision, updateRevision } = status;
  // Under OnDelete currentRevision never advances: only the count of updated pods tells.
  if (type === 'OnDelete') return onDelete(replicas - updatedReplicas, replicas);
  const partition = rollingUpdate?.partition ?? 0;
  if (partition === 0 || currentRevision === updateRevision) return undefined;
  const wanted = spec.replicas ?? 1;
  const message =
    partition >= wanted
      ? `paused entirely: partition ${partition} of ${wanted}`
      : `partition ${partition} of ${wanted}: ${ordinals(partition, spec.ordinals?.start ?? 0)} the old revision`;
  return {
    path: 'spec.updateStrategy.rollingUpdate.partition',
    message,
    patch: { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } },
  };
}

const ordinals = (partition: number, start: number) =>
  partition === 1
    ? `ordinal ${start} stays on`
    : `ordinals ${start}–${start + partition - 1} stay on`;

function stagedDaemonSet({ spec = {}, status = {} }: DaemonSet): Leftover | undefined {
  if (spec.updateStrategy?.type !== 'OnDelete') return undefined;
  const { desiredNumberScheduled = 0, updatedNumberScheduled = 0 } = status;
  return onDelete(desiredNumberScheduled - updatedNumberScheduled, desiredNumberScheduled);
}

function onDelete(old: number, all: number): Leftover | undefined {
  const message = `OnDelete: ${old} of ${all} pods on the old revision`;
  return old > 0 ? { path: 'spec.updateStrategy', message } : undefined;
}

/**
 * The pod that a rolling StatefulSet waits for; undefined when it is finished, staged or moving: a pod
 * that terminates makes room for its successor, and a young one is only starting.
 */
export function blockingPod({ source, pods, counted }: Workload, scope: Scope): Pod | undefined {
  if (!isStatefulSet(source)) return undefined;
  const { spec = {}, status = {} } = source;
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  const { currentRevision, updateRevision } = status;
  if (type === 'OnDelete' || (rollingUpdate?.partition ?? 0) > 0) return undefined;
  // After a template was set back the revisions are equal while a pod may still be stuck.
  const isCurrent = (pod: Pod) => revisionOf(pod) === updateRevision;
  if (currentRevision === updateRevision && pods.every(isCurrent)) return undefined;
  const isParallel = spec.podManagementPolicy === 'Parallel';
  return counted.find(
    (pod) => !isReady(pod) && !isYoung(pod, scope) && (isCurrent(pod) || !isParallel),
  );
}

export function revisionOf(pod: Pod): string | undefined {
  return pod.metadata.labels?.['controller-revision-hash'];
}
