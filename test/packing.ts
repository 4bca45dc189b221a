/** Makes archives for tests: tar, zip and xz, whole or with what a hostile one would hold. */
import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import type { Header } from 'tar-stream';
import { pack } from 'tar-stream';

export interface Member {
  readonly path: string;
  readonly content?: string | Uint8Array;
  readonly type?: Header['type'];
  readonly target?: string;
}

/** The members of an archive, from paths and contents. */
export function members(files: Readonly<Record<string, string>>): readonly Member[] {
  return Object.entries(files).map(([path, content]) => ({ path, content }));
}

export async function tar(content: readonly Member[]): Promise<Buffer> {
  const archive = pack();
  const written = buffer(archive as AsyncIterable<Uint8Array> as NodeJS.ReadableStream); // streamx's own
  for (const { path, content: text = '', type = 'file', target } of content) {
    const header = { name: path, type, ...(target !== undefined && { linkname: target }) };
    archive.entry(header, Buffer.from(text));
  }
  archive.finalize();
  return written;
}

export function zip(content: readonly Member[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { path, content: text = '', type = 'file', target } of content) {
    const plain = Buffer.from(target ?? text);
    const packed = deflateRawSync(plain);
    const name = Buffer.from(type === 'directory' ? `${path}/` : path);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2); // names are UTF-8
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(plain), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(plain.length, 18);
    common.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    const mode = type === 'symlink' ? 0o120777 : type === 'directory' ? 0o040755 : 0o100644;
    tail.writeUInt32LE(mode * 0x10000, 6);
    tail.writeUInt32LE(offset, 10);
    const here = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed]);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), common, tail, name]));
    local.push(here);
    offset += here.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(content.length, 8);
  end.writeUInt16LE(content.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}

/** The xz format with its data stored as it is. */
export function xz(data: Uint8Array): Buffer {
  const flags = Buffer.from([0, 1]);
  const block = sealed(Buffer.from([2, 0, 0x21, 1, 0x16, 0, 0, 0]));
  const chunks: Buffer[] = [];
  for (let at = 0; at < data.length; at += 0x10000) {
    const part = data.subarray(at, at + 0x10000);
    const size = part.length - 1;
    chunks.push(Buffer.from([at === 0 ? 1 : 2, size >> 8, size & 0xff]), Buffer.from(part));
  }
  const packed = Buffer.concat([...chunks, Buffer.from([0])]);
  const record = [...varint(block.length + packed.length + 4), ...varint(data.length)];
  const index = sealed(padded(Buffer.from([0, 1, ...record])));
  const backward = Buffer.alloc(4);
  backward.writeUInt32LE(index.length / 4 - 1);
  const footer = Buffer.concat([backward, flags]);
  return Buffer.concat([
    Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]),
    sealed(flags),
    block,
    padded(packed),
    checksum(data),
    index,
    checksum(footer),
    footer,
    Buffer.from('YZ'),
  ]);
}

const checksum = (data: Uint8Array) => {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(data));
  return sum;
};
const sealed = (data: Buffer) => Buffer.concat([data, checksum(data)]);
const padded = (data: Buffer) => Buffer.concat([data, Buffer.alloc(-data.length & 3)]);

function varint(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 0x80))];
}
