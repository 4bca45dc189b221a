/** What decides what is expected of a PodDisruptionBudget: whom it selects, and what it allows them. */
import type { Allowance, Match } from './budget.ts';
import { allowanceOf, scaledMatchOf } from './budget.ts';
import type { Fact, FactArtifacts } from './fact.ts';
import { fact } from './fact.ts';
import { usesOfW, W } from './kinds.ts';
import type { PodDisruptionBudget } from './objects.ts';
import type { Scope } from './scope.ts';
import { count, names } from './text.ts';

export function budgetFacts(
  budget: PodDisruptionBudget,
  artifacts: FactArtifacts,
  scope: Scope,
): readonly Fact[] {
  const about = { from: W, uses: usesOfW };
  const match = () => scaledMatchOf(budget, artifacts, scope);
  return [
    fact('selects', artifacts, about, () => selects(match())),
    fact('allows', artifacts, about, () => allowed(allowanceOf(budget, match(), artifacts, scope))),
    fact('status', artifacts, { from: ['podDisruptionBudgets'] }, () => status(budget)),
  ].flat();
}

function selects({ pods, workloads }: Match): string {
  const titles = workloads.map(({ kind, name }) => `${kind} ${name}`);
  return `${count(pods.length, 'pod')}${titles.length === 0 ? '' : ` of ${names(titles)}`}`;
}

/** How many evictions, and why not more. */
export function allowed(allowance: Allowance): string {
  switch (allowance.cause) {
    case 'no-policy':
      return '0: neither minAvailable nor maxUnavailable is set';
    case 'malformed':
      return '0: the value is neither an integer nor a percentage';
    case 'no-scale':
      return `0: ${names(allowance.unscalable)} cannot be scaled`;
    default: {
      const { expected, desired } = allowance;
      return `${allowance.allowed} of ${expected} when all are healthy; ${desired} must stay`;
    }
  }
}

function status({ status: said }: PodDisruptionBudget): string | undefined {
  if (!said) return undefined;
  const { disruptionsAllowed = 0, currentHealthy = 0, desiredHealthy = 0 } = said;
  return `${disruptionsAllowed} allowed now, ${currentHealthy} healthy, ${desiredHealthy} desired`;
}
