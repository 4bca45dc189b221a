/** Gathers objects of several kinds with the gaps between them, and makes listings of them. */
import { MalformedError } from '../../core/errors.ts';
import type { Kind, ObjectOf } from '../../core/kinds.ts';
import { kinds } from '../../core/kinds.ts';
import { readObject } from '../../core/read.ts';
import type { Gap, Listing } from '../../core/snapshot.ts';
import { compare } from '../../core/text.ts';
import type { Item } from './items.ts';
import { isUnderstood, resourceIndex } from './resources.ts';
import { newestCondition } from './times.ts';
import { mapAt, textAt } from './values.ts';

type Thing = ObjectOf<Kind>;

export interface Collection {
  /** Adds an object; of equal ones the last counts. One that cannot be read costs its namespace. */
  add(kind: Kind, item: Item, namespace?: string): void;
  miss(kind: Kind, gap: Gap): void;
  objects(kind: Kind): readonly Thing[];
  /** Whether an object or a gap of the kind is known. */
  has(kind: Kind): boolean;
  listing(kind: Kind, more?: readonly Gap[]): Listing;
  /** The newest time in a condition of any object. */
  newest(): string | undefined;
}

export function collection(): Collection {
  const objects = new Map<Kind, Map<string, Thing>>();
  const gaps = new Map<Kind, Gap[]>();
  let newest: string | undefined;

  function miss(kind: Kind, gap: Gap) {
    gaps.set(kind, [...(gaps.get(kind) ?? []), gap]);
  }

  return {
    add(kind, item, namespace = 'default') {
      const time = newestCondition(item.raw);
      if (time !== undefined && (newest === undefined || time > newest)) newest = time;
      const { namespaced } = kinds[kind];
      try {
        const object = placed(read(kind, item), namespaced ? namespace : undefined);
        const ofKind = objects.get(kind) ?? new Map<string, Thing>();
        objects.set(kind, ofKind.set(identity(object, ofKind.size), object));
      } catch (error) {
        if (!(error instanceof MalformedError)) throw error;
        const metadata = mapAt(item.raw, 'metadata');
        const name = textAt(metadata, 'name');
        const its = namespaced ? (textAt(metadata, 'namespace') ?? namespace) : name;
        const detail = `cannot be read: ${item.where}: ${error.message}`;
        // A broken Namespace costs that namespace; another object of the cluster its whole kind.
        const known = (namespaced || kind === 'namespaces') && its !== undefined;
        miss(kind, { ...(known && { namespace: its }), cause: 'malformed', detail });
      }
    },
    miss,
    objects: (kind) => [...(objects.get(kind)?.values() ?? [])],
    has: (kind) => objects.has(kind) || gaps.has(kind),
    listing: (kind, more = []) => ({
      state: 'read',
      objects: sorted(kind, [...(objects.get(kind)?.values() ?? [])]),
      gaps: ranked([...(gaps.get(kind) ?? []), ...more]),
    }),
    newest: () => newest,
  };
}

function read(kind: Kind, item: Item): Thing {
  const { apiVersion, kind: type } = item;
  if (!isUnderstood(kind, apiVersion)) {
    throw new MalformedError('apiVersion', understood(kind), apiVersion);
  }
  return readObject(kind, item.raw, { apiVersion, kind: type });
}

function understood(kind: Kind): string {
  const { group, versions } = kinds[kind];
  return versions.map((version) => (group === '' ? version : `${group}/${version}`)).join(' or ');
}

/** A manifest may leave its namespace to kubectl, and name one where there can be none. */
function placed(object: Thing, namespace: string | undefined): Thing {
  const { namespace: own, ...metadata } = object.metadata;
  if (namespace === undefined) return { ...object, metadata };
  return { ...object, metadata: { ...metadata, namespace: own ?? namespace } };
}

// An object to which the server will give a name is never the same as another.
function identity(object: Thing, count: number): string {
  const { namespace = '', name, generateName, uid } = object.metadata;
  const unnamed = generateName !== undefined && uid === undefined;
  return `${object.kind} ${namespace}/${name}${unnamed ? ` ${count}` : ''}`;
}

/** In the order in which an API server lists them. */
function sorted(kind: Kind, objects: readonly Thing[]): readonly Thing[] {
  return objects.toSorted(
    (a, b) =>
      resourceIndex(kind, a.kind) - resourceIndex(kind, b.kind) || compare(keyOf(a), keyOf(b)),
  );
}

const keyOf = ({ metadata: { namespace, name } }: Thing) =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** One gap for each namespace and cause; what is partial is judged, so that it comes after the others. */
function ranked(gaps: readonly Gap[]): readonly Gap[] {
  const rank = ({ cause, namespace = '', detail }: Gap) =>
    `${cause === 'partial' ? 1 : 0} ${namespace} ${cause} ${detail}`;
  const first = new Map<string, Gap>();
  for (const gap of gaps.toSorted((a, b) => compare(rank(a), rank(b)))) {
    const key = `${gap.cause} ${gap.namespace ?? ''}`;
    if (!first.has(key)) first.set(key, gap);
  }
  return [...first.values()];
}
