/** Reads a recording of whatever format into a Snapshot. The formats are the files *.format.ts beside this one. */
import { readdir } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { KnownError } from '../../core/errors.ts';
import type { Kind } from '../../core/kinds.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import type { Files } from '../files/files.ts';
import type { Limits } from '../files/limits.ts';
import { defaultLimits } from '../files/limits.ts';
import { openFiles } from '../files/open.ts';
import { clusterDataOf } from './cluster-data.ts';
import type { Format } from './format.ts';
import { readingOf } from './format.ts';

export interface RecordingOptions {
  readonly kinds: readonly Kind[];
  readonly signal?: AbortSignal | undefined;
  /** What the path `-` stands for. */
  readonly stdin?: Readable | undefined;
  readonly limits?: Partial<Limits>;
  /** Hears what a person should know of the reading and no check depends on. */
  readonly notice?: (message: string) => void;
}

/** Several paths are one input. Throws KnownError when there is nothing to read in one of them. */
export async function readRecording(
  paths: readonly string[],
  { kinds, signal, stdin, notice = () => {}, ...options }: RecordingOptions,
): Promise<Snapshot> {
  const limits = { ...defaultLimits, ...options.limits };
  const formats = await findFormats();
  const inputs: { readonly files: Files; readonly format: Format }[] = [];
  for (const path of paths) {
    const files = await openFiles(path, { limits, signal, stdin });
    inputs.push({ files, format: await recognize(files, formats) });
  }
  const [first] = inputs;
  if (!first) throw new KnownError('UNREADABLE_INPUT', 'no recording is named');
  const other = inputs.find(({ format }) => format !== first.format);
  if (other) {
    const message = `${described(first)} and ${described(other)} cannot be read as one input`;
    throw new KnownError('UNREADABLE_INPUT', message);
  }
  const all = inputs.map(({ files }) => files);
  try {
    const snapshot = await first.format.read(all, { kinds, limits, signal, notice });
    const jobData = await clusterDataOf(all, { limits, signal });
    return jobData ? { ...snapshot, jobData } : snapshot;
  } catch (error) {
    if (!signal?.aborted) throw error;
    return cutShort(first.format, all, kinds);
  }
}

/** What is read only in part is not read at all: a file may hold any namespace. */
function cutShort(
  { inputKind }: Format,
  inputs: readonly Files[],
  kinds: readonly Kind[],
): Snapshot {
  const listing = { state: 'missing', cause: 'timeout', detail: 'were cut short' } as const;
  return {
    ...readingOf(inputKind, inputs),
    complete: false,
    listings: Object.fromEntries(kinds.map((kind) => [kind, listing])),
  };
}

const described = (input: { readonly files: Files; readonly format: Format }) =>
  `${input.files.name} (${input.format.name})`;

async function findFormats(): Promise<readonly Format[]> {
  // In a checkout they are .ts files, in the published package the .js files made from them.
  const ending = `.format${import.meta.filename.slice(-3)}`;
  const names = (await readdir(import.meta.dirname)).filter((name) => name.endsWith(ending)).sort();
  const modules: readonly { readonly format: Format }[] = await Promise.all(
    names.map((name) => import(`./${name}`)),
  );
  return modules.map(({ format }) => format);
}

/** Of several, the one whose root is nearest: a gather-extra may hold an inspected tree. */
async function recognize(files: Files, formats: readonly Format[]): Promise<Format> {
  const found: { readonly format: Format; readonly depth: number }[] = [];
  for (const format of formats) {
    const depth = await format.recognizes(files);
    if (depth !== undefined) found.push({ format, depth });
  }
  const [nearest] = found.sort((a, b) => a.depth - b.depth);
  if (nearest) return nearest.format;
  const known = formats.map(({ name }) => name).join(', ');
  const why = files.damage ?? `${files.name}: holds nothing of what can be read: ${known}`;
  throw new KnownError('UNREADABLE_INPUT', why);
}
