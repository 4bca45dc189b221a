/** What a check reads: the collections of the kinds that it declared, for one namespace or the cluster. */
import type { Kind, ObjectOf } from './kinds.ts';
import type { Snapshot } from './snapshot.ts';
import { listing, missing } from './snapshot.ts';
import { compare } from './text.ts';

/** All readable objects of a kind by namespace and name, indexed by namespace. */
export interface Collection<T> {
  readonly all: readonly T[];
  in(namespace: string | undefined): readonly T[];
  get(namespace: string | undefined, name: string): T | undefined;
  /** False where the input says nothing of the kind: manifests know no nodes. */
  readonly known: boolean;
}

/**
 * A required kind is there; of a kind that is only used, undefined says that it could not be read.
 * A used kind that the cluster does not serve is empty: there can be no object of it.
 */
export type Artifacts<R extends Kind, U extends Kind = never> = {
  readonly [K in R]: Collection<ObjectOf<K>>;
} & { readonly [K in U]: Collection<ObjectOf<K>> | undefined };

type Named = { readonly metadata: { readonly name: string; readonly namespace?: string } };

/** Sorted, so that nothing that is derived from it depends on the order in which objects were read. */
export function collection<T extends Named>(objects: readonly T[], known = true): Collection<T> {
  const all = objects.toSorted(byNamespaceAndName);
  const byNamespace = Map.groupBy(all, (object) => object.metadata.namespace);
  return {
    all,
    known,
    in: (namespace) => byNamespace.get(namespace) ?? [],
    get: (namespace, name) =>
      byNamespace.get(namespace)?.find((object) => object.metadata.name === name),
  };
}

const byNamespaceAndName = ({ metadata: a }: Named, { metadata: b }: Named) =>
  compare(a.namespace ?? '', b.namespace ?? '') || compare(a.name, b.name);

/**
 * The collections of a snapshot as seen from a namespace. Every check of a namespace gets the same
 * value, so that what is derived from it is computed once; a check's type names the kinds it may read.
 */
export function artifactsOf(snapshot: Snapshot) {
  const collections = new Map<Kind, Collection<Named>>();
  const views = new Map<string | undefined, Artifacts<never, Kind>>();

  function collectionOf(kind: Kind): Collection<Named> {
    const known = collections.get(kind);
    if (known) return known;
    const found = listing(snapshot, kind);
    const made = collection<Named>(
      found.state === 'read' ? found.objects : [],
      found.state !== 'unknown',
    );
    collections.set(kind, made);
    return made;
  }

  return (namespace: string | undefined): Artifacts<never, Kind> => {
    const made = views.get(namespace);
    if (made) return made;
    const view = {};
    for (const kind of Object.keys(snapshot.listings) as Kind[]) {
      const readable =
        listing(snapshot, kind).state !== 'missing' && !gapOf(snapshot, kind, namespace);
      Object.defineProperty(view, kind, {
        enumerable: true,
        get: () => (readable ? collectionOf(kind) : undefined),
      });
    }
    views.set(namespace, view as Artifacts<never, Kind>);
    return view as Artifacts<never, Kind>;
  };
}

function gapOf(snapshot: Snapshot, kind: Kind, namespace: string | undefined) {
  const gap = missing(snapshot, kind, namespace);
  // What is partial is read for the findings in it: evaluate() decides what its absence means.
  return gap && gap.cause !== 'partial' ? gap : undefined;
}
