/** Opens a directory, an archive, a compressed or plain file or stdin, told apart by their first bytes. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { addAbortSignal } from 'node:stream';
import { describe, KnownError, MissingError } from '../../core/errors.ts';
import { compressionOf, decompress } from './decompress.ts';
import { openDirectory } from './directory.ts';
import type { Access, Files } from './files.ts';
import { bounded } from './limits.ts';
import { openSingle } from './single.ts';
import type { Bytes } from './tar.ts';
import { isTar, openTar } from './tar.ts';
import { isZip, openZip } from './zip.ts';

/** `-` is stdin. What the path itself leads to is followed, being the user's word; nothing below it is. */
export async function openFiles(
  path: string,
  access: Access & { readonly stdin?: Readable | undefined },
): Promise<Files> {
  if (path === '-') {
    if (!access.stdin) throw unreadable(path, 'there is no standard input');
    return openBytes(await buffered('stdin', access.stdin, access), access);
  }
  const found = await stat(path).catch((cause) => {
    throw unreadable(path, cause?.code === 'ENOENT' ? 'no such file or directory' : said(cause));
  });
  if (found.isDirectory()) return openDirectory(path, access);
  if (!found.isFile()) {
    return openBytes(await buffered(path, createReadStream(path), access), access);
  }
  const bytes = { name: path, open: () => createReadStream(path) };
  if (isZip(await headOf(bytes))) return openZip(path, access);
  return openBytes(bytes, access);
}

async function openBytes(bytes: Bytes, access: Access): Promise<Files> {
  const compression = compressionOf(await headOf(bytes));
  const { name } = bytes;
  const unpacked = compression
    ? { name, open: () => decompress(bytes.open(), compression, name) }
    : bytes;
  const head = await headOf(unpacked);
  if (isTar(head)) return openTar(unpacked, access);
  if (head.includes(0)) throw unreadable(name, 'is neither text nor an archive that can be read');
  return openSingle(unpacked, access);
}

/** A pipe can be read once: it is kept, as much as a file may hold. */
async function buffered(name: string, stream: Readable, access: Access): Promise<Bytes> {
  const { signal, limits } = access;
  const source = signal ? addAbortSignal(signal, stream) : stream;
  const chunks = await Array.fromAsync(bounded(source, name, { limit: limits.file, signal }));
  return {
    name,
    open: async function* () {
      yield* chunks;
    },
  };
}

/** The first block of a tar archive, or what there is. */
async function headOf(bytes: Bytes): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of bytes.open()) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= 512) break;
    }
  } catch (error) {
    if (size === 0) throw unreadable(bytes.name, said(error), error);
  }
  return Buffer.concat(chunks).subarray(0, 512);
}

function said(error: unknown): string {
  if (error instanceof MissingError) return error.message;
  return error instanceof Error ? error.message : describe(error);
}

function unreadable(path: string, why: string, cause?: unknown): KnownError {
  const message = why.startsWith(`${path}: `) ? why : `${path}: ${why}`;
  return new KnownError('UNREADABLE_INPUT', message, { cause });
}
