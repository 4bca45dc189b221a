/** Decodes what the API server writes as Protobuf, straight into the projected shapes. */
import { Reader } from 'protobufjs/minimal.js';
import { MissingError } from '../core/errors.ts';
import type { Projected, Shape } from '../core/shape.ts';
import { text } from '../core/shape.ts';
import type { Intern } from './intern.ts';
import { asWritten } from './intern.ts';
import type { Decode, Narrow } from './protobuf-fields.ts';
import { compile, tagOf, wireTypes } from './protobuf-fields.ts';

export const protobufType = 'application/vnd.kubernetes.protobuf';

/** Four bytes, then a runtime.Unknown that wraps the object. */
const magic = Buffer.from('k8s\0');
const rawField = 2;

/** The bytes of the object itself. */
function unwrap(body: Buffer): Buffer {
  if (!body.subarray(0, 4).equals(magic)) throw malformed('the magic bytes are missing');
  const raw = fieldOf(body.subarray(4), rawField);
  if (!raw) throw malformed('there is no object in it');
  return raw;
}

/** The bytes of the first field of this number, without a copy: a page is many megabytes. */
function fieldOf(message: Buffer, field: number): Buffer | undefined {
  return understood(() => {
    const reader = Reader.create(message);
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === tagOf(field, wireTypes.bytes)) {
        const { buffer, byteOffset, length } = reader.bytes();
        return Buffer.from(buffer, byteOffset, length);
      }
      reader.skipType(tag & 7);
    }
    return undefined;
  });
}

/** Whatever the bytes are, the worst that comes of them is a MissingError. */
function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw malformed('it breaks off or is no Protobuf', cause);
  }
}

const malformed = (what: string, cause?: unknown) =>
  new MissingError('malformed', `answer not understood: ${what}`, { cause });

const listMeta = { continue: text(3) } satisfies Shape;
const metadataField = 1;

/** The token of the next page, without building a single object: it stands before the items. */
export function decodeContinue(body: Buffer): string | undefined {
  const metadata = fieldOf(unwrap(body), metadataField);
  return metadata && decodeAs(metadata, listMeta).continue;
}

interface ItemType<S extends Shape> {
  readonly shape: S;
  readonly narrow?: Narrow;
}

/** The objects of a page. */
export function decodeItems<S extends Shape>(
  body: Buffer,
  { shape, narrow }: ItemType<S>,
  intern: Intern,
): readonly Projected<S>[] {
  const decode = decoderOf(shape, narrow);
  return understood(() => {
    const reader = Reader.create(unwrap(body));
    const items: Projected<S>[] = [];
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag !== itemsTag) reader.skipType(tag & 7);
      else {
        const length = reader.uint32();
        items.push(decode(reader, reader.pos + length, intern) as Projected<S>); // of this very shape
      }
    }
    return items;
  });
}

const itemsTag = tagOf(2, wireTypes.bytes);

const status = { message: text(3), reason: text(4) } satisfies Shape;

/** The reason of a refusal. */
export function decodeStatus(body: Buffer): Projected<typeof status> {
  return decodeAs(unwrap(body), status);
}

const decoders = new WeakMap<Shape | Narrow, Decode>();

function decoderOf(shape: Shape, narrow?: Narrow): Decode {
  const key = narrow ?? shape;
  const decode = decoders.get(key) ?? compile(shape, narrow);
  decoders.set(key, decode);
  return decode;
}

function decodeAs<S extends Shape>(bytes: Buffer, shape: S): Projected<S> {
  const decode = decoderOf(shape);
  return understood(() => {
    const reader = Reader.create(bytes);
    return decode(reader, reader.len, asWritten) as Projected<S>; // compiled from this very shape
  });
}
