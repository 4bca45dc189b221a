/** Something makes a rollout wait for a new pod before the next old one goes. */
import { floorOf } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { A, T, usesOfA, usesOfT, usesOfW, W } from '../../../core/kinds.ts';
import { isNativeSidecar } from '../../../core/pods.ts';
import { runningWorkloads } from '../../../core/population.ts';
import { lacksReadiness, readinessGaps } from '../../../core/readiness.ts';
import type { Workload } from '../../../core/workload.ts';
import { isDeployment, isStatefulSet } from '../../../core/workload-source.ts';

export default defineCheck({
  id: 'readiness-settling-time',
  title: 'Rollouts are paced by readiness or minReadySeconds',
  failureTitle: 'Rollouts replace pods without waiting for anything',
  testName: 'workloads in ns/<namespace> should pace rollouts by readiness or minReadySeconds',
  suite: 'rollout',
  scope: 'namespace',
  severity: 'minor',
  stage: 'observe',
  source: [
    {
      title: 'Deployments, min ready seconds',
      url: 'https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#min-ready-seconds',
    },
  ],
  requires: [...W, ...A, ...T],
  uses: [...usesOfW, ...usesOfA, ...usesOfT],
  breaks:
    'All old pods are gone seconds after the first new one starts; a bad version takes the whole ' +
    'workload.',
  fix: 'Set minReadySeconds, or give a container a readiness probe.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const rolling = population.workloads
      .filter(isRolledOut)
      .filter((workload) => floorOf(workload, artifacts, scope).replicas >= 2)
      // Where traffic comes in without readiness, that is what is wrong.
      .filter((workload) => readinessGaps(workload, artifacts, scope).length === 0);
    const findings = rolling
      .filter((workload) => lacksReadiness(workload) && !waits(workload))
      .map((workload) =>
        finding(workload, {
          path: 'spec.minReadySeconds',
          message:
            'no readiness probe and minReadySeconds 0: a new pod counts as available at once',
          shows: '{.spec.minReadySeconds}{.spec.template.spec.containers[*].readinessProbe}',
          patch: waiting(workload),
        }),
      );
    return { ...population, examined: rolling.length, findings };
  },
});

function isRolledOut({ source }: Workload): boolean {
  if (isDeployment(source)) return source.spec?.strategy?.type !== 'Recreate';
  return isStatefulSet(source) && source.spec?.updateStrategy?.type !== 'OnDelete';
}

/** The API server refuses a wait that is not shorter than the deadline of the rollout. */
function waiting({ source }: Workload) {
  const minReadySeconds = 10;
  const deadline = isDeployment(source) ? source.spec?.progressDeadlineSeconds : undefined;
  return deadline !== undefined && deadline <= minReadySeconds
    ? undefined
    : { spec: { minReadySeconds } };
}

/** A container is not ready before its startup probe has succeeded, readiness probe or not. */
function waits({ source, spec }: Workload): boolean {
  if (isDeployment(source) || isStatefulSet(source)) {
    if ((source.spec?.minReadySeconds ?? 0) > 0) return true;
  }
  const { containers = [], initContainers = [] } = spec;
  const running = [...containers, ...initContainers.filter(isNativeSidecar)];
  return running.some(({ startupProbe }) => startupProbe);
}
