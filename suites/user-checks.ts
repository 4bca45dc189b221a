/** Checks of the user's own: modules by the contract of the shipped ones, and YAML with CEL. */
import { globSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { checks as shipped } from '../checks/index.ts';
import { readYaml } from '../config/read-yaml.ts';
import type { AnyCheck, Judgement } from '../core/check.ts';
import { KnownError } from '../core/errors.ts';
import { kindNames } from '../core/kinds.ts';
import { severities, stages } from '../core/result.ts';
import { compare } from '../core/text.ts';
import { frameworkNames } from '../reports/junit-framework.ts';
import { celCheckSchema, fromCel, suiteName } from './cel-check.ts';
import { nameProblem } from './user-test-name.ts';

/** The shipped checks, and behind them those of the user's folders. */
export async function allChecks(folders: readonly string[] = []): Promise<readonly AnyCheck[]> {
  return [...shipped, ...(await userChecks(folders))];
}

/** By id. Throws KnownError USAGE where a folder is none, or holds no check. */
export async function userChecks(
  folders: readonly string[],
  loadingLimit = 10_000,
): Promise<readonly AnyCheck[]> {
  const own = 'ha-compliance';
  const taken: Taken = {
    ids: new Map(shipped.map(({ id }) => [id, `a check of ${own}`])),
    testNames: new Map([
      ...shipped.map(({ id, testName }) => [testName, `${id} of ${own}`] as const),
      ...Object.values(frameworkNames).map((name) => [name, own] as const),
    ]),
  };
  const found: AnyCheck[] = [];
  for (const folder of folders) {
    for (const file of filesIn(folder)) {
      const read = await checkIn(file, loadingLimit);
      const problem = typeof read === 'string' ? read : problemOf(read, taken);
      const check = typeof read === 'string' || problem ? broken(file, `${problem}`, taken) : read;
      taken.ids.set(check.id, file);
      taken.testNames.set(check.testName, file);
      found.push(check);
    }
  }
  return found.toSorted((a, b) => compare(a.id, b.id));
}

/** What is called so already, by what it is or where it stands. */
interface Taken {
  readonly ids: Map<string, string>;
  readonly testNames: Map<string, string>;
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

/** The check, or why there is none. */
async function checkIn(file: string, loadingLimit: number): Promise<AnyCheck | string> {
  try {
    return rules.some((name) => file.endsWith(name))
      ? await fromYaml(file)
      : await inTime(fromModule(file), loadingLimit);
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

async function fromYaml(file: string): Promise<AnyCheck | string> {
  const found = await readYaml(
    { path: file, name: file },
    { schema: celCheckSchema, empty: undefined as never },
  );
  if (found.ok) return { ...fromCel(found.value.value), docs: file };
  return found.problems
    .map(({ position, text }) => (position ? `${position.line}:${position.column} ${text}` : text))
    .join('; ');
}

const text = z.string().min(1);

/** What every view needs of a check; the rest is TypeScript's to see. */
const contract = z.looseObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)+$/, 'id: two or more words in kebab-case'),
  title: text,
  failureTitle: text,
  testName: text,
  suite: suiteName,
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

async function fromModule(file: string): Promise<AnyCheck | string> {
  const module: { readonly default?: unknown } = await import(
    pathToFileURL(path.resolve(file)).href
  );
  const parsed = contract.safeParse(module.default);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `its default export is no check: ${issue?.path.join('.')} ${issue?.message}`;
  }
  const check = module.default as AnyCheck; // by the contract
  // Of an instance of a class, run is not its own property.
  return { ...check, docs: file, run: (artifacts, scope) => judged(check.run(artifacts, scope)) };
}

/** What everything behind a check relies on. */
const judgement = z.looseObject({
  examined: z.int().min(0),
  findings: z.array(
    z.looseObject({
      object: z.looseObject({
        apiVersion: text,
        kind: text,
        namespace: text.optional(),
        name: text,
        container: text.optional(),
      }),
      path: text.optional(),
      message: text,
      command: text,
      patch: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  notes: z.array(text).optional(),
  skip: text.optional(),
  missing: text.optional(),
});

function judged(value: Judgement): Judgement {
  const parsed = judgement.safeParse(value);
  if (parsed.success) return value;
  const [issue] = parsed.error.issues;
  throw new TypeError(`run returns no judgement: ${issue?.path.join('.')} ${issue?.message}`);
}

/** A module that waits for what never comes would end the run without a word. */
async function inTime<T>(work: Promise<T>, limit: number): Promise<T> {
  const ended = new AbortController();
  const late = setTimeout(limit, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`takes more than ${limit / 1000} s to load`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
}

/** Two checks of one id, or of one name, would be one test in every dashboard. */
function problemOf(check: AnyCheck, { ids, testNames }: Taken): string | undefined {
  const { id, testName } = check;
  if (ids.has(id)) return `the id ${id} is taken by ${ids.get(id)}`;
  const namesake = testNames.get(testName);
  return namesake ? `the testName "${testName}" is taken by ${namesake}` : nameProblem(check);
}

/** Costs its own result, and no other. */
function broken(file: string, reason: string, { ids }: Taken): AnyCheck {
  const id = freeId(file, ids);
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

/** By the name of its folder and its own, and the folders above where that is not enough. */
function freeId(file: string, taken: ReadonlyMap<string, string>): string {
  const { dir, name } = path.parse(file);
  const folders = dir.split(path.sep);
  const own = name.replace(/\.?check$/, '');
  for (let depth = 1; depth <= folders.length; depth++) {
    const id = idOf([...folders.slice(-depth), own]);
    if (!taken.has(id)) return id;
  }
  const [id, others] = [idOf([path.basename(dir), own]), taken.size];
  const numbers = Array.from({ length: others }, (_, index) => `${id}-${index + 2}`);
  return numbers.find((numbered) => !taken.has(numbered)) ?? id;
}

function idOf(parts: readonly string[]): string {
  const words = parts
    .join(' ')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return `user-${words?.join('-') ?? 'check'}`;
}
