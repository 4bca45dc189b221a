/** Kubernetes objects as people write them: YAML files of several documents. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { z } from 'zod';
import { messageOf, SandboxError } from './errors.ts';

const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** All documents of the *.yaml files right in a folder, in the order of the files' names. */
export async function readManifests(folder: string): Promise<readonly Manifest[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'));
  const paths = files.map((file) => join(folder, file.name)).sort();
  return (await Promise.all(paths.map(readManifestFile))).flat();
}

export async function readManifestFile(path: string): Promise<readonly Manifest[]> {
  return parseManifests(await readFile(path, 'utf8'), path);
}

export function toManifest(value: unknown): Manifest {
  return manifestSchema.parse(value);
}

/** `source` names the text in errors. */
export function parseManifests(text: string, source: string): readonly Manifest[] {
  try {
    const documents = loadAll(text).filter((document) => document !== null);
    return z.array(manifestSchema).parse(documents);
  } catch (error) {
    throw new SandboxError(`${source}: ${messageOf(error)}`, { cause: error });
  }
}
