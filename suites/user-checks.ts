/** Checks of the user's own: modules by the contract of the shipped ones, and YAML with CEL. */
import { globSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { checks as shipped } from '../checks/index.ts';
import { readYaml } from '../config/read-yaml.ts';
import type { AnyCheck } from '../core/check.ts';
import { KnownError } from '../core/errors.ts';
import { kindNames } from '../core/kinds.ts';
import { severities, stages } from '../core/result.ts';
import { compare } from '../core/text.ts';
import { celCheckSchema, fromCel } from './cel-check.ts';

/** The shipped checks, and behind them those of the user's folders. */
export async function allChecks(folders: readonly string[] = []): Promise<readonly AnyCheck[]> {
  return [...shipped, ...(await userChecks(folders))];
}

/** By id. Throws KnownError USAGE where a folder is none, or holds no check. */
export async function userChecks(folders: readonly string[]): Promise<readonly AnyCheck[]> {
  const taken = new Map(shipped.map(({ id }) => [id, 'a check of ha-compliance']));
  const found: AnyCheck[] = [];
  for (const folder of folders) {
    for (const file of filesIn(folder)) {
      const check = distinct(await read(file), file, taken);
      taken.set(check.id, file);
      found.push(check);
    }
  }
  return found.toSorted((a, b) => compare(a.id, b.id));
}

const modules = ['check.ts', 'check.js', 'check.mjs'];
const rules = ['check.yaml', 'check.yml'];

function filesIn(folder: string): readonly string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new KnownError('USAGE', `--checks ${folder}: no such folder`);
  }
  const files = [...modules, ...rules].flatMap((name) =>
    globSync([`**/${name}`, `**/*.${name}`], { cwd: folder }),
  );
  if (files.length === 0) {
    const names = [...modules, ...rules].join(', ');
    throw new KnownError(
      'USAGE',
      `--checks ${folder}: holds no check (${names}, or *.${modules[0]} …)`,
    );
  }
  return files.toSorted(compare).map((file) => path.join(folder, file));
}

async function read(file: string): Promise<AnyCheck> {
  try {
    return rules.some((name) => file.endsWith(name))
      ? await fromYaml(file)
      : await fromModule(file);
  } catch (cause) {
    return broken(file, cause instanceof Error ? cause.message : String(cause));
  }
}

async function fromYaml(file: string): Promise<AnyCheck> {
  const found = await readYaml(
    { path: file, name: file },
    { schema: celCheckSchema, empty: undefined as never },
  );
  if (found.ok) return { ...fromCel(found.value.value), docs: file };
  return broken(
    file,
    found.problems
      .map(({ position, text }) =>
        position ? `${position.line}:${position.column} ${text}` : text,
      )
      .join('; '),
  );
}

const text = z.string().min(1);

/** What every view needs of a check; the rest is TypeScript's to see. */
const contract = z.looseObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)+$/, 'id: two or more words in kebab-case'),
  title: text,
  failureTitle: text,
  testName: text,
  suite: text,
  scope: z.enum(['namespace', 'cluster']),
  severity: z.enum(severities),
  stage: z.enum(stages),
  source: z.array(z.looseObject({ title: text, url: text })),
  requires: z.array(z.enum(kindNames as [string, ...string[]])),
  uses: z.array(z.enum(kindNames as [string, ...string[]])).optional(),
  breaks: text,
  fix: text,
  run: z.custom((value) => typeof value === 'function', 'run: expected a function'),
});

async function fromModule(file: string): Promise<AnyCheck> {
  const module: { readonly default?: unknown } = await import(
    pathToFileURL(path.resolve(file)).href
  );
  const parsed = contract.safeParse(module.default);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return broken(
      file,
      `its default export is no check: ${issue?.path.join('.')} ${issue?.message}`,
    );
  }
  return { ...(module.default as AnyCheck), docs: file }; // by the contract
}

/** Two checks of one id would be one test in every dashboard. */
function distinct(check: AnyCheck, file: string, taken: ReadonlyMap<string, string>): AnyCheck {
  const other = taken.get(check.id);
  return other === undefined ? check : broken(file, `the id ${check.id} is taken by ${other}`);
}

/** Costs its own result, and no other. */
function broken(file: string, reason: string): AnyCheck {
  const { dir, name } = path.parse(file);
  const words = `${path.basename(dir)} ${name.replace(/\.?check$/, '')}`;
  const id = `user-${
    words
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? 'check'
  }`;
  return {
    id,
    title: 'A check of the user can be loaded',
    failureTitle: 'A check of the user cannot be loaded',
    testName: `user check ${id} should be loaded`,
    suite: 'user',
    scope: 'cluster',
    severity: 'minor',
    stage: 'observe',
    source: [],
    requires: [],
    breaks: 'Nobody knows what it would have found.',
    fix: 'Repair the file.',
    docs: file,
    run() {
      throw new Error(`${file}: ${reason}`);
    },
  };
}
