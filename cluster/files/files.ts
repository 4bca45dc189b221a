/** What an input holds: the paths below its root and, on request, the content of some of them. */
import { KnownError, MissingError } from '../../core/errors.ts';
import type { Limits } from './limits.ts';

export interface Files {
  /** As the user wrote it. */
  readonly name: string;
  readonly form: 'directory' | 'archive' | 'file';
  /** The files, sorted; a single file has its own name as its only path. Links are not among them. */
  readonly paths: readonly string[];
  /** The folders above the files, and empty ones that the input mentions. */
  readonly folders: ReadonlySet<string>;
  /** Why the input ends before its end, where it does: what it held beyond is not known. */
  readonly damage?: string;
  /** In the input's own order, one after the other: a file is over when the next one is asked for. */
  read(wanted: (path: string) => boolean): AsyncIterable<File>;
}

/** Chunks end in a MissingError when the rest of the file cannot be had. */
export interface File {
  readonly path: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface Access {
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
}

/** An entry of an archive or directory; links, devices and pipes are none. */
export interface Entry {
  readonly path: string;
  readonly folder: boolean;
}

/** Collects the names in an input, up to where it ends. */
export async function list(name: string, entries: AsyncIterable<Entry>, { limits }: Access) {
  const paths = new Set<string>();
  const folders = new Set<string>();
  let count = 0;
  let damage: string | undefined;
  try {
    for await (const { path, folder } of entries) {
      count += 1;
      if (count > limits.entries) throw tooMany(name, limits.entries);
      if (!folder) paths.add(path);
      for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
        folders.add(path.slice(0, at));
      }
      if (folder) folders.add(path);
    }
  } catch (error) {
    if (!(error instanceof MissingError)) throw error;
    damage = error.message;
  }
  return { name, paths: [...paths].sort(), folders, ...(damage !== undefined && { damage }) };
}

function tooMany(name: string, limit: number): KnownError {
  return new KnownError('UNREADABLE_INPUT', `${name}: holds more than ${limit} files`);
}

/** Where a path of an input is, as a person would look for it. */
export function place(files: Files, path: string): string {
  if (files.form === 'file') return files.name;
  return files.form === 'directory'
    ? `${files.name.replace(/\/$/, '')}/${path}`
    : `${files.name}:${path}`;
}

/** A path below the root, normalised; undefined for one that leads elsewhere: it is not read. */
export function below(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path) || parts.includes('..')) return undefined;
  return parts.length === 0 ? undefined : parts.join('/');
}
