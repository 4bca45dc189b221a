/** What a file of a recording holds: objects, or why they cannot be had. */
import { MissingError } from '../../core/errors.ts';
import type { Gap } from '../../core/snapshot.ts';
import type { File, Files } from '../files/files.ts';
import { text } from '../files/text.ts';
import { parseDocuments } from './documents.ts';
import type { Request } from './format.ts';
import type { Item } from './items.ts';
import { itemsOf } from './items.ts';

/** Why a part cannot be had; details go on after the name of a kind. */
export type Failure = Pick<Gap, 'cause' | 'detail'>;

export interface Content {
  readonly items: readonly Item[];
  readonly failure?: Failure;
}

/** What is done with a file when its turn comes. */
export type Reader = (file: File) => Promise<void>;

/** Reads the files that there is a reader for, in one go. */
export async function readAll(
  files: Files,
  readers: ReadonlyMap<string, Reader>,
  { signal }: Pick<Request, 'signal'>,
): Promise<void> {
  for await (const file of files.read((path) => readers.has(path))) {
    signal?.throwIfAborted();
    await readers.get(file.path)?.(file);
  }
}

/** The objects of a file, called by a path that says where it is and nothing of this machine. */
export async function contentOf(
  file: File,
  path: string,
  options: { readonly limit: number; readonly whenEmpty: Failure['cause'] },
): Promise<Content> {
  let body: string;
  try {
    body = await text(file, options.limit);
  } catch (error) {
    if (!(error instanceof MissingError)) throw error;
    const said = error.missing === 'partial' ? 'is cut short' : 'cannot be read';
    return fails(error.missing, `are missing: ${path} ${said}`);
  }
  try {
    return objectsIn(parseDocuments(body, path), path, options.whenEmpty);
  } catch (error) {
    if (!(error instanceof MissingError)) throw error;
    return fails(error.missing, `cannot be read: ${error.message}`);
  }
}

function objectsIn(documents: readonly unknown[], path: string, whenEmpty: Failure['cause']) {
  const present = documents.filter((document) => document !== null && document !== undefined);
  if (present.length === 0) return fails(whenEmpty, `are missing: ${path} is empty`);
  const found = present.map((document) => itemsOf(document, path));
  const items = found.flatMap((each) => each?.items ?? []);
  if (found.includes(undefined)) {
    return fails('malformed', `cannot be read: ${path} holds something that is no object`);
  }
  const cut = found.some((each) => each?.cut);
  return cut
    ? { ...fails('partial', `are cut short: ${path} is one page of them`), items }
    : { items };
}

/** Why inputs end too early; undefined when all are whole. */
export function damageOf(inputs: readonly Files[]): string | undefined {
  return inputs.find(({ damage }) => damage !== undefined)?.damage;
}

function fails(cause: Failure['cause'], detail: string) {
  return { items: [], failure: { cause, detail } };
}
