/** What could not be evaluated, by cause and kind: one refused list costs many results, but is one trouble. */
import type { ErrorCause } from '../core/errors.ts';
import type { Result } from '../core/result.ts';
import { compare } from '../core/text.ts';
import { oneLine } from './clean.ts';

export interface ErrorGroup {
  readonly cause: ErrorCause | 'unknown';
  /** The kind that is missing; for a check that threw, the check. */
  readonly subject: string;
  /** Of the first result; the others' differ in the namespace at most. */
  readonly reason: string;
  readonly results: readonly Result[];
}

/** The most costly first. */
export function errorGroups(results: readonly Result[]): readonly ErrorGroup[] {
  const errors = results.filter(({ verdict }) => verdict === 'error');
  const groups = Map.groupBy(errors, (error) => `${causeOf(error)}\n${subjectOf(error)}`);
  return [...groups.values()]
    .flatMap((members) => members.slice(0, 1).map((first) => groupOf(first, members)))
    .toSorted(
      (a, b) =>
        b.results.length - a.results.length ||
        compare(a.cause, b.cause) ||
        compare(a.subject, b.subject),
    );
}

const groupOf = (first: Result, results: readonly Result[]): ErrorGroup => ({
  cause: causeOf(first),
  subject: subjectOf(first),
  reason: oneLine(first.reason ?? ''),
  results,
});

const causeOf = ({ cause }: Result): ErrorGroup['cause'] => cause ?? 'unknown';

/** evaluate() begins the reason with the kind. */
function subjectOf(error: Result): string {
  if (error.cause === 'exception') return error.check;
  const [kind = ''] = oneLine(error.reason ?? '').split(' ');
  return kind.replace(/:$/, '');
}
