/** A directory as an input: its files at any depth. Symbolic links below it are not followed. */
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MissingError } from '../../core/errors.ts';
import type { Access, Entry, File, Files } from './files.ts';
import { list } from './files.ts';

export async function openDirectory(name: string, access: Access): Promise<Files> {
  const listed = await list(name, walk(name, '', access), access);
  return {
    ...listed,
    form: 'directory',
    async *read(wanted) {
      for (const path of listed.paths) {
        if (wanted(path)) yield readFile(name, path, access);
      }
    },
  };
}

async function* walk(root: string, folder: string, access: Access): AsyncGenerator<Entry> {
  access.signal?.throwIfAborted();
  for (const found of await entriesOf(join(root, folder))) {
    const path = folder === '' ? found.name : `${folder}/${found.name}`;
    if (found.isDirectory()) {
      yield { path, folder: true };
      yield* walk(root, path, access);
    } else if (found.isFile()) {
      yield { path, folder: false };
    }
  }
}

async function entriesOf(path: string) {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    throw unreadable(path, error);
  }
}

function readFile(root: string, path: string, { signal }: Access): File {
  return {
    path,
    chunks: (async function* () {
      const at = join(root, path);
      try {
        // The name may lead elsewhere by now.
        const file = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW);
        yield* file.createReadStream({ signal });
      } catch (error) {
        signal?.throwIfAborted();
        throw unreadable(at, error);
      }
    })(),
  };
}

function unreadable(path: string, cause: unknown): MissingError {
  const why = cause instanceof Error && 'code' in cause ? `${cause.code}` : 'unreadable';
  return new MissingError('not collected', `${path}: cannot be read (${why})`, { cause });
}
