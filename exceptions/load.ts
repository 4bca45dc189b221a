/** Reads files of exceptions and refuses what is wrong, there twice, or contradictory. */
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Checked } from '../config/problems.ts';
import { rejectProblems } from '../config/problems.ts';
import type { ReadFile } from '../config/read-yaml.ts';
import { readYaml } from '../config/read-yaml.ts';
import type { Exception } from './exception.ts';
import type { KnownCheck } from './known-checks.ts';
import { checkSchema, containerRule } from './known-checks.ts';
import type { Located } from './repeats.ts';
import { repeatsAmong } from './repeats.ts';
import type { ExceptionRecord } from './schema.ts';
import { recordSchema } from './schema.ts';

/** A path, or one with the name that messages and reports call it. */
export type ExceptionFile = string | { readonly path: string; readonly name: string };

/** `checks` are all that exist, not only those of a run. A file that is named twice is read once. */
export async function loadExceptions(
  files: readonly ExceptionFile[],
  options: { readonly checks: readonly KnownCheck[] },
): Promise<readonly Exception[]> {
  const record = recordSchema
    .safeExtend({ check: checkSchema(options.checks) })
    .superRefine(containerRule(options.checks));
  const schema = z.array(record);
  const read: Checked<ReadFile<readonly ExceptionRecord[]>>[] = [];
  for (const file of distinct(files)) read.push(await readYaml(file, { schema, empty: [] }));
  const entries = read.flatMap((file) => (file.ok ? locate(file.value) : []));
  const problems = read.flatMap((file) => (file.ok ? [] : file.problems));
  rejectProblems('EXCEPTIONS', [...problems, ...repeatsAmong(entries)]);
  return entries.map(({ exception }) => exception);
}

function distinct(files: readonly ExceptionFile[]) {
  const byPath = new Map<string, { readonly path: string; readonly name: string }>();
  for (const file of files) {
    const { path, name } = typeof file === 'string' ? { path: file, name: file } : file;
    if (!byPath.has(resolve(path))) byPath.set(resolve(path), { path, name });
  }
  return byPath.values();
}

function locate({ value, document }: ReadFile<readonly ExceptionRecord[]>): readonly Located[] {
  return value.map((record, index) => {
    const position = document.positionOf([index]);
    const at = `${document.file}:${position.line}`;
    return { exception: { ...record, at }, file: document.file, position };
  });
}
