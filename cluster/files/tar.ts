/** A tar archive as an input: read from its beginning for its names, and again for its files. */
import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { KnownError, MissingError } from '../../core/errors.ts';
import type { Access, Entry, File, Files } from './files.ts';
import { below, list } from './files.ts';
import { bounded } from './limits.ts';

/** Where the unpacked bytes come from, as often as they are asked for. */
export interface Bytes {
  readonly name: string;
  open(): AsyncIterable<Uint8Array>;
}

/** How the first bytes say that this is a tar archive. */
export function isTar(head: Uint8Array): boolean {
  return new TextDecoder().decode(head.subarray(257, 262)) === 'ustar';
}

export async function openTar(bytes: Bytes, access: Access): Promise<Files> {
  const { name } = bytes;
  const listed = await list(name, unpack(bytes, access), access);
  return {
    ...listed,
    form: 'archive',
    async *read(wanted) {
      try {
        for await (const { path, folder, chunks } of unpack(bytes, access)) {
          if (!folder && wanted(path)) yield { path, chunks };
        }
      } catch (error) {
        // The list has found the same end; what lies beyond is just not there.
        if (!(error instanceof MissingError)) throw error;
      }
    },
  };
}

async function* unpack(bytes: Bytes, { limits, signal }: Access): AsyncGenerator<Entry & File> {
  const { name } = bytes;
  let failure: unknown;
  // An error of the source would destroy what is unpacked already: let the archive just end there.
  const source = Readable.from(
    untilFailure(bounded(bytes.open(), name, { limit: limits.unpacked, signal }), (error) => {
      failure = error;
    }),
  );
  const entries = source.pipe(extract());
  try {
    for await (const entry of entries) {
      const { type = 'file', name: path } = entry.header;
      const folder = type === 'directory';
      const kept = below(path);
      if (kept !== undefined && (folder || type === 'file' || type === 'contiguous-file')) {
        const chunks = entry as AsyncIterable<Uint8Array>; // its stream's type says unknown
        yield { path: kept, folder, chunks: whole(chunks, `${name}:${kept}`, () => failure) };
      }
      entry.resume();
    }
  } catch (error) {
    throw explained(failure ?? error, name);
  } finally {
    source.destroy();
    entries.destroy();
  }
  if (failure !== undefined) throw failure;
}

async function* untilFailure<T>(source: AsyncIterable<T>, onFailure: (error: unknown) => void) {
  try {
    yield* source;
  } catch (error) {
    onFailure(error);
  }
}

async function* whole(
  chunks: AsyncIterable<Uint8Array>,
  place: string,
  failure: () => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw explained(failure() ?? error, place);
  }
}

/** tar-stream's own errors say that the archive is cut short or damaged. */
function explained(error: unknown, place: string): unknown {
  if (error instanceof KnownError || error instanceof MissingError) return error;
  if (!(error instanceof Error) || error.name === 'AbortError') return error;
  return new MissingError('partial', `${place}: ${error.message.toLowerCase()}`, { cause: error });
}
