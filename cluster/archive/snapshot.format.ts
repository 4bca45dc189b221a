/** Our own snapshots, as record.ts writes them: a header, then one line for each object. */
import { KnownError, MalformedError, MissingError } from '../../core/errors.ts';
import type { Kind, ObjectOf } from '../../core/kinds.ts';
import { readObject } from '../../core/read.ts';
import type { Gap, Listing, Listings, Snapshot } from '../../core/snapshot.ts';
import type { Compression } from '../files/decompress.ts';
import { decompress } from '../files/decompress.ts';
import type { Files } from '../files/files.ts';
import { place } from '../files/files.ts';
import type { Limits } from '../files/limits.ts';
import { bounded } from '../files/limits.ts';
import { lines, startOf } from '../files/lines.ts';
import type { Format, Request } from './format.ts';
import type { Header } from './snapshot-header.ts';
import { fieldsOf, opening, parseHeader } from './snapshot-header.ts';
import { isMap, mapAt, textAt } from './values.ts';

export const format: Format = {
  name: 'recorded snapshot',
  inputKind: 'snapshot',
  async recognizes(files) {
    const depths = (await snapshotsIn(files)).map(({ path }) => path.split('/').length - 1);
    return depths.length === 0 ? undefined : Math.min(...depths);
  },
  async read(inputs, request) {
    const found = (await Promise.all(inputs.map(snapshotsIn))).flat();
    const [first, second] = found;
    if (first && !second) return readSnapshot(first, request);
    const names = found.map(({ files, path }) => place(files, path)).join(' and ');
    const message = `${names}: of recorded snapshots only one can be read at a time`;
    throw new KnownError('UNREADABLE_INPUT', message);
  },
};

/** A file of an input. */
interface Place {
  readonly files: Files;
  readonly path: string;
}

/** By itself it may be called anything; beside others only what has such a name is looked into. */
async function snapshotsIn(files: Files): Promise<readonly Place[]> {
  const isAlone = files.paths.length === 1;
  const places = files.paths
    .filter((path) => isAlone || /\.(?:ndjson|zst)(?:\.(?:gz|zst))?$/.test(path))
    .map((path) => ({ files, path }));
  const found: Place[] = [];
  for (const one of places) {
    if ((await startOf(chunksOf(one), opening.length)) === opening) found.push(one);
  }
  return found;
}

/** What was not unpacked when the input was opened is compressed as its name says. */
async function* chunksOf({ files, path }: Place): AsyncGenerator<Uint8Array> {
  for await (const { chunks } of files.read((one) => one === path)) {
    const ending = files.form === 'file' ? '' : path.slice(path.lastIndexOf('.'));
    const compression = compressions[ending];
    yield* compression ? decompress(chunks, compression, place(files, path)) : chunks;
  }
}

const compressions: Readonly<Record<string, Compression>> = { '.gz': 'gzip', '.zst': 'zstd' };

async function readSnapshot(at: Place, { kinds: wanted, limits }: Request): Promise<Snapshot> {
  const name = place(at.files, at.path);
  let header: Header | undefined;
  let count = 0;
  const found = new Map<string, Found>(wanted.map((kind) => [kind, { objects: [], gaps: [] }]));
  try {
    for await (const line of linesOf(at, limits)) {
      if (!header) {
        header = parseHeader(line, name);
        continue;
      }
      const kind = /^\["(\w+)",/.exec(line)?.[1] ?? '';
      const ofKind = found.get(kind);
      // The table of kinds has the wanted ones; the others are only counted.
      if (ofKind && !take(kind as Kind, line, ofKind)) break;
      count += 1;
    }
  } catch (error) {
    if (!(error instanceof MissingError)) throw error;
  }
  if (!header) {
    throw new KnownError('UNREADABLE_INPUT', `${name}: is cut short in its first line`);
  }
  const { listings, input, tool: _, format: __, version: ___, complete, ...rest } = header;
  const expected = Object.values(listings).map((each) =>
    each.state === 'read' ? each.objects : 0,
  );
  return {
    ...rest,
    // What was live is live no more: nothing can be asked again.
    input: { ...input, kind: input.kind === 'live' ? 'snapshot' : input.kind },
    complete: complete && count === expected.reduce((sum, n) => sum + n, 0),
    listings: Object.fromEntries(
      wanted.map((kind) => [kind, listingOf(kind, header, found.get(kind))]),
    ) as Listings, // each kind with its own objects
  };
}

interface Found {
  readonly objects: ObjectOf<Kind>[];
  readonly gaps: Gap[];
}

function linesOf(at: Place, { unpacked: limit }: Limits): AsyncGenerator<string> {
  const name = place(at.files, at.path);
  return lines(bounded(chunksOf(at), name, { limit }), name);
}

/** False when the line is damaged, and with it all that follows. */
function take(kind: Kind, line: string, { objects, gaps }: Found): boolean {
  const raw = objectIn(line);
  if (raw === undefined) return false;
  try {
    const type = { apiVersion: textAt(raw, 'apiVersion') ?? '', kind: textAt(raw, 'kind') ?? '' };
    objects.push(readObject(kind, raw, type));
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    const namespace = textAt(mapAt(raw, 'metadata'), 'namespace');
    const detail = `cannot be read: ${error.message}`;
    gaps.push({ ...(namespace !== undefined && { namespace }), cause: 'malformed', detail });
  }
  return true;
}

function objectIn(line: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return Array.isArray(parsed) && isMap(parsed[1]) ? parsed[1] : undefined;
  } catch {
    return undefined;
  }
}

function listingOf(kind: Kind, { listings, tool }: Header, found: Found | undefined): Listing {
  const recorded = listings[kind];
  const { objects, gaps } = found ?? { objects: [], gaps: [] };
  if (!recorded) {
    return { state: 'missing', cause: 'not collected', detail: 'were not recorded' };
  }
  if (recorded.state !== 'read') return recorded;
  if (recorded.fields !== fieldsOf(kind)) {
    const detail = `were recorded by ${tool}, which kept other fields of them`;
    return { state: 'missing', cause: 'not collected', detail };
  }
  const known = objects.length + gaps.length;
  const detail = `are cut short: ${known} of ${recorded.objects} are in the snapshot`;
  const cut = known < recorded.objects ? [{ cause: 'partial', detail } as const] : [];
  return { state: 'read', objects, gaps: [...gaps, ...recorded.gaps, ...cut] };
}
