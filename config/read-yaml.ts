/** One file that a person wrote, from its name to a checked value that knows where it came from. */
import type { z } from 'zod';
import type { YamlDocument } from './located-yaml.ts';
import { parseYaml } from './located-yaml.ts';
import type { Checked } from './problems.ts';
import { readText } from './read-text.ts';
import { validate } from './validate.ts';

export interface ReadFile<T> {
  readonly value: T;
  readonly document: YamlDocument;
}

/** `name` is what messages and reports call the file; `empty` what a file without content stands for. */
export async function readYaml<S extends z.ZodType>(
  file: { readonly path: string; readonly name: string },
  options: { readonly schema: S; readonly empty: unknown },
): Promise<Checked<ReadFile<z.output<S>>>> {
  const text = await readText(file.path, file.name);
  if (!text.ok) return text;
  const parsed = parseYaml(file.name, text.value);
  if (!parsed.ok) return parsed;
  const document = { ...parsed.value, value: parsed.value.value ?? options.empty };
  const checked = validate(document, options.schema);
  return checked.ok ? { ok: true, value: { value: checked.value, document } } : checked;
}
