/** What a budget takes for healthy has said so itself. */
import { floorOf } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { A, T, usesOfA, usesOfT, usesOfW, W } from '../../../core/kinds.ts';
import { runningWorkloads } from '../../../core/population.ts';
import { lacksReadiness, readinessGaps } from '../../../core/readiness.ts';
import { budgetSelects } from '../../../core/selector.ts';
import { names } from '../../../core/text.ts';

export default defineCheck({
  id: 'pdb-readiness-signal',
  title: 'Budgets count pods that report readiness',
  failureTitle: 'Budgets count pods that never report readiness',
  testName: 'PodDisruptionBudgets in ns/<namespace> should count pods that report readiness',
  suite: 'disruption',
  scope: 'namespace',
  severity: 'minor',
  stage: 'observe',
  source: [
    {
      title: 'GKE: Ensure workloads are disruption-ready',
      url: 'https://cloud.google.com/kubernetes-engine/docs/how-to/workload-disruption-readiness',
    },
    {
      title: 'Pod readiness',
      url: 'https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-readiness-gate',
    },
  ],
  requires: [...W, ...A, ...T, 'podDisruptionBudgets'],
  uses: [...usesOfW, ...usesOfA, ...usesOfT],
  breaks:
    'Replacements count as healthy the moment they start, so a drain moves on before they serve.',
  fix: 'Give a container of the pod a readiness probe.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const covered = population.workloads
      // Drains leave the pods of a DaemonSet where they are.
      .filter((workload) => workload.class === 'replicated')
      .filter((workload) => floorOf(workload, artifacts, scope).replicas >= 2)
      .filter((workload) => readinessGaps(workload, artifacts, scope).length === 0)
      .map((workload) => {
        const labels = [workload.labels, ...workload.counted.map((pod) => pod.metadata.labels)];
        const budgets = artifacts.podDisruptionBudgets
          .in(scope.namespace)
          .filter((budget) => labels.some((own) => budgetSelects(budget, own)));
        return { workload, budgets };
      })
      .filter(({ budgets }) => budgets.length > 0);
    const findings = covered
      .filter(({ workload }) => lacksReadiness(workload))
      .map(({ workload, budgets }) => {
        const title = `PDB ${names(budgets.map(({ metadata }) => metadata.name))}`;
        return finding(workload, {
          path: 'spec.template.spec.containers[*].readinessProbe',
          message: `${title} counts pods without any readiness probe as healthy`,
          shows: '{.spec.template.spec.containers[*].readinessProbe}',
        });
      });
    return { ...population, examined: covered.length, findings };
  },
});
