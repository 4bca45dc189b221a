/** Nothing is left half-way: paused, staged or suspended. */
import type { Artifacts } from '../../../core/artifacts.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import { runningWorkloads } from '../../../core/population.ts';
import type { Finding } from '../../../core/result.ts';
import { leftover } from '../../../core/rollout-state.ts';
import type { Scope } from '../../../core/scope.ts';
import { title } from '../../../core/text.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'rollout-continuity',
  title: 'Nothing is left paused, staged or suspended',
  failureTitle: 'Workloads are left paused, staged or suspended',
  testName: 'workloads in ns/<namespace> should not be left paused, staged or suspended',
  suite: 'rollout',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'Pausing and Resuming a rollout of a Deployment',
      url: 'https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#pausing-and-resuming-a-deployment',
    },
    {
      title: 'Partitioned rolling updates of a StatefulSet',
      url: 'https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#partitions',
    },
  ],
  requires: [...W, 'cronJobs', 'jobs'],
  uses: [...usesOfW],
  breaks:
    'Fixes and configuration do not reach the pods; after a node loss a StatefulSet pod below the ' +
    'partition returns with the old revision.',
  fix: 'Resume it, set the partition back to 0, or delete the pods of the old revision.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const workloads = population.workloads.filter(({ source }) => isStageable(source?.kind));
    const jobs = suspendable(artifacts, scope);
    return {
      ...population,
      examined: workloads.length + jobs.examined,
      findings: [...workloads.flatMap(leftBehind), ...jobs.findings],
      notes: [...population.notes, ...jobs.notes],
    };
  },
});

const stageable = ['Deployment', 'DeploymentConfig', 'Rollout', 'StatefulSet', 'DaemonSet'];
const isStageable = (kind: string | undefined) => kind !== undefined && stageable.includes(kind);

function leftBehind(workload: Workload): readonly Finding[] {
  const left = leftover(workload);
  return left ? [finding(workload, { ...left, shows: '{.spec}{.status}' })] : [];
}

type JobArtifacts = Artifacts<'jobs' | 'cronJobs'>;

function suspendable(artifacts: JobArtifacts, { namespace, cluster }: Scope) {
  const cronJobs = artifacts.cronJobs.in(namespace);
  const jobs = artifacts.jobs
    .in(namespace)
    .filter(
      ({ status }) =>
        !status?.conditions?.some(
          (condition) => isFinal(condition.type) && condition.status === 'True',
        ),
    );
  const asleep = cronJobs.filter(({ spec }) => spec?.suspend);
  const findings = [
    ...jobs.filter(({ spec }) => spec?.suspend),
    ...(cluster.options.strictSuspend ? asleep : []),
  ];
  return {
    examined: jobs.length + cronJobs.length,
    findings: findings.map((object) =>
      finding(object, {
        path: 'spec.suspend',
        message: 'suspended',
        shows: '{.spec.suspend}',
        patch: { spec: { suspend: false } },
      }),
    ),
    notes: cluster.options.strictSuspend
      ? []
      : asleep.map(({ metadata }) => `${title({ kind: 'CronJob', ...metadata })}: suspended`),
  };
}

const isFinal = (type: string | undefined) => type === 'Complete' || type === 'Failed';
