/** What a run must say of kinds that it could not read, by what it says when it reads them all. */
import assert from 'node:assert/strict';
import { checks } from '../checks/index.ts';
import type { Report, Result } from '../core/result.ts';

const find = (id: string) => checks.find((check) => check.id === id);

export const requiredBy = (check: string): readonly string[] => find(check)?.requires ?? [];
export const usedBy = (check: string): readonly string[] => find(check)?.uses ?? [];

/** Nothing that the check requires was looked at: it is not about this namespace, or this cluster. */
export function isInapplicable({ verdict, reason = '' }: Result): boolean {
  return verdict === 'skip' && /^(convention not in force|not served: .*)$/.test(reason);
}

/** The result of the same check, in the same place. */
export function counterpart({ id }: Result, { results }: Report): Result {
  const found = results.find((result) => result.id === id);
  assert.ok(found, id);
  return found;
}

/**
 * Nothing is judged without what it requires, and nothing passes that does not when all is read: what is
 * barred is an error with one of the causes, what does not apply is as it was.
 */
export function assertBarred(report: Report, reference: Report, causes: RegExp): void {
  const unread = new Set(report.coverage.notEvaluated.map(({ kind }) => kind));
  for (const result of report.results) {
    const { id, check, verdict, cause = 'none' } = result;
    const before = counterpart(result, reference);
    if (isInapplicable(before)) assert.deepEqual(result, before);
    else if (isBarred(check, unread)) assert.match(`${id} ${verdict} ${cause}`, causes);
    else {
      assert.deepEqual([id, cause], [id, 'none']);
      assert.ok(verdict !== 'pass' || before.verdict === 'pass', `${id} became a pass`);
    }
  }
}

/** Whether a check that applies cannot judge without these kinds. */
function isBarred(check: string, unread: ReadonlySet<string>): boolean {
  const alternatives = find(check)?.requiresOneOf ?? [];
  return (
    requiredBy(check).some((kind) => unread.has(kind)) ||
    (alternatives.length > 0 && alternatives.every((kind) => unread.has(kind)))
  );
}
