/** What a budget says of itself, for messages, and the policy that fits most workloads. */
import type { BudgetArtifacts, Match } from './budget.ts';
import { allowanceOf } from './budget.ts';
import { intOrPercentText } from './int-or-percent.ts';
import type { PodDisruptionBudget } from './objects.ts';
import type { Scope } from './scope.ts';

export interface StatedPolicy {
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: number | string;
}

/** The field that counts: the API server refuses both, a manifest may have them. */
export function policyOf({ spec = {} }: PodDisruptionBudget): StatedPolicy {
  const { minAvailable = 0, maxUnavailable } = spec;
  return maxUnavailable === undefined
    ? { field: 'minAvailable', value: minAvailable }
    : { field: 'maxUnavailable', value: maxUnavailable };
}

/** `minAvailable 50 %` */
export function policyText({ field, value }: StatedPolicy): string {
  return `${field} ${intOrPercentText(value)}`;
}

/**
 * One pod at a time, whatever the scale. The field that is not wanted must be named to go. Undefined
 * where that would let nothing go, because some of the pods have no scale to count by.
 */
export function oneAwayPatch(
  budget: PodDisruptionBudget,
  match: Match,
  artifacts: BudgetArtifacts,
  scope: Scope,
) {
  const spec = { ...budget.spec, maxUnavailable: 1 };
  const { allowed } = allowanceOf({ ...budget, spec }, match, artifacts, scope);
  return allowed > 0 ? { spec: { minAvailable: null, maxUnavailable: 1 } } : undefined;
}
