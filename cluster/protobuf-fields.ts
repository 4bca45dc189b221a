/** Makes a Protobuf decoder out of a shape: what the shape does not name is skipped, not built. */
import type { Reader } from 'protobufjs/minimal.js';
import type { Field, Shape } from '../core/shape.ts';
import { hidden } from '../core/shape.ts';
import type { Intern } from './intern.ts';

type Fields = Record<string, unknown>;
export type Decode = (reader: Reader, end: number, intern: Intern) => Fields;
type ReadField = (reader: Reader, into: Fields, intern: Intern) => void;

/** The shape of objects of which less is kept than of others. */
export interface Narrow {
  readonly shape: Shape;
  applies(object: object): boolean;
}

/** How a value is written: as a number, or as its length and then so many bytes. */
export const wireTypes = { number: 0, bytes: 2 } as const;

/** What stands before a field's value. */
export const tagOf = (field: number, wireType: number) => (field << 3) | wireType;
const metadataTag = tagOf(1, wireTypes.bytes);

/** With `narrow`, another shape may be chosen once the metadata is read, which is written first. */
export function compile(shape: Shape, narrow?: Narrow): Decode {
  const all = readersOf(shape);
  const few = narrow && readersOf(narrow.shape);
  return (reader, end, intern) => {
    const into: Fields = {};
    let readers = all;
    while (reader.pos < end) {
      const tag = reader.uint32();
      const read = readers[tag];
      if (read) read(reader, into, intern);
      else reader.skipType(tag & 7);
      if (few && tag === metadataTag && narrow.applies(into)) readers = few;
    }
    if (reader.pos > end) throw new RangeError('a field is longer than what it is part of');
    return into;
  };
}

function readersOf(shape: Shape): readonly (ReadField | undefined)[] {
  const readers: (ReadField | undefined)[] = [];
  for (const [name, field] of Object.entries(shape)) {
    readers[tagOf(field.n, wireTypeOf(field))] = fieldReader(name, field);
  }
  return readers;
}

function wireTypeOf({ type }: Field): number {
  const isNumber =
    type === 'int' || type === 'optionalInt' || type === 'bool' || type === 'optionalBool';
  return isNumber ? wireTypes.number : wireTypes.bytes;
}

// As in core's project(): what Kubernetes writes although it is empty is dropped, but for pointers.
function fieldReader(name: string, field: Field): ReadField {
  switch (field.type) {
    case 'text':
      return (reader, into, intern) => {
        const value = hidden(field, readText(reader, intern));
        if (value !== '') into[name] = value;
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
    case 'optionalBool':
      return (reader, into) => {
        into[name] = reader.bool();
      };
    case 'texts':
      return (reader, into, intern) => append(into, name, hidden(field, readText(reader, intern)));
    case 'textMap':
      return entryReader(name, field, readText);
    case 'timeMap':
      return entryReader(name, field, readTime);
    case 'quantityMap':
      return entryReader(name, field, readQuantity);
    case 'presence':
      return (reader, into) => {
        reader.skip(reader.uint32());
        into[name] = true;
      };
    case 'time':
      return (reader, into, intern) => {
        const value = readTime(reader, intern);
        if (value !== '') into[name] = value;
      };
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

const intOrString = {
  type: { type: 'int', n: 1 },
  intVal: { type: 'int', n: 2 },
  strVal: { type: 'text', n: 3 },
} as const;

type Put = (into: Fields, value: Fields, intern: Intern) => void;

function messageReader(decode: Decode, put: Put): ReadField {
  return (reader, into, intern) => {
    const length = reader.uint32();
    put(into, decode(reader, reader.pos + length, intern), intern);
  };
}

function append(into: Fields, name: string, value: unknown): void {
  const values = into[name];
  if (Array.isArray(values)) values.push(value);
  else into[name] = [value];
}

interface MapField {
  readonly keep?: (key: string) => boolean;
}
type ReadValue = (reader: Reader, intern: Intern) => string;

function entryReader(name: string, { keep }: MapField, readValue: ReadValue): ReadField {
  return (reader, into, intern) => {
    const length = reader.uint32();
    const end = reader.pos + length;
    let key = '';
    let value = '';
    while (reader.pos < end) {
      const tag = reader.uint32();
      if (tag === tagOf(1, wireTypes.bytes)) key = readText(reader, intern);
      // A long value of a key that nobody reads is never built.
      else if (tag === tagOf(2, wireTypes.bytes) && (!keep || keep(key))) {
        value = readValue(reader, intern);
      } else reader.skipType(tag & 7);
    }
    if (keep && !keep(key)) return;
    const entries = (into[name] ?? {}) as Record<string, string>;
    entries[key] = value;
    into[name] = entries;
  };
}

const decodeTime = compile({ seconds: { type: 'int', n: 1 } });

function readTime(reader: Reader, intern: Intern): string {
  const length = reader.uint32();
  const { seconds } = decodeTime(reader, reader.pos + length, intern);
  return typeof seconds === 'number' ? intern.time(seconds) : '';
}

const decodeQuantity = compile({ string: { type: 'text', n: 1 } });

function readQuantity(reader: Reader, intern: Intern): string {
  const length = reader.uint32();
  const { string = '' } = decodeQuantity(reader, reader.pos + length, intern);
  return String(string);
}

function readText(reader: Reader, intern: Intern): string {
  const length = reader.uint32();
  const start = reader.pos;
  const end = start + length;
  if (end > reader.len) throw new RangeError('a text is longer than what it is part of');
  reader.pos = end;
  return length === 0 ? '' : intern.text(reader.buf as Buffer, start, end);
}

/** int32 and int64 are one on the wire; beyond 2^53 the last digits are lost, as in JSON. */
function integer(reader: Reader): number {
  const value: number | { readonly low: number; readonly high: number } = reader.int64();
  return typeof value === 'number' ? value : value.high * 2 ** 32 + (value.low >>> 0);
}
