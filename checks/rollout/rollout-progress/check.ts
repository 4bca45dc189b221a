/** A rollout ends, or somebody is told that it does not. */
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import type { Deployment, Pod, StatefulSet } from '../../../core/objects.ts';
import { runningWorkloads } from '../../../core/population.ts';
import type { Finding } from '../../../core/result.ts';
import { blockingPod, revisionOf } from '../../../core/rollout-state.ts';
import type { Scope } from '../../../core/scope.ts';
import type { Workload } from '../../../core/workload.ts';
import { isDeployment, isStatefulSet } from '../../../core/workload-source.ts';

/** What the API takes for no deadline: the largest int32. */
const noDeadline = 2_147_483_647;

export default defineCheck({
  id: 'rollout-progress',
  title: 'Rollouts finish within their deadline',
  failureTitle: 'Rollouts are stuck or have no deadline',
  testName: 'workloads in ns/<namespace> should finish rollouts within their deadline',
  suite: 'rollout',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'Deployments, progress deadline',
      url: 'https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#progress-deadline-seconds',
    },
    {
      title: 'StatefulSets, forced rollback',
      url: 'https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#forced-rollback',
    },
  ],
  requires: [...W],
  uses: [...usesOfW],
  breaks:
    'The workload runs on a mix of revisions with fewer pods than declared, and nobody is told.',
  fix: 'Repair or roll back the new revision; keep a progress deadline and a history.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    let examined = 0;
    const findings: Finding[] = [];
    for (const workload of population.workloads) {
      const { source } = workload;
      if (isDeployment(source) && !source.spec?.paused) {
        examined += 1;
        findings.push(...stuck(workload, source, scope));
        findings.push(...endless(workload, source), ...history(workload, source));
      }
      if (isStatefulSet(source)) {
        examined += 1;
        findings.push(...history(workload, source), ...waiting(workload, source, scope));
      }
    }
    return { ...population, examined, findings };
  },
});

function stuck(
  workload: Workload,
  { spec = {}, status = {} }: Deployment,
  { cluster: { takenAt } }: Scope,
): readonly Finding[] {
  const exceeded = status.conditions?.find(
    (condition) =>
      condition.type === 'Progressing' &&
      condition.status === 'False' &&
      condition.reason === 'ProgressDeadlineExceeded',
  );
  if (!exceeded || workload.isManifest) return [];
  const since = exceeded.lastTransitionTime;
  const time = takenAt && since ? ` for ${minutesBetween(since, takenAt)} min` : '';
  const updated = `${status.updatedReplicas ?? 0} of ${spec.replicas ?? 1} updated`;
  return [
    finding(workload, {
      path: 'status.conditions',
      message: `stuck${time}: ${updated}`,
      shows: '{.status}',
    }),
  ];
}

const minutesBetween = (start: string, end: string) =>
  Math.floor((Date.parse(end) - Date.parse(start)) / 60_000);

function endless(workload: Workload, { spec = {} }: Deployment): readonly Finding[] {
  if (spec.progressDeadlineSeconds !== noDeadline) return [];
  return [
    finding(workload, {
      path: 'spec.progressDeadlineSeconds',
      message: 'no progress deadline',
      shows: '{.spec.progressDeadlineSeconds}',
      patch: { spec: { progressDeadlineSeconds: 600 } },
    }),
  ];
}

function history(workload: Workload, { spec = {} }: Deployment | StatefulSet): readonly Finding[] {
  if (spec.revisionHistoryLimit !== 0) return [];
  return [
    finding(workload, {
      path: 'spec.revisionHistoryLimit',
      message: 'cannot be rolled back (revisionHistoryLimit 0)',
      shows: '{.spec.revisionHistoryLimit}',
      patch: { spec: { revisionHistoryLimit: 10 } },
    }),
  ];
}

/** Correcting the template is not enough then: the pod itself must be deleted. */
function waiting(
  workload: Workload,
  { status = {} }: StatefulSet,
  scope: Scope,
): readonly Finding[] {
  const pod = blockingPod(workload, scope);
  if (!pod) return [];
  const isNew = revisionOf(pod) === status.updateRevision;
  return [
    finding(workload, {
      message: `${podText(pod, isNew)} is not ready: the rollout waits for it`,
      shows: '{.status}',
      transient: true,
    }),
  ];
}

const podText = ({ metadata }: Pod, isNew: boolean) =>
  isNew ? `${metadata.name} of the new revision` : metadata.name;
