/** What the Operator Lifecycle Manager installed, and where. */
import type { ApiObject } from './objects.ts';
import type { Snapshot } from './snapshot.ts';
import { objectsOf } from './snapshot.ts';

/** ClusterServiceVersions where their operator is: for other namespaces that it serves they are copied. */
export function ownClusterServiceVersions(snapshot: Snapshot): readonly ApiObject[] {
  return objectsOf(snapshot, 'clusterServiceVersions').filter(
    ({ metadata }) => !Object.hasOwn(metadata.labels ?? {}, 'olm.copiedFrom'),
  );
}

/** Namespaces that hold an operator, or are to hold one. */
export function operatorNamespaces(snapshot: Snapshot): ReadonlySet<string> {
  const installed = [
    ...ownClusterServiceVersions(snapshot),
    ...objectsOf(snapshot, 'subscriptions'),
  ];
  return new Set(installed.flatMap(({ metadata }) => metadata.namespace ?? []));
}
