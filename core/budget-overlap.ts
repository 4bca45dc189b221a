/** Which budgets meet on a pod: the eviction API has no answer for such a pod but an error. */
import type { BudgetArtifacts } from './budget.ts';
import { once } from './memo.ts';
import type { PodDisruptionBudget } from './objects.ts';
import { controllerOf } from './owner.ts';
import { isCounted } from './pods.ts';
import type { Scope } from './scope.ts';
import { budgetSelects } from './selector.ts';
import { workloadsOf } from './workload.ts';

/** A living pod, or those that a workload without any will have. */
export interface Guarded {
  /** `Deployment web`, or the pod itself. */
  readonly owner: string;
  /** The budgets that select it, by name. */
  readonly budgets: readonly PodDisruptionBudget[];
}

export const guardedPods = once((artifacts: BudgetArtifacts, scope: Scope): readonly Guarded[] => {
  const budgets = artifacts.podDisruptionBudgets.in(scope.namespace);
  const { all, of } = workloadsOf(artifacts, scope);
  const pods = artifacts.pods
    .in(scope.namespace)
    .filter((pod) => isCounted(pod) && of(pod)?.replicas !== 0);
  const coming = all.filter(
    ({ replicas, counted, isTemplateKnown }) =>
      replicas > 0 && counted.length === 0 && isTemplateKnown,
  );
  const labelled = [
    ...pods.map((pod) => {
      const owner = of(pod) ?? controllerOf(pod) ?? { kind: 'Pod', name: pod.metadata.name };
      return { labels: pod.metadata.labels, owner: `${owner.kind} ${owner.name}` };
    }),
    ...coming.map(({ labels, kind, name }) => ({ labels, owner: `${kind} ${name}` })),
  ];
  return labelled.map(({ labels, owner }) => ({
    owner,
    budgets: budgets.filter((budget) => budgetSelects(budget, labels)),
  }));
});

/** Whether some pod of a budget has another one as well. */
export function isOverlapping(
  budget: PodDisruptionBudget,
  artifacts: BudgetArtifacts,
  scope: Scope,
): boolean {
  return guardedPods(artifacts, scope).some(
    ({ budgets }) => budgets.length > 1 && budgets.includes(budget),
  );
}
