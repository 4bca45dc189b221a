/** Decompression that gives out everything up to where its input is cut short or damaged. */
import { once } from 'node:events';
import { ReadableStream } from 'node:stream/web';
import { createGunzip, createZstdDecompress } from 'node:zlib';
// A CommonJS bundle whose exports Node cannot name.
import xz from 'xz-decompress';
import { MissingError } from '../../core/errors.ts';

export type Compression = 'gzip' | 'xz' | 'zstd';

const magic: Readonly<Record<Compression, readonly number[]>> = {
  gzip: [0x1f, 0x8b],
  xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
};

/** How the first bytes say that a file is compressed. */
export function compressionOf(head: Uint8Array): Compression | undefined {
  const names = Object.keys(magic) as Compression[]; // the keys of the table above
  return names.find((name) => magic[name].every((byte, i) => head[i] === byte));
}

export async function* decompress(
  chunks: AsyncIterable<Uint8Array>,
  compression: Compression,
  name: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* compression === 'xz' ? unxz(chunks) : inflate(chunks, compression);
  } catch (error) {
    if (!(error instanceof Error) || !isCorruption(error)) throw error;
    throw new MissingError('partial', `${name}: ${said(error)}`, { cause: error });
  }
}

// What else goes wrong, in reading, has a code of the operating system.
function isCorruption(error: Error & { readonly code?: unknown }): boolean {
  return error.code === undefined || `${error.code}`.startsWith('Z');
}

// xz-decompress knows numbers only; 8 stands for an input that ended too early.
function said(error: Error & { readonly code?: unknown }): string {
  if (error.code !== undefined) return error.message;
  return error.message.endsWith('code 8') ? 'unexpected end of file' : 'damaged xz data';
}

// Only one xz stream is decoded at a time: the library serialises them. Readable.toWeb() would feed it
// on after it has ended.
function unxz(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return new xz.XzReadableStream(ReadableStream.from(chunks));
}

/**
 * A failing zlib stream drops what it had decompressed already, so that where a truncated archive ends
 * would depend on timing. Each chunk of input is therefore waited for, and its output given out first.
 */
async function* inflate(chunks: AsyncIterable<Uint8Array>, compression: 'gzip' | 'zstd') {
  const engine = compression === 'gzip' ? createGunzip() : createZstdDecompress();
  const output: Uint8Array[] = [];
  let failure: Error | undefined;
  let fed = 0;
  engine.on('data', (chunk: Uint8Array) => output.push(chunk));
  const over = once(engine, 'end').catch((error: Error) => {
    failure = error;
  });
  const isOver = over.then(() => true);
  try {
    for await (const chunk of chunks) {
      fed += chunk.byteLength;
      const written = new Promise<false>((resolve) => engine.write(chunk, () => resolve(false)));
      const ended = await Promise.race([isOver, written]);
      yield* output.splice(0);
      if (failure) throw failure;
      if (ended) break;
    }
    engine.end();
    await over;
    yield* output.splice(0);
    if (failure) throw failure;
  } finally {
    engine.destroy();
  }
  // Node reads the first frame only; a silent end would be taken for the whole.
  if (compression === 'zstd' && engine.bytesWritten < fed) {
    throw Object.assign(new Error('only the first of several zstd frames can be read'), {
      code: 'Z_FRAMES',
    });
  }
}
