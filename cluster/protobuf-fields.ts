/** Makes a Protobuf decoder out of a shape: what the shape does not name is skipped, not built. */
import type { Reader } from 'protobufjs/minimal.js';
import type { Field, Shape } from '../core/shape.ts';
import type { Intern } from './protobuf.ts';

type Fields = Record<string, unknown>;
export type Decode = (reader: Reader, end: number, intern: Intern) => Fields;
type ReadField = (reader: Reader, into: Fields, intern: Intern) => void;

/** How a value is written: as a number, or as its length and then so many bytes. */
export const wireTypes = { number: 0, bytes: 2 } as const;

/** What stands before a field's value. */
export const tagOf = (field: number, wireType: number) => (field << 3) | wireType;

export function compile(shape: Shape): Decode {
  const readers: (ReadField | undefined)[] = [];
  for (const [name, field] of Object.entries(shape)) {
    readers[tagOf(field.n, wireTypeOf(field))] = fieldReader(name, field);
  }
  return (reader, end, intern) => {
    const into: Fields = {};
    while (reader.pos < end) {
      const tag = reader.uint32();
      const read = readers[tag];
      if (read) read(reader, into, intern);
      else reader.skipType(tag & 7);
    }
    if (reader.pos > end) throw new RangeError('a field is longer than what it is part of');
    return into;
  };
}

function wireTypeOf({ type }: Field): number {
  const isNumber = type === 'int' || type === 'optionalInt' || type === 'bool';
  return isNumber ? wireTypes.number : wireTypes.bytes;
}

// As in core's project(): what Kubernetes writes although it is empty is dropped, but for pointers.
function fieldReader(name: string, field: Field): ReadField {
  switch (field.type) {
    case 'text':
      return (reader, into, intern) => {
        const value = reader.string();
        if (value !== '') into[name] = intern(value);
      };
    case 'int':
    case 'optionalInt':
      return (reader, into) => {
        const value = integer(reader);
        if (value !== 0 || field.type === 'optionalInt') into[name] = value;
      };
    case 'bool':
      return (reader, into) => {
        if (reader.bool()) into[name] = true;
      };
    case 'texts':
      return (reader, into, intern) => append(into, name, intern(reader.string()));
    case 'textMap':
      return (reader, into, intern) => readEntry(reader, into, { name, intern, keep: field.keep });
    case 'presence':
      return (reader, into) => {
        reader.skip(reader.uint32());
        into[name] = true;
      };
    case 'time':
      return messageReader(compile(timestamp), (into, { seconds }) => {
        if (typeof seconds === 'number') into[name] = rfc3339(seconds);
      });
    case 'intOrString':
      return messageReader(compile(intOrString), (into, { type, intVal, strVal }) => {
        into[name] = type === 1 ? (strVal ?? '') : (intVal ?? 0);
      });
    case 'list':
      return messageReader(compile(field.shape), (into, value) => append(into, name, value));
    case 'object':
      return messageReader(compile(field.shape), (into, value) => {
        if (field.kept || Object.keys(value).length > 0) into[name] = value;
      });
    case 'inline':
      return messageReader(compile(field.shape), (into, value) => Object.assign(into, value));
    default:
      return field satisfies never;
  }
}

const timestamp = { seconds: { type: 'int', n: 1 } } as const;
const intOrString = {
  type: { type: 'int', n: 1 },
  intVal: { type: 'int', n: 2 },
  strVal: { type: 'text', n: 3 },
} as const;

function messageReader(decode: Decode, put: (into: Fields, value: Fields) => void): ReadField {
  return (reader, into, intern) => {
    const length = reader.uint32();
    put(into, decode(reader, reader.pos + length, intern));
  };
}

function append(into: Fields, name: string, value: unknown): void {
  const values = into[name];
  if (Array.isArray(values)) values.push(value);
  else into[name] = [value];
}

interface MapTarget {
  readonly name: string;
  readonly intern: Intern;
  readonly keep: ((key: string) => boolean) | undefined;
}

function readEntry(reader: Reader, into: Fields, { name, intern, keep }: MapTarget): void {
  const length = reader.uint32();
  const end = reader.pos + length;
  let key = '';
  let value = '';
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === tagOf(1, wireTypes.bytes)) key = intern(reader.string());
    // A long value of a key that nobody reads is never built.
    else if (tag === tagOf(2, wireTypes.bytes) && (!keep || keep(key))) {
      value = intern(reader.string());
    } else reader.skipType(tag & 7);
  }
  if (keep && !keep(key)) return;
  into[name] = Object.assign(into[name] ?? {}, { [key]: value });
}

/** int32 and int64 are one on the wire; beyond 2^53 the last digits are lost, as in JSON. */
function integer(reader: Reader): number {
  const value: number | { readonly low: number; readonly high: number } = reader.int64();
  return typeof value === 'number' ? value : value.high * 2 ** 32 + (value.low >>> 0);
}

const rfc3339 = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
