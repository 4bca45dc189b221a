/** Which PodDisruptionBudgets a check judges: those that stand between a drain and something redundant. */
import type { BudgetArtifacts, Match } from './budget.ts';
import { matchOf } from './budget.ts';
import type { PodDisruptionBudget } from './objects.ts';
import { isInfrastructureRedundant, redundantWorkloads, wantsRedundancy } from './population.ts';
import type { Scope } from './scope.ts';
import { workloadsOf } from './workload.ts';

export interface BudgetPopulation {
  readonly budgets: readonly { readonly budget: PodDisruptionBudget; readonly match: Match }[];
  readonly notes: readonly string[];
  readonly skip?: string;
}

/** Budgets that select a living pod, or a coming one of a manifest, of what the topology wants redundant. */
export function redundantBudgets(artifacts: BudgetArtifacts, scope: Scope): BudgetPopulation {
  const { of } = workloadsOf(artifacts, scope);
  const { notes, skip } = redundantWorkloads(artifacts, scope);
  const budgets = artifacts.podDisruptionBudgets
    .in(scope.namespace)
    .map((budget) => ({ budget, match: matchOf(budget, artifacts, scope) }))
    .filter(({ match }) => isInUse(match) && isRedundant(match));
  return { budgets, notes, ...(skip !== undefined && { skip }) };

  function isRedundant({ living, running }: Match): boolean {
    // Pods of Jobs and bare pods block a drain as well; they run wherever anything does.
    const strays = living.some((pod) => !of(pod));
    return (
      running.some((workload) => wantsRedundancy(workload, scope)) ||
      (strays && isInfrastructureRedundant(scope))
    );
  }
}

/** Budgets of what is switched off, and those that match nothing, hold up nobody. */
function isInUse({ living, running }: Match): boolean {
  return living.length > 0 || running.some(({ isManifest }) => isManifest);
}
