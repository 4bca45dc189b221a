/** Finds every check: the default export of each <suite>/<id>/check.ts. */
import { readdirSync } from 'node:fs';
import type { AnyCheck } from '../core/check.ts';
import { compare } from '../core/text.ts';

const here = import.meta.dirname;
// In a checkout the checks are .ts files, in the published package the .js files made from them.
const file = `check${import.meta.filename.slice(-3)}`;

/** By suite and id. */
export const checks: readonly AnyCheck[] = (await Promise.all(paths().map(load))).toSorted(
  (a, b) => compare(a.suite, b.suite) || compare(a.id, b.id),
);

export const suites: readonly string[] = [...new Set(checks.map((check) => check.suite))];

function paths(): readonly string[] {
  const folders = (path: string) =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${path}/${entry.name}`);
  return folders(here).flatMap(folders);
}

async function load(folder: string): Promise<AnyCheck> {
  const module: { default: AnyCheck } = await import(`${folder}/${file}`);
  return module.default;
}
