/** Whether a run put an exception to the test: only then does it mean anything that nothing matched. */
import type { Result } from '../core/result.ts';
import type { Exception } from './exception.ts';
import { matchesPattern } from './match-pattern.ts';
import type { Circumstances } from './validity.ts';
import { appliesTo } from './validity.ts';

export type TestingResult = Pick<Result, 'namespace' | 'verdict' | 'reason'>;

export interface Selection extends Circumstances {
  /** Whether the run was to judge a namespace of this name, be it there or not. */
  readonly isSelected: (namespace: string) => boolean;
}

/** By the results of its check: it was when the check looked at every place that it is about. */
export function isTested(
  exception: Exception,
  results: readonly TestingResult[],
  selection: Selection,
): boolean {
  if (!appliesTo(exception, selection) || !results.some(hasLooked)) return false;
  return namespacesOf(exception, results, selection).every((namespace) => {
    const result = results.find((candidate) => candidate.namespace === namespace);
    if (result) return hasLooked(result);
    // The namespace is gone, unless the run left it out.
    return namespace !== undefined && selection.isSelected(namespace);
  });
}

function namespacesOf(
  exception: Exception,
  results: readonly TestingResult[],
  { nodes }: Selection,
): readonly (string | undefined)[] {
  const { namespace: exact, namespacePattern: pattern } = exception;
  if (!pattern) return exact ?? [undefined];
  const known = results.flatMap(({ namespace }) => namespace ?? []);
  // One name that nothing has stands for those that a narrower run leaves out.
  const example = pattern.text.replaceAll(/<[a-z]+>/g, 'x');
  return [example, ...known.filter((name) => matchesPattern(pattern, name, nodes))];
}

const reasonsToFindNothing = ['nothing to judge', 'namespace absent'];

/** A skip for want of objects has looked; one for topology or version has not, nor has an error. */
function hasLooked({ verdict, reason }: TestingResult): boolean {
  if (verdict === 'skip') return reasonsToFindNothing.some((known) => known === reason);
  return verdict !== 'error';
}
