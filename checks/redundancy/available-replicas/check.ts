/** What was asked for is there: the redundancy is not used up already. */
import { isYoung } from '../../../core/age.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding, podsCommand } from '../../../core/finding.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import type { Pod, StatefulSet } from '../../../core/objects.ts';
import { isReady } from '../../../core/pods.ts';
import { runningWorkloads } from '../../../core/population.ts';
import { slackOf } from '../../../core/rollout-slack.ts';
import type { Scope } from '../../../core/scope.ts';
import { count, names } from '../../../core/text.ts';
import type { Workload } from '../../../core/workload.ts';
import {
  isDaemonSet,
  isDeployment,
  isReplicaSet,
  isStatefulSet,
} from '../../../core/workload-source.ts';

export default defineCheck({
  id: 'available-replicas',
  title: 'Every declared replica is available',
  failureTitle: 'Workloads run with fewer available replicas than declared',
  testName: 'workloads in ns/<namespace> should have every declared replica serving',
  suite: 'redundancy',
  scope: 'namespace',
  severity: 'major',
  stage: 'observe',
  source: [
    {
      title: 'Deployments, Deployment status',
      url: 'https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#deployment-status',
    },
    {
      title: 'Debug Pods',
      url: 'https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/',
    },
  ],
  requires: [...W],
  uses: [...usesOfW],
  live: true,
  transient: true,
  breaks:
    'The redundancy is already used up; the next node loss or rollout hits the remaining replicas.',
  fix: 'Repair what keeps the named pods from being ready.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const judged = population.workloads
      .filter(({ source }) => !source || isSettled(source, scope))
      .flatMap((workload) => {
        const available = availableOf(workload, scope);
        return available ? [{ workload, ...available }] : [];
      });
    const findings = judged.flatMap(({ workload, want, have }) => {
      const slack = slackOf(workload, scope);
      if (have >= want - slack) return [];
      const rollout = slack > 0 ? ` (a rollout may take ${slack})` : '';
      const message = `${have} of ${want} replicas available${rollout}${whyNot(workload, want)}`;
      return [finding(workload, { path: 'status', message, command: podsCommand(workload) })];
    });
    return { ...population, examined: judged.length, findings };
  },
});

function isSettled(source: NonNullable<Workload['source']>, scope: Scope): boolean {
  return source.metadata.deletionTimestamp === undefined && !isYoung(source, scope);
}

interface Available {
  readonly want: number;
  readonly have: number;
}

/** Undefined where the status is of a form that is not known. */
function availableOf(workload: Workload, scope: Scope): Available | undefined {
  const { source, counted, replicas: want } = workload;
  if (!source) {
    // Its pods are all that is known of it: those that have just been made are not judged.
    const judged = counted.filter((pod) => isReady(pod) || !isYoung(pod, scope));
    return { want: judged.length, have: judged.filter(isReady).length };
  }
  if (isDaemonSet(source)) return { want, have: source.status?.numberAvailable ?? 0 };
  if (isStatefulSet(source)) return { want, have: availableMembers(source) };
  if (isDeployment(source) || isReplicaSet(source)) {
    return { want, have: source.status?.availableReplicas ?? 0 };
  }
  return undefined;
}

/** Servers without the field have no minReadySeconds either, so that ready was available. */
function availableMembers({ spec = {}, status = {} }: StatefulSet): number {
  const { availableReplicas, readyReplicas = 0 } = status;
  return availableReplicas ?? (spec.minReadySeconds ? 0 : readyReplicas);
}

function whyNot({ counted }: Workload, want: number): string {
  const unready = counted.filter((pod) => !isReady(pod)).map(stateOf);
  const missing = want - counted.length;
  const reasons = [
    ...(unready.length > 0 ? [names(unready)] : []),
    ...(missing > 0 ? [`${count(missing, 'pod')} missing`] : []),
  ];
  return reasons.map((reason) => `; ${reason}`).join('');
}

/** `web-7c9 not ready: CrashLoopBackOff (17 restarts)`, `web-8f1 Pending: Unschedulable`. */
function stateOf({ metadata, status = {} }: Pod): string {
  const { phase, conditions = [], containerStatuses = [] } = status;
  const waiting = containerStatuses.flatMap(({ state }) => state?.waiting?.reason ?? []);
  const unscheduled = conditions.filter(
    (condition) => condition.type === 'PodScheduled' && condition.status === 'False',
  );
  const [reason] = [...waiting, ...unscheduled.flatMap((condition) => condition.reason ?? [])];
  const restarts = containerStatuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
  return [
    `${metadata.name} ${phase === 'Pending' ? 'Pending' : 'not ready'}`,
    reason === undefined ? '' : `: ${reason}`,
    restarts > 0 ? ` (${count(restarts, 'restart')})` : '',
  ].join('');
}
