/** No pod has two budgets: the eviction API then answers with an error. */
import { defineCheck } from '../../../core/check.ts';
import { finding, kubectlGet } from '../../../core/finding.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import type { PodDisruptionBudget } from '../../../core/objects.ts';
import { controllerOf } from '../../../core/owner.ts';
import { isCounted } from '../../../core/pods.ts';
import type { Labels } from '../../../core/selector.ts';
import { budgetSelects } from '../../../core/selector.ts';
import { compare, names } from '../../../core/text.ts';
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
    const budgets = artifacts.podDisruptionBudgets
      .in(scope.namespace)
      .toSorted((a, b) => compare(a.metadata.name, b.metadata.name));
    const { all, of, notes } = workloadsOf(artifacts, scope);
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
    const sets = Map.groupBy(labelled, ({ labels }) => selecting(budgets, labels).join(' and '));
    const findings = [...sets].flatMap(([, members]) => {
      const own = selecting(budgets, members[0]?.labels);
      const first = budgets.find(({ metadata }) => metadata.name === own[0]);
      return first && own.length > 1
        ? [
            overlap(
              first,
              own,
              members.map((m) => m.owner),
            ),
          ]
        : [];
    });
    return { examined: labelled.length, findings, notes };
  },
});

function selecting(budgets: readonly PodDisruptionBudget[], labels: Labels): readonly string[] {
  return budgets
    .filter((budget) => budgetSelects(budget, labels))
    .map(({ metadata }) => metadata.name);
}

function overlap(first: PodDisruptionBudget, all: readonly string[], owners: readonly string[]) {
  const { namespace = '' } = first.metadata;
  return finding(first, {
    path: 'spec.selector',
    message: `pods of ${names([...new Set(owners)])} match ${names(all, ' and ')}: eviction answers 500`,
    command: kubectlGet(['poddisruptionbudgets', ...all, '-n', namespace, '-o', 'yaml']),
  });
}
