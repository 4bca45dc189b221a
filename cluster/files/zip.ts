/** A zip archive as an input. Its directory stands at the end: one that is cut short cannot be read. */

import type { Entry as ZipEntry, ZipFile } from 'yauzl';
import { getFileNameLowLevel, openPromise } from 'yauzl';
import { KnownError, MissingError } from '../../core/errors.ts';
import type { Access, Entry, File, Files } from './files.ts';
import { below, list } from './files.ts';
import { bounded } from './limits.ts';

/** How the first bytes say that this is a zip archive, be it an empty one. */
export function isZip(head: Uint8Array): boolean {
  const [p, k, third, fourth] = head;
  if (p !== 0x50 || k !== 0x4b) return false;
  return (third === 3 && fourth === 4) || (third === 5 && fourth === 6);
}

export async function openZip(name: string, access: Access): Promise<Files> {
  const listed = await list(name, entriesOf(name, access), access);
  return {
    ...listed,
    form: 'archive',
    async *read(wanted) {
      try {
        for await (const { path, folder, chunks } of entriesOf(name, access)) {
          if (!folder && wanted(path)) yield { path, chunks };
        }
      } catch (error) {
        // The list has found the same end; what lies beyond is just not there.
        if (!(error instanceof MissingError)) throw error;
      }
    },
  };
}

async function* entriesOf(name: string, access: Access): AsyncGenerator<Entry & File> {
  // Names are decoded and judged here: yauzl would give up on the whole archive for one bad name.
  const zip = await openPromise(name, { autoClose: false, decodeStrings: false }).catch((cause) => {
    throw new KnownError('UNREADABLE_INPUT', `${name}: ${said(cause)}`, { cause });
  });
  try {
    for await (const entry of zip.eachEntry()) {
      access.signal?.throwIfAborted();
      const path = below(nameOf(entry));
      if (path === undefined || isLink(entry)) continue;
      const folder = nameOf(entry).endsWith('/');
      yield { path, folder, chunks: content(zip, entry, `${name}:${path}`, access) };
    }
  } catch (cause) {
    if (cause instanceof KnownError || access.signal?.aborted) throw cause;
    throw new MissingError('partial', `${name}: ${said(cause)}`, { cause });
  } finally {
    zip.close();
  }
}

function nameOf(entry: ZipEntry): string {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

// The file type of Unix, in the upper half; zero where the archive was made elsewhere.
function isLink(entry: ZipEntry): boolean {
  const type = (entry.externalFileAttributes >>> 16) & 0o170000;
  return type !== 0 && type !== 0o100000 && type !== 0o040000;
}

async function* content(
  zip: ZipFile,
  entry: ZipEntry,
  place: string,
  { limits, signal }: Access,
): AsyncGenerator<Uint8Array> {
  try {
    const chunks = await zip.openReadStreamPromise(entry);
    yield* bounded(chunks, place, { limit: limits.file, signal });
  } catch (cause) {
    if (cause instanceof KnownError || signal?.aborted) throw cause;
    throw new MissingError('malformed', `${place}: ${said(cause)}`, { cause });
  }
}

function said(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
