/** The namespaces of a run: which of the cluster's are judged, and which are expected to be there. */
import type { NamespaceClass } from '../core/namespace.ts';
import { classOf } from '../core/namespace.ts';
import type { Namespace } from '../core/objects.ts';
import { operatorNamespaces } from '../core/olm.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { listing, missing, objectsOf } from '../core/snapshot.ts';
import { compare } from '../core/text.ts';
import { knownNamespaces } from './owners.ts';

export interface Selection {
  /** Only these, when there are any. */
  readonly namespaces: readonly string[];
  readonly excludeNamespaces: readonly string[];
  /** Platform namespaces or all; by default platform on OpenShift, all elsewhere. */
  readonly scope?: 'platform' | 'all' | undefined;
  readonly managedService: boolean;
  readonly openshift: boolean;
}

export interface SelectedNamespace {
  readonly name: string;
  readonly class: NamespaceClass;
  readonly labels: Readonly<Record<string, string>>;
  /** Known by name, but not in the cluster. */
  readonly isAbsent: boolean;
}

/** By name. A namespace that is asked for, or that every run has a case for, is there even when absent. */
export function selectNamespaces(
  snapshot: Snapshot,
  selection: Selection,
): readonly SelectedNamespace[] {
  const present = new Map(namespacesOf(snapshot, selection).map((o) => [o.metadata.name, o]));
  const { namespaces, openshift } = selection;
  const managedService = selection.managedService || present.has('openshift-backplane');
  const operators = operatorNamespaces(snapshot);
  const known = namespaces.length > 0 ? namespaces : openshift ? knownNamespaces : [];
  return [...new Set([...present.keys(), ...known])]
    .toSorted(compare)
    .map((name): SelectedNamespace => {
      const object = present.get(name);
      return {
        name,
        class: classOf(object ?? named(name), { openshift, managedService, operators }),
        labels: object?.metadata.labels ?? {},
        // What is not in a list that ends too early may be in the rest of it.
        isAbsent: object === undefined && missing(snapshot, 'namespaces') === undefined,
      };
    })
    .filter((namespace) => isSelected(namespace, known, selection));
}

function isSelected(
  { name, class: cls }: SelectedNamespace,
  known: readonly string[],
  { namespaces, excludeNamespaces, scope, openshift }: Selection,
): boolean {
  if (excludeNamespaces.includes(name)) return false;
  if (namespaces.length > 0) return namespaces.includes(name);
  if (cls === 'excluded' || cls === 'managed-service') return false;
  const widest = scope ?? (openshift ? 'platform' : 'all');
  return widest === 'all' || cls === 'platform' || known.includes(name);
}

/** Where namespaces may not be listed, those that are asked for and those that have objects. */
function namespacesOf(snapshot: Snapshot, { namespaces }: Selection): readonly Namespace[] {
  const read = listing(snapshot, 'namespaces');
  if (read.state === 'read') return read.objects;
  const kinds = ['deployments', 'statefulSets', 'daemonSets', 'pods', 'services'] as const;
  const seen = kinds
    .flatMap((kind) => objectsOf(snapshot, kind))
    .flatMap(({ metadata }) => metadata.namespace ?? []);
  return [...new Set([...namespaces, ...seen])].map(named);
}

const named = (name: string): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});
