/** Writes objects as an API server writes Protobuf, by the shapes that they are read with. */
import { Writer } from 'protobufjs/minimal.js';
import type { Field, Shape } from '../core/shape.ts';

type Fields = Readonly<Record<string, unknown>>;

const tag = (n: number, wireType: number) => (n << 3) | wireType;

export const bytesField = (n: number, value: Uint8Array) =>
  new Writer().uint32(tag(n, 2)).bytes(value).finish();

export const textField = (n: number, value: string) => bytesField(n, Buffer.from(value));

/** What stands around every object on the wire. */
export function wrapped(object: Uint8Array): Buffer {
  const type = Buffer.concat([textField(1, 'v1'), textField(2, 'List')]);
  // Kubernetes writes the empty encoding and content type behind the object.
  const unknown = [bytesField(1, type), bytesField(2, object), textField(3, ''), textField(4, '')];
  return Buffer.concat([Buffer.from('k8s\0'), ...unknown]);
}

/** A page of objects, which are given as in JSON. */
export function writePage(shape: Shape, items: readonly Fields[], token = ''): Buffer {
  const metadata = Buffer.concat([textField(2, '1234'), textField(3, token)]);
  const written = items.map((item) => bytesField(2, writeFields(shape, item)));
  return wrapped(Buffer.concat([bytesField(1, metadata), ...written]));
}

function writeFields(shape: Shape, fields: Fields): Buffer {
  return Buffer.concat(
    Object.entries(shape).map(([name, field]) =>
      field.type === 'inline'
        ? bytesField(field.n, writeFields(field.shape, fields))
        : writeField(field, fields[name]),
    ),
  );
}

function writeField(field: Exclude<Field, { type: 'inline' }>, value: unknown): Uint8Array {
  const { n } = field;
  if (value === undefined || value === null) return writeAbsent(field);
  switch (field.type) {
    case 'text':
      return textField(n, String(value));
    case 'int':
    case 'optionalInt':
      return new Writer().uint32(tag(n, 0)).int64(Number(value)).finish();
    case 'bool':
    case 'optionalBool':
      return new Writer().uint32(tag(n, 0)).bool(Boolean(value)).finish();
    case 'time':
      return bytesField(n, seconds(Date.parse(String(value)) / 1000));
    case 'intOrString':
      return bytesField(
        n,
        typeof value === 'number' ? intValue(value) : stringValue(String(value)),
      );
    case 'presence':
      return bytesField(n, textField(1, 'what stays in the cluster'));
    case 'texts':
      return Buffer.concat((value as string[]).map((text) => textField(n, text)));
    case 'textMap':
      return writeMap(n, value, (text) => textField(2, text));
    case 'timeMap':
      return writeMap(n, value, (text) => bytesField(2, seconds(Date.parse(text) / 1000)));
    case 'quantityMap':
      return writeMap(n, value, (text) => bytesField(2, textField(1, text)));
    case 'list':
      return Buffer.concat(
        (value as Fields[]).map((item) => bytesField(n, writeFields(field.shape, item))),
      );
    case 'object':
      return bytesField(n, writeFields(field.shape, value as Fields));
    default:
      return field satisfies never;
  }
}

function writeMap(n: number, value: object, write: (text: string) => Uint8Array): Uint8Array {
  return Buffer.concat(
    Object.entries(value).map(([key, text]) =>
      bytesField(n, Buffer.concat([textField(1, key), write(text)])),
    ),
  );
}

/** Go writes the zero of what is not a pointer. */
function writeAbsent(field: Exclude<Field, { type: 'inline' }>): Uint8Array {
  switch (field.type) {
    case 'text':
      return textField(field.n, '');
    case 'int':
    case 'bool':
      return new Writer().uint32(tag(field.n, 0)).bool(false).finish();
    case 'time':
      return bytesField(field.n, Buffer.of());
    case 'object':
      return field.kept ? Buffer.of() : bytesField(field.n, writeFields(field.shape, {}));
    default:
      return Buffer.of();
  }
}

const seconds = (value: number) => new Writer().uint32(tag(1, 0)).int64(value).finish();

const intValue = (value: number) =>
  new Writer().uint32(8).int32(0).uint32(16).int32(value).uint32(26).string('').finish();

const stringValue = (value: string) =>
  new Writer().uint32(8).int32(1).uint32(16).int32(0).uint32(26).string(value).finish();
