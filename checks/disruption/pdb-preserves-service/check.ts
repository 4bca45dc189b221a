/** What a budget keeps is enough: one pod of an ordinary workload, the majority of a quorum set. */
import { oneAwayPatch, policyOf, policyText } from '../../../core/budget-policy.ts';
import { budgetsOfOne } from '../../../core/budget-population.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import { isQuorumSet, need } from '../../../core/quorum.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'pdb-preserves-service',
  title: 'Every budget keeps enough pods',
  failureTitle: 'A budget lets all pods, or the majority, be evicted',
  testName: 'PodDisruptionBudgets in ns/<namespace> should keep enough pods to serve',
  suite: 'disruption',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'Specifying a Disruption Budget for your Application',
      url: 'https://kubernetes.io/docs/tasks/run-application/configure-pdb/#think-about-how-your-application-reacts-to-disruptions',
    },
  ],
  requires: [...W, ...N, 'podDisruptionBudgets'],
  uses: [...usesOfW, ...usesOfN, ...A, ...usesOfA],
  redundant: true,
  breaks:
    'The budget exists on paper; draining two nodes may take the service down or stop a quorum.',
  fix: 'Allow one unavailable pod.',
  run(artifacts, scope) {
    const population = budgetsOfOne(artifacts, scope);
    // Drains leave the pods of a DaemonSet where they are, whatever a budget says.
    const budgets = population.budgets.filter(
      ({ workload }) => workload.class === 'replicated' && workload.replicas >= 2,
    );
    const findings = budgets.flatMap(({ budget, match, workload, allowance }) => {
      const { cause, desired } = allowance;
      const needed = mayAsk(workload);
      // What cannot be reckoned lets nothing go.
      if (cause !== undefined || desired >= needed) return [];
      const keeps = `keeps ${desired} of ${workload.replicas}`;
      const why = isQuorumSet(workload) ? ' quorum members' : ` (${policyText(policyOf(budget))})`;
      const message = `${keeps}${why}; needs ${needed}`;
      const patch = oneAwayPatch(budget, match, artifacts, scope);
      return [finding(budget, { path: 'spec', message, shows: '{.spec}{.status}', patch })];
    });
    return { ...population, examined: budgets.length, findings };
  },
});

/** Two members have no majority to spare: no budget can keep it and still let a node drain. */
function mayAsk(workload: Workload): number {
  const { replicas } = workload;
  return Math.min(need(workload, replicas), replicas - 1);
}
