/** What has replicas to lose is protected from losing them all at once. */
import { floorOf } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding, kubectlGet } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import type { PodDisruptionBudget } from '../../../core/objects.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import { isTooSmallForQuorum } from '../../../core/quorum.ts';
import { budgetSelects } from '../../../core/selector.ts';
import { names } from '../../../core/text.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'pdb-presence',
  title: 'Multi-replica workloads are covered by a budget',
  failureTitle: 'Multi-replica workloads have no disruption budget',
  testName: 'workloads in ns/<namespace> should be protected by PodDisruptionBudgets',
  suite: 'disruption',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift conventions: node restarts respect PodDisruptionBudgets',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#upgrade-and-reconfiguration',
    },
    {
      title: 'Specifying a Disruption Budget for your Application',
      url: 'https://kubernetes.io/docs/tasks/run-application/configure-pdb/',
    },
  ],
  requires: [...W, ...A, ...N, 'podDisruptionBudgets'],
  uses: [...usesOfW, ...usesOfA, ...usesOfN],
  redundant: true,
  breaks:
    'Two nodes drained at once, or one node that holds several replicas, may take every replica of ' +
    'the workload together.',
  fix: 'Add a PodDisruptionBudget with maxUnavailable 1 that selects the labels of the pods.',
  run(artifacts, scope) {
    const budgets = artifacts.podDisruptionBudgets.in(scope.namespace);
    const population = redundantWorkloads(artifacts, scope);
    const candidates = population.workloads
      .filter((workload) => workload.class === 'replicated' && workload.isTemplateKnown)
      .map((workload) => ({ workload, floor: floorOf(workload, artifacts, scope).replicas }))
      // No budget makes up for the third member of a quorum set.
      .filter(({ workload, floor }) => floor >= 2 && !isTooSmallForQuorum(workload, floor));
    const findings = candidates.flatMap(({ workload, floor }) => {
      const replicas = Math.max(floor, workload.replicas);
      const message = unprotected(workload, budgets, replicas);
      if (message === undefined) return [];
      const command = kubectlGet(['poddisruptionbudgets', '-n', workload.namespace, '-o', 'wide']);
      return [finding(workload, { message, command })];
    });
    return { ...population, examined: candidates.length, findings };
  },
});

/** Why pods of a workload can be evicted without limit; undefined when they cannot. */
function unprotected(
  { labels, counted }: Workload,
  budgets: readonly PodDisruptionBudget[],
  replicas: number,
): string | undefined {
  const selecting = budgets.filter((budget) =>
    [labels, ...counted.map((pod) => pod.metadata.labels)].some((l) => budgetSelects(budget, l)),
  );
  if (selecting.length === 0) return `${replicas} replicas, no PodDisruptionBudget selects them`;
  const covers = (l: typeof labels | undefined) => selecting.some((b) => budgetSelects(b, l));
  const covered = counted.filter((pod) => covers(pod.metadata.labels)).length;
  if (covered === counted.length && covers(labels)) return undefined;
  const title = `PDB ${names(selecting.map(({ metadata }) => metadata.name))}`;
  return `${title} selects ${covered} of ${counted.length} pods (${whyNotAll(selecting)})`;
}

/** Labels that controllers put on pods, other ones on every revision or on every pod. */
const controllerLabels = [
  'pod-template-hash',
  'controller-revision-hash',
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
];

function whyNotAll(budgets: readonly PodDisruptionBudget[]): string {
  const asked = budgets.flatMap(({ spec }) => [
    ...Object.keys(spec?.selector?.matchLabels ?? {}),
    ...(spec?.selector?.matchExpressions ?? []).map(({ key }) => key),
  ]);
  const own = controllerLabels.find((label) => asked.includes(label));
  return own ? `${own} in the selector` : 'the others have other labels';
}
