/** From a parsed JSON or YAML object to what is kept of it. */
import { MalformedError } from './errors.ts';
import type { Kind, KindInfo, ObjectOf } from './kinds.ts';
import { kinds } from './kinds.ts';
import { project } from './shape.ts';

/** What a list says of its items, which leave it out themselves. */
interface ListType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Throws MalformedError when the value is not an object of this kind. */
export function readObject<K extends Kind>(kind: K, raw: unknown, type: ListType): ObjectOf<K> {
  const { shape, narrow }: KindInfo = kinds[kind];
  const kept = project(shape, raw);
  return typed(narrow?.applies(kept) ? project(narrow.shape, kept) : kept, type);
}

/** Completes what was projected, from whatever encoding. */
export function typed<K extends Kind>(kept: object, { apiVersion, kind }: ListType): ObjectOf<K> {
  const object = { ...kept, apiVersion, kind, metadata: named(kept) };
  return object as ObjectOf<K>; // by the kind's shape
}

// Only a manifest may come without a name: the server makes one up from generateName.
function named(kept: object): { readonly name: string } {
  const metadata =
    'metadata' in kept ? (kept.metadata as { name?: string; generateName?: string }) : {};
  const name = metadata.name ?? metadata.generateName;
  if (name === undefined) throw new MalformedError('metadata.name', 'a name', metadata.name);
  return { ...metadata, name };
}
