/** Writes a snapshot to a file from which it can be read again: one line for each object, no Secret among them. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import { KnownError } from '../core/errors.ts';
import type { Kind } from '../core/kinds.ts';
import { kindNames } from '../core/kinds.ts';
import type { Listing, Snapshot } from '../core/snapshot.ts';
import type { Header } from './archive/snapshot-header.ts';
import { fieldsOf, formatName, formatVersion } from './archive/snapshot-header.ts';

export interface RecordOptions {
  /** Who writes, such as `ha-compliance 0.1.0`. */
  readonly tool: string;
  readonly signal?: AbortSignal | undefined;
}

/** `.zst` and `.gz` are compressed. The file is there when it is whole, or not at all. */
export async function writeSnapshot(
  path: string,
  snapshot: Snapshot,
  { tool, signal }: RecordOptions,
): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.tmp`;
  try {
    await pipeline(
      Readable.from(batches(linesOf(snapshot, tool))),
      compressorFor(path),
      createWriteStream(unfinished, { flags: 'wx', flush: true }),
      { signal },
    );
    await rename(unfinished, path);
  } catch (cause) {
    // Where nothing could be written there is nothing to remove; the first error is the one to tell.
    await rm(unfinished, { force: true }).catch(() => undefined);
    signal?.throwIfAborted();
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `${path}: the snapshot could not be written: ${why}`;
    throw new KnownError('UNWRITABLE_OUTPUT', message, { cause });
  }
}

function compressorFor(path: string): Transform {
  if (path.endsWith('.zst')) return createZstdCompress();
  if (path.endsWith('.gz')) return createGzip();
  return new Transform({ transform: (chunk, _, done) => done(null, chunk) });
}

function* linesOf(snapshot: Snapshot, tool: string): Generator<string> {
  const { listings, ...rest } = snapshot;
  const kinds = kindNames.filter((kind) => listings[kind]);
  const header: Header = {
    format: formatName,
    version: formatVersion,
    tool,
    ...rest,
    listings: Object.fromEntries(
      kinds.flatMap((kind) => {
        const listing = listings[kind];
        return listing ? [[kind, summary(kind, listing)]] : [];
      }),
    ),
  };
  yield `${JSON.stringify(header)}\n`;
  for (const kind of kinds) {
    const listing = listings[kind];
    if (listing?.state !== 'read') continue;
    for (const object of listing.objects) yield `${JSON.stringify([kind, object])}\n`;
  }
}

function summary(kind: Kind, listing: Listing): Header['listings'][string] {
  if (listing.state !== 'read') return listing;
  const { objects, gaps } = listing;
  return { state: 'read', objects: objects.length, fields: fieldsOf(kind), gaps: [...gaps] };
}

/** A stream is slow in single lines. */
function* batches(lines: Iterable<string>): Generator<string> {
  let batch = '';
  for (const line of lines) {
    batch += line;
    if (batch.length < 65_536) continue;
    yield batch;
    batch = '';
  }
  yield batch;
}
