/** Which PodDisruptionBudgets a check judges: those that stand between a drain and something redundant. */
import type { Allowance, Match, ScaledArtifacts } from './budget.ts';
import { allowanceOf, scaledMatchOf } from './budget.ts';
import { once } from './memo.ts';
import type { PodDisruptionBudget } from './objects.ts';
import { controllerOf, groupOf } from './owner.ts';
import { isInfrastructureRedundant, redundantWorkloads, wantsRedundancy } from './population.ts';
import type { Scope } from './scope.ts';
import { count } from './text.ts';
import type { Workload } from './workload.ts';
import { workloadsOf } from './workload.ts';

export interface BudgetPopulation<B = JudgedBudget> {
  readonly budgets: readonly B[];
  readonly notes: readonly string[];
  readonly skip?: string;
}

export interface JudgedBudget {
  readonly budget: PodDisruptionBudget;
  readonly match: Match;
  readonly allowance: Allowance;
}

/** Budgets that select a living pod, or a coming one of a manifest, of what the topology wants redundant. */
export const redundantBudgets = once((artifacts: ScaledArtifacts, scope: Scope) => {
  const { of } = workloadsOf(artifacts, scope);
  const { notes, skip } = redundantWorkloads(artifacts, scope);
  const found = artifacts.podDisruptionBudgets.in(scope.namespace);
  const migrating = found.filter(isOfMachine).length;
  const budgets = found
    .filter((budget) => !isOfMachine(budget))
    .map((budget) => ({ budget, match: scaledMatchOf(budget, artifacts, scope) }))
    .filter(({ match }) => isInUse(match) && isRedundant(match))
    .map(({ budget, match }) => {
      return { budget, match, allowance: allowanceOf(budget, match, artifacts, scope) };
    });
  const left = `left out ${count(migrating, 'budget')} of virtual machines: KubeVirt migrates them`;
  const population: BudgetPopulation = {
    budgets,
    notes: migrating > 0 ? [...notes, left] : notes,
    ...(skip !== undefined && { skip }),
  };
  return population;

  function isRedundant({ living, running }: Match): boolean {
    // Pods of Jobs and bare pods block a drain as well; they run wherever anything does.
    const strays = living.some((pod) => !of(pod));
    return (
      running.some((workload) => wantsRedundancy(workload, scope)) ||
      (strays && isInfrastructureRedundant(scope))
    );
  }
});

/** The eviction that it refuses is what makes KubeVirt move the machine to another node. */
function isOfMachine(budget: PodDisruptionBudget): boolean {
  const { apiVersion, kind } = controllerOf(budget) ?? {};
  return groupOf(apiVersion) === 'kubevirt.io' && kind === 'VirtualMachineInstance';
}

/** Those of them that guard one workload only, and which. */
export function budgetsOfOne(
  artifacts: ScaledArtifacts,
  scope: Scope,
): BudgetPopulation<JudgedBudget & { readonly workload: Workload }> {
  const population = redundantBudgets(artifacts, scope);
  const budgets = population.budgets.flatMap((judged) => {
    const [workload, ...others] = runningOf(judged.match);
    const isOne = workload && others.length === 0 && wantsRedundancy(workload, scope);
    return isOne ? [{ ...judged, workload }] : [];
  });
  return { ...population, budgets };
}

/** What is switched off may have left finished pods behind. */
export function runningOf({ workloads }: Match): readonly Workload[] {
  return workloads.filter(({ replicas }) => replicas > 0);
}

/** Budgets of what is switched off, and those that match nothing, hold up nobody. */
function isInUse({ living, running }: Match): boolean {
  return living.length > 0 || running.some(({ isManifest }) => isManifest);
}
