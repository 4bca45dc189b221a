/** Plain counts over all that was read, before scope, class or exemption: the denominators of a report. */
import type { Kind } from './kinds.ts';
import type { PodTemplate } from './objects.ts';
import type { Snapshot } from './snapshot.ts';
import { listing, objectsOf } from './snapshot.ts';

/** A figure is absent where its kind was not read. */
export interface Inventory {
  readonly namespaces?: number;
  readonly podDisruptionBudgets?: number;
  readonly deployments?: number;
  /** By `spec.replicas` as stored, 1 where it is absent. */
  readonly deploymentsByReplicas?: Readonly<Record<string, number>>;
  /** Regular containers in the templates of Deployments, StatefulSets and DaemonSets. */
  readonly containers?: number;
  readonly containersWithoutLiveness?: number;
  readonly containersWithoutReadiness?: number;
  readonly containersWithoutStartup?: number;
}

export function inventoryOf(snapshot: Snapshot): Inventory {
  const read = (kind: Kind) => listing(snapshot, kind).state === 'read';
  const deployments = objectsOf(snapshot, 'deployments');
  return {
    ...(read('namespaces') && { namespaces: objectsOf(snapshot, 'namespaces').length }),
    ...(read('podDisruptionBudgets') && {
      podDisruptionBudgets: objectsOf(snapshot, 'podDisruptionBudgets').length,
    }),
    ...(read('deployments') && {
      deployments: deployments.length,
      deploymentsByReplicas: countBy(deployments.map(({ spec }) => String(spec?.replicas ?? 1))),
    }),
    ...(read('deployments') && read('statefulSets') && read('daemonSets') && probes(snapshot)),
  };
}

function probes(snapshot: Snapshot) {
  const templates: readonly (PodTemplate | undefined)[] = [
    ...objectsOf(snapshot, 'deployments'),
    ...objectsOf(snapshot, 'statefulSets'),
    ...objectsOf(snapshot, 'daemonSets'),
  ].map((object) => object.spec?.template);
  const containers = templates.flatMap((template) => template?.spec?.containers ?? []);
  const without = (probe: 'livenessProbe' | 'readinessProbe' | 'startupProbe') =>
    containers.filter((container) => container[probe] === undefined).length;
  return {
    containers: containers.length,
    containersWithoutLiveness: without('livenessProbe'),
    containersWithoutReadiness: without('readinessProbe'),
    containersWithoutStartup: without('startupProbe'),
  };
}

/** Sorted as numbers, so that the report is the same whatever order the objects came in. */
function countBy(values: readonly string[]): Readonly<Record<string, number>> {
  const groups = [...Map.groupBy(values, (value) => value)];
  return Object.fromEntries(
    groups
      .map(([value, members]) => [value, members.length] as const)
      .toSorted(([a], [b]) => Number(a) - Number(b)),
  );
}
