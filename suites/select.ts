/** Which checks a run consists of, and what it reads for them. */
import { didYouMean } from '../config/nearest.ts';
import type { AnyCheck } from '../core/check.ts';
import { KnownError } from '../core/errors.ts';
import { always } from '../core/evaluate.ts';
import type { Kind } from '../core/kinds.ts';
import { compare } from '../core/text.ts';
import type { Settings } from './settings.ts';

type Selection = Pick<Settings, 'suites' | 'checks' | 'stages'>;

/** All checks, or those of the suites and those that are named. Throws on a name that nothing has. */
export function selectChecks(
  all: readonly AnyCheck[],
  { suites, checks, stages }: Selection,
): readonly AnyCheck[] {
  const ids = all.map(({ id }) => id);
  const known = [...new Set(all.map(({ suite }) => suite))];
  for (const suite of suites) demand('suite', suite, known);
  for (const id of checks) demand('check', id, ids);
  for (const name of Object.keys(stages)) {
    if (name !== '*') demand('check or suite', name, [...ids, ...known]);
  }
  if (suites.length + checks.length === 0) return all;
  return all.filter(({ id, suite }) => suites.includes(suite) || checks.includes(id));
}

function demand(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new KnownError('USAGE', `unknown ${what} "${name}"${didYouMean(name, known)}`);
}

/** Each kind once; beside what a run reads for itself nothing that no check asks for. */
export function kindsFor(checks: readonly AnyCheck[], own: readonly Kind[] = []): readonly Kind[] {
  const asked = checks.flatMap(({ requires, uses = [] }) => [...requires, ...uses]);
  return [...new Set([...always, ...own, ...asked])].toSorted(compare);
}
