/** Loads a check with one mistake in it, and looks whether its fixtures notice. */
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { load } from 'js-yaml';
import type { AnyCheck } from '../core/check.ts';
import type { Mutant } from '../scripts/mutants.ts';
import type { Fixture } from './fixture.ts';
import { readFixture } from './fixture.ts';
import type { Said } from './run-fixture.ts';
import { adviceOf, expectedOf, saidOf } from './run-fixture.ts';

const root = path.join(import.meta.dirname, '..');
const sources = new Map<string, string>();
let loaded = 0;

registerHooks({
  resolve(specifier, context, next) {
    return sources.has(specifier)
      ? { url: specifier, shortCircuit: true }
      : next(specifier, context);
  },
  load(url, context, next) {
    const source = sources.get(url);
    return source === undefined
      ? next(url, context)
      : { format: 'module-typescript', source, shortCircuit: true };
  },
});

export interface Subject {
  readonly id: string;
  readonly source: string;
  readonly file: string;
  readonly fixtures: readonly {
    readonly file: string;
    readonly fixture: Fixture;
    /** As the check without a mistake gives it. */
    readonly advice: string;
  }[];
}

export function subjectOf(check: AnyCheck): Subject {
  const { suite, id } = check;
  const folder = path.join(root, 'checks', suite, id);
  const file = path.join(folder, 'check.ts');
  const fixtures = globSync(`${folder}/fixtures/*.yaml`).toSorted();
  return {
    id,
    file,
    source: readFileSync(file, 'utf8'),
    fixtures: fixtures.map((one) => {
      const fixture = readFixture(one);
      return { file: one, fixture, advice: adviceOf(check, fixture) };
    }),
  };
}

/** The first fixture that notices the mistake; undefined where the mutant survives. */
export async function killerOf(subject: Subject, mutant: Mutant): Promise<string | undefined> {
  const { source, file, fixtures } = subject;
  // Beside the check for the sake of its imports, and by no ending of sources: nothing is to be covered.
  const url = `${pathToFileURL(file).href}.mutant${loaded++}`;
  const { start, end, replacement } = mutant;
  sources.set(url, `${source.slice(0, start)}${replacement}${source.slice(end)}`);
  try {
    const module: { default: AnyCheck } = await import(url);
    return fixtures.find((one) => notices(module.default, one))?.file;
  } catch (error) {
    // What does not even load is noticed before anything is judged.
    return error instanceof SyntaxError ? 'syntax' : file;
  } finally {
    sources.delete(url);
  }
}

function notices(check: AnyCheck, { fixture, advice }: Subject['fixtures'][number]): boolean {
  return (
    !isAsExpected(saidOf(check, fixture), expectedOf(fixture)) ||
    adviceOf(check, fixture) !== advice
  );
}

const isAsExpected = (said: Said, expected: Said) =>
  JSON.stringify(said.lines) === JSON.stringify(expected.lines) &&
  expected.notes.every((note) => said.notes.includes(note));

/** A mutant that no fixture can notice, and why. */
export interface Equivalent {
  readonly check: string;
  readonly operator: string;
  readonly original: string;
  readonly replacement: string;
  readonly reason: string;
}

export const equivalents = load(
  readFileSync(path.join(root, 'checks/equivalent-mutants.yaml'), 'utf8'),
) as readonly Equivalent[];

export function isEquivalent(check: string, mutant: Mutant): boolean {
  return equivalents.some(
    (one) =>
      one.check === check &&
      one.operator === mutant.operator &&
      one.original === mutant.original &&
      one.replacement === mutant.replacement,
  );
}
