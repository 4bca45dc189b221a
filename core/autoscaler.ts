/** The autoscaler of a workload and how far down it may go. */
import type { Artifacts } from './artifacts.ts';
import type { A, usesOfA } from './kinds.ts';
import type { HorizontalPodAutoscaler, ScaledObject } from './objects.ts';
import { groupOf } from './owner.ts';
import type { Scope } from './scope.ts';
import type { Workload } from './workload.ts';

export type ScalerArtifacts = Artifacts<never, (typeof A)[number] | (typeof usesOfA)[number]>;
export type Scaler = HorizontalPodAutoscaler | ScaledObject;

/** The fewest replicas that a workload may be scaled to, and by what. */
export type Floor = OwnFloor | ScalerFloor;

interface OwnFloor {
  readonly replicas: number;
  readonly scaler?: undefined;
  readonly path?: undefined;
  readonly found?: undefined;
}

export interface ScalerFloor {
  readonly replicas: number;
  readonly scaler: Scaler;
  /** The field that sets the floor, and what is found there. */
  readonly path: string;
  readonly found: string;
}

/** With several scalers the smallest floor counts: nobody knows which of them acts last. */
export function floorOf(workload: Workload, artifacts: ScalerArtifacts, scope: Scope): Floor {
  const floors = scalersOf(workload, artifacts, scope).map((scaler) =>
    scalerFloor(scaler, workload.replicas),
  );
  return floors.reduce<Floor>(
    (lowest, floor) => (lowest.scaler && lowest.replicas <= floor.replicas ? lowest : floor),
    { replicas: workload.replicas },
  );
}

/**
 * A manifest with the replicas that it will run with: what is switched on is brought to the floor of
 * its autoscaler at once. Of what is live the replicas of now are known.
 */
export function atFloor(workload: Workload, artifacts: ScalerArtifacts, scope: Scope): Workload {
  const { isManifest, replicas } = workload;
  if (!isManifest || replicas === 0) return workload;
  return {
    ...workload,
    replicas: Math.max(replicas, floorOf(workload, artifacts, scope).replicas),
  };
}

/** The most replicas that a workload has now or may be scaled to. */
export function mostReplicas(workload: Workload, artifacts: ScalerArtifacts, scope: Scope): number {
  return Math.max(workload.replicas, ...scalersOf(workload, artifacts, scope).map(ceilingOf));
}

/** A patch of the scaler that raises its floor, and its ceiling where that is lower. */
export function raisedFloor({ scaler, path }: ScalerFloor, minimum: number) {
  if (!isScaledObject(scaler)) {
    const raise = { minReplicas: minimum };
    const isLow = ceilingOf(scaler) < minimum;
    return { spec: isLow ? { ...raise, maxReplicas: minimum } : raise };
  }
  // What was frozen by an annotation is thawed by whoever did it: no patch is right for everybody.
  if (isFrozen({ path })) return undefined;
  const raise = { minReplicaCount: Math.max(minimum, scaler.spec?.minReplicaCount ?? 0) };
  const isLow = ceilingOf(scaler) < raise.minReplicaCount;
  const idles = scaler.spec?.idleReplicaCount !== undefined;
  return {
    spec: {
      ...raise,
      ...(isLow && { maxReplicaCount: raise.minReplicaCount }),
      ...(idles && { idleReplicaCount: null }),
    },
  };
}

/** The most replicas that a scaler may ask for. */
export function ceilingOf(scaler: Scaler): number {
  return isScaledObject(scaler)
    ? (scaler.spec?.maxReplicaCount ?? 100)
    : (scaler.spec?.maxReplicas ?? 0);
}

/** Held where it is by an annotation, whatever the bounds are. */
export function isFrozen({ path }: Pick<ScalerFloor, 'path'>): boolean {
  return path === 'metadata.annotations';
}

/** KEDA's ScaledObjects, or else the HorizontalPodAutoscalers that KEDA did not make. */
function scalersOf(workload: Workload, artifacts: ScalerArtifacts, scope: Scope) {
  const scaledObjects = (artifacts.scaledObjects?.in(scope.namespace) ?? []).filter((object) =>
    targets(targetOf(object), workload),
  );
  if (scaledObjects.length > 0) return scaledObjects;
  return (artifacts.horizontalPodAutoscalers?.in(scope.namespace) ?? []).filter(
    (hpa) => !isKedas(hpa) && targets(targetOf(hpa), workload),
  );
}

export interface Target {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
}

/** What a scaler says that it scales; KEDA takes a target without kind for a Deployment. */
export function targetOf(scaler: Scaler): Target {
  const target = scaler.spec?.scaleTargetRef ?? {};
  return isScaledObject(scaler) ? { apiVersion: 'apps/v1', kind: 'Deployment', ...target } : target;
}

// The version is not compared: a scaler may name an older one of the same group.
export function targets({ apiVersion, kind, name }: Target, workload: Workload): boolean {
  return (
    groupOf(apiVersion) === groupOf(workload.apiVersion) &&
    kind === workload.kind &&
    name === workload.name
  );
}

/** Made by KEDA for a ScaledObject: its bounds say nothing that this does not say better. */
export function isKedas(hpa: HorizontalPodAutoscaler, scaledObject?: string): boolean {
  return (hpa.metadata.ownerReferences ?? []).some(
    ({ apiVersion, kind, name }) =>
      kind === 'ScaledObject' &&
      groupOf(apiVersion) === 'keda.sh' &&
      name === (scaledObject ?? name),
  );
}

/** How far down a scaler may take a workload that has so many replicas now. */
export function scalerFloor(scaler: Scaler, replicas: number): ScalerFloor {
  if (!isScaledObject(scaler)) return field(scaler, 'minReplicas', scaler.spec?.minReplicas, 1);
  const { metadata, spec = {} } = scaler;
  const { annotations = {} } = metadata;
  const frozen = annotations[pausedReplicas];
  if (frozen !== undefined && /^\d+$/.test(frozen)) {
    return annotation(scaler, `${pausedReplicas} ${frozen}`, Number(frozen));
  }
  if (annotations[paused] === 'true') {
    return annotation(scaler, `${paused} true`, replicas);
  }
  const { idleReplicaCount, minReplicaCount } = spec;
  return idleReplicaCount === undefined
    ? field(scaler, 'minReplicaCount', minReplicaCount, 0)
    : field(scaler, 'idleReplicaCount', idleReplicaCount, 0);
}

const paused = 'autoscaling.keda.sh/paused';
const pausedReplicas = 'autoscaling.keda.sh/paused-replicas';

function field(scaler: Scaler, name: string, value: number | undefined, fallback: number) {
  const found = `${name} ${value ?? `unset, default ${fallback}`}`;
  return { replicas: value ?? fallback, scaler, path: `spec.${name}`, found };
}

function annotation(scaler: Scaler, said: string, replicas: number) {
  return { replicas, scaler, path: 'metadata.annotations', found: `annotation ${said}` };
}

export function isScaledObject(scaler: Scaler): scaler is ScaledObject {
  return scaler.kind === 'ScaledObject';
}
