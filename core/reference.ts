/** Naming an object, and telling whether two names mean the same one. */
import { groupOf } from './owner.ts';
import type { ObjectReference } from './result.ts';

export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

export function reference(object: ApiObject | ObjectReference): ObjectReference {
  const { apiVersion, kind } = object;
  const { namespace, name } = 'metadata' in object ? object.metadata : object;
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name };
}

/** Whichever versions of its API they name, and whichever container. */
export function isSameObject(one: ObjectReference, other: ObjectReference): boolean {
  return (
    one.name === other.name &&
    one.namespace === other.namespace &&
    one.kind === other.kind &&
    groupOf(one.apiVersion) === groupOf(other.apiVersion)
  );
}
