/** The documents of YAML and JSON files, wherever they lie in an input. */
import { KnownError, MissingError } from '../../core/errors.ts';
import type { File, Files } from '../files/files.ts';
import { place } from '../files/files.ts';
import { text } from '../files/text.ts';
import { parseDocuments } from './documents.ts';
import type { Request } from './format.ts';

export interface Document {
  readonly value: unknown;
  readonly where: string;
}

/** A file that was named is read whatever it is called. */
export function isObjectFile(files: Files, path: string): boolean {
  return files.form === 'file' || /\.(ya?ml|json)(\.gz)?$/.test(path);
}

/** Throws KnownError with the position when a file is not YAML: nobody knows what it would have said. */
export async function* documentsIn(files: Files, request: Request): AsyncGenerator<Document> {
  for await (const file of files.read((path) => isObjectFile(files, path))) {
    request.signal?.throwIfAborted();
    const documents = await parsed(files, file, request);
    for (const [i, value] of documents.entries()) {
      // Empty ones are what templates leave behind.
      if (value === null || value === undefined) continue;
      const number = documents.length > 1 ? ` document ${i + 1}` : '';
      yield { value, where: place(files, file.path) + number };
    }
  }
}

async function parsed(files: Files, file: File, { limits }: Request): Promise<readonly unknown[]> {
  try {
    return parseDocuments(await text(file, limits.file), place(files, file.path));
  } catch (cause) {
    if (!(cause instanceof MissingError)) throw cause;
    // The archive is known to be damaged, here or before.
    if (cause.missing === 'partial' && files.damage !== undefined) return [];
    throw new KnownError('UNREADABLE_INPUT', cause.message, { cause });
  }
}
