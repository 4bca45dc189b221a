/** One file that is no archive as an input. */
import { basename } from 'node:path';
import type { Access, Files } from './files.ts';
import { bounded } from './limits.ts';
import type { Bytes } from './tar.ts';

export function openSingle(bytes: Bytes, { limits, signal }: Access): Files {
  const path = basename(bytes.name);
  const options = { limit: limits.unpacked, signal };
  return {
    name: bytes.name,
    form: 'file',
    paths: [path],
    folders: new Set(),
    async *read(wanted) {
      if (wanted(path)) yield { path, chunks: bounded(bytes.open(), bytes.name, options) };
    },
  };
}
