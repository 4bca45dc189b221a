/** The autoscaler of a workload and how far down it may go. */
import type { Artifacts } from './artifacts.ts';
import type { A, usesOfA } from './kinds.ts';
import type { HorizontalPodAutoscaler, ScaledObject } from './objects.ts';
import { groupOf } from './owner.ts';
import type { Scope } from './scope.ts';
import type { Workload } from './workload.ts';

export type ScalerArtifacts = Artifacts<(typeof A)[number], (typeof usesOfA)[number]>;
export type Scaler = HorizontalPodAutoscaler | ScaledObject;

/** The fewest replicas that a workload may be scaled to, and by what. */
export interface Floor {
  readonly replicas: number;
  readonly scaler?: Scaler;
}

/** With several scalers the smallest floor counts: nobody knows which of them acts last. */
export function floorOf(workload: Workload, artifacts: ScalerArtifacts, scope: Scope): Floor {
  const floors = scalersOf(workload, artifacts, scope).map((scaler) => ({
    replicas: scalerFloor(scaler, workload),
    scaler,
  }));
  return floors.reduce<Floor>(
    (lowest, floor) => (lowest.scaler && lowest.replicas <= floor.replicas ? lowest : floor),
    { replicas: workload.replicas },
  );
}

/** KEDA's ScaledObjects, or else the HorizontalPodAutoscalers that KEDA did not make. */
function scalersOf(workload: Workload, artifacts: ScalerArtifacts, scope: Scope) {
  const scaledObjects = (artifacts.scaledObjects?.in(scope.namespace) ?? []).filter((object) =>
    targets(scaledTarget(object), workload),
  );
  if (scaledObjects.length > 0) return scaledObjects;
  return artifacts.horizontalPodAutoscalers
    .in(scope.namespace)
    .filter((hpa) => !isKedas(hpa) && targets(hpa.spec?.scaleTargetRef ?? {}, workload));
}

function scaledTarget({ spec }: ScaledObject): Target {
  const { apiVersion = 'apps/v1', kind = 'Deployment', name } = spec?.scaleTargetRef ?? {};
  return { apiVersion, kind, ...(name !== undefined && { name }) };
}

interface Target {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
}

// The version is not compared: a scaler may name an older one of the same group.
function targets({ apiVersion, kind, name }: Target, workload: Workload): boolean {
  return (
    groupOf(apiVersion) === groupOf(workload.apiVersion) &&
    kind === workload.kind &&
    name === workload.name
  );
}

function isKedas(hpa: HorizontalPodAutoscaler): boolean {
  return (hpa.metadata.ownerReferences ?? []).some(
    ({ apiVersion, kind }) => kind === 'ScaledObject' && groupOf(apiVersion) === 'keda.sh',
  );
}

function scalerFloor(scaler: Scaler, workload: Workload): number {
  if (!isScaledObject(scaler)) return scaler.spec?.minReplicas ?? 1;
  const { annotations = {} } = scaler.metadata;
  const frozen = annotations['autoscaling.keda.sh/paused-replicas'];
  if (frozen !== undefined && /^\d+$/.test(frozen)) return Number(frozen);
  if (annotations['autoscaling.keda.sh/paused'] === 'true') return workload.replicas;
  return scaler.spec?.idleReplicaCount ?? scaler.spec?.minReplicaCount ?? 0;
}

export function isScaledObject(scaler: Scaler): scaler is ScaledObject {
  return scaler.kind === 'ScaledObject';
}

/** The field of a scaler that sets its floor. */
export function floorField(scaler: Scaler): string {
  return isScaledObject(scaler) ? 'minReplicaCount' : 'minReplicas';
}
