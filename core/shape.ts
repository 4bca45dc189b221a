/**
 * What is kept of an API object: one description gives its TypeScript type, its projection from JSON
 * (here) and its decoding from Protobuf (cluster/protobuf.ts).
 *
 * Every field carries the number that it has in Kubernetes' generated.proto; kinds that are served as
 * JSON only leave it out. Kubernetes writes every non-pointer field to Protobuf, zero or not, and
 * leaves most zeros out of JSON, so that both forms are brought to one: a zero, an empty string, list
 * or map is dropped, unless the field is a pointer in Go (`optionalInt`, `optionalBool`, `optional`),
 * where empty and absent differ.
 */
import { MalformedError } from './errors.ts';
import { once } from './memo.ts';

export type Field =
  | { readonly type: 'int' | 'optionalInt' | 'bool' | 'optionalBool'; readonly n: number }
  | { readonly type: 'time' | 'intOrString' | 'presence'; readonly n: number }
  | { readonly type: 'text' | 'texts'; readonly n: number; readonly hide?: Hide }
  | { readonly type: MapType; readonly n: number; readonly keep?: (key: string) => boolean }
  | { readonly type: 'list'; readonly n: number; readonly shape: Shape }
  | Struct
  | Inline;

/** Quantities are kept as the text that they are written as. */
type MapType = 'textMap' | 'timeMap' | 'quantityMap';

/** What is kept of a text that may hold a credential; of what it has made itself, the same. */
type Hide = (text: string) => string;

interface Struct {
  readonly type: 'object';
  readonly n: number;
  readonly shape: Shape;
  readonly kept: boolean;
}

interface Inline {
  readonly type: 'inline';
  readonly n: number;
  readonly shape: Shape;
}

export type Shape = { readonly [field: string]: Field };

type Value<F extends Field> = F extends { type: 'text' | 'time' }
  ? string
  : F extends { type: 'int' | 'optionalInt' }
    ? number
    : F extends { type: 'bool' | 'optionalBool' | 'presence' }
      ? boolean
      : F extends { type: 'intOrString' }
        ? number | string
        : F extends { type: 'texts' }
          ? readonly string[]
          : F extends { type: MapType }
            ? Readonly<Record<string, string>>
            : F extends { type: 'object'; shape: infer S extends Shape }
              ? Projected<S>
              : F extends { type: 'list'; shape: infer S extends Shape }
                ? readonly Projected<S>[]
                : never;

type Inlined<S extends Shape> = {
  [K in keyof S]: S[K] extends { type: 'inline'; shape: infer I extends Shape }
    ? Projected<I>
    : never;
}[keyof S];

type UnionToIntersection<U> = (U extends unknown ? (u: U) => void : never) extends (
  i: infer I,
) => void
  ? I
  : never;

/** The type of an object of this shape after projection. */
export type Projected<S extends Shape> = {
  readonly [K in keyof S as S[K] extends { type: 'inline' } ? never : K]?: Value<S[K]>;
} & ([Inlined<S>] extends [never] ? unknown : UnionToIntersection<Inlined<S>>);

export const text = (n = 0, hide?: Hide) => ({ type: 'text', n, ...(hide && { hide }) }) as const;
export const texts = (n = 0, hide?: Hide) => ({ type: 'texts', n, ...(hide && { hide }) }) as const;
export const int = (n = 0) => ({ type: 'int', n }) as const;
export const optionalInt = (n = 0) => ({ type: 'optionalInt', n }) as const;
export const bool = (n = 0) => ({ type: 'bool', n }) as const;
export const optionalBool = (n = 0) => ({ type: 'optionalBool', n }) as const;
/** An RFC 3339 time, cut to seconds as metav1.Time is. */
export const time = (n = 0) => ({ type: 'time', n }) as const;
export const intOrString = (n = 0) => ({ type: 'intOrString', n }) as const;
/** A message of which only its being there is kept, for what must not leave the cluster. */
export const presence = (n = 0) => ({ type: 'presence', n }) as const;
export const textMap = (n = 0, keep?: (key: string) => boolean) =>
  ({ type: 'textMap', n, ...(keep && { keep }) }) as const;
export const timeMap = (n = 0) => ({ type: 'timeMap', n }) as const;
export const quantityMap = (n = 0, keep?: (key: string) => boolean) =>
  ({ type: 'quantityMap', n, ...(keep && { keep }) }) as const;
/** A struct: dropped when nothing is in it. */
export const object = <const S extends Shape>(n: number, shape: S) =>
  ({ type: 'object', n, shape, kept: false }) as const;
/** A pointer to a struct: kept when empty. */
export const optional = <const S extends Shape>(n: number, shape: S) =>
  ({ type: 'object', n, shape, kept: true }) as const;
export const list = <const S extends Shape>(n: number, shape: S) =>
  ({ type: 'list', n, shape }) as const;
/** A message whose fields stand beside their parent's in JSON. */
export const inline = <const S extends Shape>(n: number, shape: S) =>
  ({ type: 'inline', n, shape }) as const;

/** Keeps of a parsed JSON or YAML value what the shape names. Throws MalformedError on a wrong type. */
export function project<S extends Shape>(shape: S, raw: unknown, path = ''): Projected<S> {
  const from = record(raw, path);
  const kept: Record<string, unknown> = {};
  for (const [name, field] of fieldsOf(shape)) {
    if (field.type === 'inline') {
      Object.assign(kept, project(field.shape, from, path));
      continue;
    }
    const value = from[name];
    if (value === undefined || value === null) continue;
    const projected = projectField(field, value, path === '' ? name : `${path}.${name}`);
    if (projected !== undefined) kept[name] = projected;
  }
  return kept as Projected<S>; // the one place where a shape's type is asserted for JSON
}

const fieldsOf = once((shape: Shape) => Object.entries(shape));

function projectField(field: Exclude<Field, Inline>, value: unknown, path: string): unknown {
  switch (field.type) {
    case 'text':
      return hidden(field, string(value, path)) || undefined;
    case 'time':
      return string(value, path).replace(/\.\d+/, '') || undefined;
    case 'int':
      return integer(value, path) || undefined;
    case 'optionalInt':
      return integer(value, path);
    case 'bool':
      return boolean(value, path) || undefined;
    case 'optionalBool':
      return boolean(value, path);
    case 'presence':
      return true;
    case 'intOrString':
      return typeof value === 'string' ? value : integer(value, path);
    case 'texts':
      return nonEmpty(
        array(value, path).map((item, i) => hidden(field, string(item, `${path}[${i}]`))),
      );
    case 'textMap':
    case 'timeMap':
      return projectMap(value, path, { keep: field.keep, read: string });
    case 'quantityMap':
      return projectMap(value, path, { keep: field.keep, read: quantity });
    case 'list':
      return nonEmpty(
        array(value, path).map((item, i) => project(field.shape, item, `${path}[${i}]`)),
      );
    default: {
      const { shape, kept } = field satisfies Struct;
      const projected = project(shape, value, path);
      return kept || Object.keys(projected).length > 0 ? projected : undefined;
    }
  }
}

interface MapValue {
  readonly keep: ((key: string) => boolean) | undefined;
  readonly read: (value: unknown, path: string) => string;
}

function projectMap(value: unknown, path: string, { keep, read }: MapValue) {
  const entries = Object.entries(record(value, path)).filter(([key]) => keep?.(key) ?? true);
  // A null in a map of strings is an empty string to the API server.
  const kept = entries.map(
    ([key, item]) => [key, item === null ? '' : read(item, `${path}.${key}`)] as const,
  );
  // Not by assignment: a key may be `__proto__`.
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

function nonEmpty<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}

function string(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw new MalformedError(path, 'a string', value);
}

/** Manifests may write a quantity as a number. */
function quantity(value: unknown, path: string): string {
  return typeof value === 'number' ? String(value) : string(value, path);
}

/** What is kept of a text. */
export function hidden({ hide }: { readonly hide?: Hide }, value: string): string {
  return hide && value !== '' ? hide(value) : value;
}

function integer(value: unknown, path: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new MalformedError(path, 'an integer', value);
}

function boolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new MalformedError(path, 'true or false', value);
}

function array(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new MalformedError(path, 'a list', value);
}

function record(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new MalformedError(path || 'object', 'a map', value);
}
