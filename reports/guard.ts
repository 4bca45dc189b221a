/** The mass failure limit: more hard failures than it in one file would void the run for Component Readiness. */
import type { Result } from '../core/result.ts';
import { severities } from '../core/result.ts';
import { compare } from '../core/text.ts';
import { sidesOf } from './findings.ts';

/** The results with the failures past the limit marked; the worst stay failures in JUnit, too. */
export function guard(results: readonly Result[], limit = 10): readonly Result[] {
  const failing = results.filter(({ verdict }) => verdict === 'fail').toSorted(worstFirst);
  const surplus = new Set(failing.slice(limit));
  return results.map((result) => {
    const { guarded: _, ...rest } = result;
    return surplus.has(result) ? { ...rest, guarded: true } : rest;
  });
}

/** By severity, by what is not covered, then by id. */
function worstFirst(a: Result, b: Result): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    sidesOf(b.findings).uncovered.length - sidesOf(a.findings).uncovered.length ||
    compare(a.id, b.id)
  );
}
