/** A budget that fits the replicas of the day still lets a pod go when the autoscaler has gone down. */
import type { ScalerFloor } from '../../../core/autoscaler.ts';
import { floorOf, isScaledObject } from '../../../core/autoscaler.ts';
import type { Match } from '../../../core/budget.ts';
import { blocksForEver, desiredHealthy } from '../../../core/budget.ts';
import { oneAwayPatch, policyOf, policyText } from '../../../core/budget-policy.ts';
import { budgetsOfOne } from '../../../core/budget-population.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { percentage } from '../../../core/int-or-percent.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import type { PodDisruptionBudget } from '../../../core/objects.ts';
import { isCounted } from '../../../core/pods.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'pdb-autoscaler-fit',
  title: "Budgets leave room at the autoscaler's floor",
  failureTitle: 'A budget blocks drains whenever load is low',
  testName: 'PodDisruptionBudgets in ns/<namespace> should leave room at the autoscaler floor',
  suite: 'disruption',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'Disruptions (the rule is proposed)',
      url: 'https://kubernetes.io/docs/concepts/workloads/pods/disruptions/',
    },
  ],
  requires: [...W, ...A, ...N, 'podDisruptionBudgets'],
  uses: [...usesOfW, ...usesOfA, ...usesOfN],
  redundant: true,
  breaks:
    "At night the workload shrinks to its floor and node updates stop until the morning's load.",
  fix: 'Allow one unavailable pod, or raise the floor of the autoscaler by one.',
  run(artifacts, scope) {
    const population = budgetsOfOne(artifacts, scope);
    const scaled = population.budgets.flatMap((judged) => {
      const floor = floorOf(judged.workload, artifacts, scope);
      return floor.scaler && floor.replicas < judged.workload.replicas
        ? [{ ...judged, floor }]
        : [];
    });
    const findings = scaled.flatMap(({ budget, match, workload, allowance, floor }) => {
      // Where there is no replica there is nothing to drain.
      const replicas = Math.max(1, floor.replicas);
      const { spec: { minAvailable, maxUnavailable } = {} } = budget;
      const desired = desiredHealthy({ minAvailable, maxUnavailable }, replicas) ?? replicas;
      const isTight = replicas + strays(match, workload) - desired <= 0;
      if (blocksForEver(allowance) || !isTight) return [];
      const message = tight(budget, floor, { replicas, desired });
      const patch = oneAwayPatch(budget, match, artifacts, scope);
      return [finding(budget, { path: 'spec', message, shows: '{.spec}{.status}', patch })];
    });
    return { ...population, examined: scaled.length, findings };
  },
});

/** Pods beside those of the workload: no autoscaler takes them away. */
function strays({ pods }: Match, workload: Workload): number {
  return pods.filter((pod) => isCounted(pod) && !workload.pods.includes(pod)).length;
}

function tight(
  budget: PodDisruptionBudget,
  { scaler, found }: ScalerFloor,
  { replicas, desired }: { readonly replicas: number; readonly desired: number },
): string {
  const policy = policyOf(budget);
  const rounded =
    percentage(policy.value) === undefined ? '' : ` of ${replicas} rounds up to ${desired}`;
  const title = `${isScaledObject(scaler) ? 'ScaledObject' : 'HPA'} ${scaler.metadata.name}`;
  return `${policyText(policy)}${rounded} with ${found} of ${title}: allows 0 at the floor; needs 1`;
}
