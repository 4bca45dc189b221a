/** No pod has two budgets: the eviction API then answers with an error. */
import type { Guarded } from '../../../core/budget-overlap.ts';
import { guardedPods } from '../../../core/budget-overlap.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding, kubectlGet } from '../../../core/finding.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import type { PodDisruptionBudget } from '../../../core/objects.ts';
import type { Finding } from '../../../core/result.ts';
import { names } from '../../../core/text.ts';
import { workloadsOf } from '../../../core/workload.ts';

export default defineCheck({
  id: 'single-pdb-per-pod',
  title: 'No pod matches two budgets',
  failureTitle: 'Pods match more than one budget',
  testName: 'pods in ns/<namespace> should match at most one PodDisruptionBudget',
  suite: 'disruption',
  scope: 'namespace',
  severity: 'critical',
  stage: 'enforce',
  source: [
    {
      title: 'API-initiated Eviction: 500 for several budgets',
      url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/#how-api-initiated-eviction-works',
    },
  ],
  requires: [...W, 'podDisruptionBudgets'],
  uses: [...usesOfW],
  breaks:
    'Eviction of such a running pod is refused with a server error (500) at any time; kubectl drain ' +
    'gives up at once, controllers that retry never get through.',
  fix: 'Narrow the wider selector, or delete one of the budgets.',
  run(artifacts, scope) {
    const pods = guardedPods(artifacts, scope);
    const { notes } = workloadsOf(artifacts, scope);
    const sets = Map.groupBy(pods, ({ budgets }) => namesOf(budgets).join(' and '));
    const findings = [...sets.values()].flatMap(overlap);
    return { examined: pods.length, findings, notes };
  },
});

const namesOf = (budgets: readonly PodDisruptionBudget[]) =>
  budgets.map(({ metadata }) => metadata.name);

/** What is wrong with pods that have the same budgets. */
function overlap(pods: readonly Guarded[]): readonly Finding[] {
  const [first, ...others] = new Set(pods.flatMap(({ budgets }) => budgets));
  if (!first || others.length === 0) return [];
  const all = namesOf([first, ...others]);
  const owners = [...new Set(pods.map(({ owner }) => owner))];
  const { namespace = '' } = first.metadata;
  return [
    finding(first, {
      path: 'spec.selector',
      message: `pods of ${names(owners)} match ${names(all, ' and ')}: eviction answers 500`,
      command: kubectlGet(['poddisruptionbudgets', ...all, '-n', namespace, '-o', 'yaml']),
    }),
  ];
}
