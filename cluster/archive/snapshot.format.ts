/** Our own snapshots, as record.ts writes them: a header, then one line for each object. */
import { KnownError, MalformedError, MissingError } from '../../core/errors.ts';
import type { Kind, ObjectOf } from '../../core/kinds.ts';
import { readObject } from '../../core/read.ts';
import type { Gap, Listing, Listings, Snapshot } from '../../core/snapshot.ts';
import type { Files } from '../files/files.ts';
import { lines, startOf } from '../files/lines.ts';
import type { Format, Request } from './format.ts';
import type { Header } from './snapshot-header.ts';
import { fieldsOf, opening, parseHeader } from './snapshot-header.ts';
import { isMap, mapAt, textAt } from './values.ts';

export const format: Format = {
  name: 'recorded snapshot',
  inputKind: 'snapshot',
  async recognizes(files) {
    if (files.form !== 'file') return undefined;
    for await (const { chunks } of files.read(() => true)) {
      if ((await startOf(chunks, opening.length)) === opening) return 0;
    }
    return undefined;
  },
  async read(inputs, request) {
    const [files, second] = inputs;
    if (files && !second) return readSnapshot(files, request);
    const names = inputs.map(({ name }) => name).join(' and ');
    const message = `${names}: of recorded snapshots only one can be read at a time`;
    throw new KnownError('UNREADABLE_INPUT', message);
  },
};

async function readSnapshot(files: Files, { kinds: wanted }: Request): Promise<Snapshot> {
  let header: Header | undefined;
  let count = 0;
  const found = new Map<string, Found>(wanted.map((kind) => [kind, { objects: [], gaps: [] }]));
  try {
    for await (const line of linesOf(files)) {
      if (!header) {
        header = parseHeader(line, files.name);
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
    throw new KnownError('UNREADABLE_INPUT', `${files.name}: is cut short in its first line`);
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

async function* linesOf(files: Files): AsyncGenerator<string> {
  for await (const { chunks } of files.read(() => true)) yield* lines(chunks, files.name);
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
