/** One page of a list, from the bytes of an answer: its continue token first, its objects when asked. */
import { MalformedError, MissingError } from '../core/errors.ts';
import type { Kind, KindInfo, ObjectOf } from '../core/kinds.ts';
import { kinds } from '../core/kinds.ts';
import { readObject, typed } from '../core/read.ts';
import type { Gap } from '../core/snapshot.ts';
import type { Answer } from './connect.ts';
import type { Intern } from './intern.ts';
import { decodeContinue, decodeItems, protobufType } from './protobuf.ts';
import { isProtobuf } from './status.ts';

export interface Page<K extends Kind> {
  /** The token of the next page. */
  readonly continue: string | undefined;
  objects(): { readonly objects: readonly ObjectOf<K>[]; readonly gaps: readonly Gap[] };
}

const metadataOnly = 'as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Protobuf where there is any; and where only metadata may be read, never the objects themselves. */
export function accepts({ protobuf, metadataOnly: isMetadataOnly }: KindInfo): string {
  const types = protobuf ? [protobufType, 'application/json'] : ['application/json'];
  return types.map((type) => (isMetadataOnly ? `${type};${metadataOnly}` : type)).join(',');
}

export interface PageType<K extends Kind> {
  readonly kind: K;
  readonly version: string;
}

/** Throws MissingError malformed when the answer is not a list. */
export function readPage<K extends Kind>(
  { headers, body }: Answer,
  type: PageType<K>,
  intern: Intern,
): Page<K> {
  return isProtobuf(headers['content-type'])
    ? protobufPage(body, type, intern)
    : jsonPage(body, type);
}

function protobufPage<K extends Kind>(
  body: Buffer,
  { kind, version }: PageType<K>,
  intern: Intern,
): Page<K> {
  const type = { apiVersion: apiVersionOf(kind, version), kind: kinds[kind].kind };
  return {
    continue: decodeContinue(body),
    objects: () => eachOf(decodeItems(body, kinds[kind], intern), (item) => typed<K>(item, type)),
  };
}

function jsonPage<K extends Kind>(body: Buffer, { kind, version }: PageType<K>): Page<K> {
  const { apiVersion, kind: listKind, items, metadata } = parseList(body);
  const { metadataOnly: isMetadataOnly, kind: name }: KindInfo = kinds[kind];
  // Some kinds are lists of several; a list of bare metadata does not say of what it is.
  const type = isMetadataOnly
    ? { apiVersion: apiVersionOf(kind, version), kind: name }
    : { apiVersion, kind: listKind.replace(/List$/, '') };
  return {
    continue: metadata?.continue || undefined,
    objects: () => eachOf(items ?? [], (item) => readObject(kind, item, type)),
  };
}

const apiVersionOf = (kind: Kind, version: string) =>
  kinds[kind].group === '' ? version : `${kinds[kind].group}/${version}`;

/** One object that is not as the API says costs its namespace, not the list. */
function eachOf<I, T>(items: readonly I[], read: (item: I) => T) {
  const objects: T[] = [];
  const gaps: Gap[] = [];
  for (const item of items) {
    try {
      objects.push(read(item));
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error;
      gaps.push(gapOf(item, error));
    }
  }
  return { objects, gaps };
}

interface ListBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly continue?: string } | null;
  /** Go writes an empty list as null. */
  readonly items: readonly unknown[] | null;
}

function parseList(body: Buffer): ListBody {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    if (isList(parsed)) return parsed;
  } catch {
    // Falls through: half a document is no list either.
  }
  throw new MissingError('malformed', 'could not be listed: the answer is not a list');
}

function isList(value: unknown): value is ListBody {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    typeof value.kind === 'string' &&
    value.kind.endsWith('List') &&
    'apiVersion' in value &&
    typeof value.apiVersion === 'string' &&
    'items' in value &&
    (value.items === null || Array.isArray(value.items))
  );
}

function gapOf(item: unknown, error: MalformedError): Gap {
  const metadata = (item as { metadata?: { namespace?: unknown; name?: unknown } } | null)
    ?.metadata;
  const { namespace, name } = metadata ?? {};
  return {
    ...(typeof namespace === 'string' && { namespace }),
    cause: 'malformed',
    detail: `${typeof name === 'string' ? name : 'an object'}: ${error.message}`,
  };
}
