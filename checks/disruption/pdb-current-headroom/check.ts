/** A budget that can let a pod go can do so at this moment. */
import { isYoung } from '../../../core/age.ts';
import type { Match } from '../../../core/budget.ts';
import { blocksForEver } from '../../../core/budget.ts';
import { isOverlapping } from '../../../core/budget-overlap.ts';
import { redundantBudgets } from '../../../core/budget-population.ts';
import { isBehind, syncFailure } from '../../../core/budget-status.ts';
import { defineCheck } from '../../../core/check.ts';
import { evictionOf } from '../../../core/eviction.ts';
import { finding } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import type { Pod, PodDisruptionBudget } from '../../../core/objects.ts';
import { isReady, isTerminal, isTerminating } from '../../../core/pods.ts';
import { count, names } from '../../../core/text.ts';

export default defineCheck({
  id: 'pdb-current-headroom',
  title: 'Budgets have room for an eviction now',
  failureTitle: 'Budgets have no room now',
  testName: 'PodDisruptionBudgets in ns/<namespace> should have room for an eviction now',
  suite: 'disruption',
  scope: 'namespace',
  severity: 'major',
  stage: 'observe',
  source: [
    {
      title: 'API-initiated Eviction',
      url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/',
    },
  ],
  requires: [...W, 'podDisruptionBudgets', ...N],
  uses: [...usesOfW, ...usesOfN, ...A, ...usesOfA],
  live: true,
  transient: true,
  redundant: true,
  breaks: 'A drain started now waits; if the missing pod is broken it waits for ever.',
  fix: 'Repair the pods that are not ready; set AlwaysAllow if they are meant to be replaceable.',
  run(artifacts, scope) {
    const population = redundantBudgets(artifacts, scope);
    const budgets = population.budgets.filter(
      ({ budget, allowance }) =>
        (budget.status?.expectedPods ?? 0) > 0 &&
        !isYoung(budget, scope) &&
        !blocksForEver(allowance) &&
        !isOverlapping(budget, artifacts, scope) &&
        // Numbers that are not about this budget say nothing of its room.
        !isBehind(budget) &&
        !syncFailure(budget),
    );
    const findings = budgets.flatMap(({ budget, match }) => {
      if ((budget.status?.disruptionsAllowed ?? 0) > 0) return [];
      const path = 'status.disruptionsAllowed';
      return [finding(budget, { path, message: shortage(budget, match), shows: '{.status}' })];
    });
    return { ...population, examined: budgets.length, findings };
  },
});

function shortage(budget: PodDisruptionBudget, { pods }: Match): string {
  const { status = {} } = budget;
  const { currentHealthy = 0, desiredHealthy = 0, expectedPods = 0 } = status;
  const away = pods.filter((pod) => !isTerminal(pod) && (isTerminating(pod) || !isReady(pod)));
  const missing = expectedPods - pods.length;
  return [
    `0 disruptions allowed: ${currentHealthy} of ${expectedPods} healthy, ${desiredHealthy} desired`,
    ...(away.length > 0 ? [names(away.map((pod) => condition(pod, budget)))] : []),
    ...(missing > 0 ? [`${count(missing, 'pod')} not created`] : []),
    `needs ${desiredHealthy + 1} healthy`,
  ].join('; ');
}

function condition(pod: Pod, budget: PodDisruptionBudget): string {
  const { name } = pod.metadata;
  if (isTerminating(pod)) return `${name} terminating`;
  const { answer } = evictionOf(pod, [budget]);
  const evictable = answer === 'allowed' ? 'but evictable' : 'and not evictable';
  const policy = budget.spec?.unhealthyPodEvictionPolicy ?? 'IfHealthyBudget';
  const rule = pod.status?.phase === 'Pending' ? 'while Pending' : `under ${policy}`;
  const reason = whyNotReady(pod);
  return `${name} not ready${reason ? ` (${reason})` : ''} ${evictable} ${rule}`;
}

/** What a container waits for, or else the pod. */
function whyNotReady({ status = {} }: Pod): string | undefined {
  const { containerStatuses = [], conditions = [] } = status;
  const [waiting] = containerStatuses.flatMap(({ state }) => state?.waiting?.reason ?? []);
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  return waiting ?? scheduled?.reason;
}
