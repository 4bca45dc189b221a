/** A pod keeps serving until nobody sends it anything any more. */
import type { TrafficArtifacts } from '../../../core/callers.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding, templatePatch } from '../../../core/finding.ts';
import { T, usesOfT, usesOfW, W } from '../../../core/kinds.ts';
import type { Container } from '../../../core/objects.ts';
import { runningWorkloads } from '../../../core/population.ts';
import type { Finding } from '../../../core/result.ts';
import type { Scope } from '../../../core/scope.ts';
import { graceSeconds, sleepOf } from '../../../core/shutdown.ts';
import { trafficTargets } from '../../../core/traffic.ts';
import { olderThan } from '../../../core/version.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'shutdown-window',
  title: 'Serving pods drain connections before they stop',
  failureTitle: 'Serving pods may stop before traffic has moved away',
  testName: 'workloads in ns/<namespace> should drain connections before they stop',
  suite: 'shutdown',
  scope: 'namespace',
  severity: 'minor',
  stage: 'observe',
  source: [
    {
      title: 'Pod Lifecycle, Pod termination flow',
      url: 'https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination-flow',
    },
  ],
  requires: [...W, ...T],
  uses: [...usesOfW, ...usesOfT],
  perContainer: true,
  breaks:
    'SIGTERM and the removal from the endpoints start at the same moment; for the seconds until ' +
    'every proxy knows, clients of a drained or updated pod get refused connections.',
  fix: 'Sleep a few seconds before SIGTERM, and add them to the grace period.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    // With a grace period of 0 no hook runs and nothing is drained: that is a finding of its own.
    const stopping = population.workloads.filter(({ spec }) => graceSeconds(spec) > 0);
    const served = stopping
      .map((workload) => ({ workload, containers: servedBy(workload, artifacts, scope) }))
      .filter(({ containers }) => containers.length > 0);
    const findings = served.flatMap(({ workload, containers }) =>
      findingsOn(workload, containers, scope),
    );
    return { ...population, examined: served.length, findings };
  },
});

/**
 * The containers that Services lead to. Which one an undeclared port means is not written down: those
 * with a hook are taken for it, else all.
 */
function servedBy(
  workload: Workload,
  artifacts: TrafficArtifacts,
  scope: Scope,
): readonly Container[] {
  const targets = trafficTargets(workload, artifacts, scope);
  const declared = targets.containers.map(({ container }) => container);
  if (declared.length > 0 || targets.undeclared.length === 0) return declared;
  const { containers = [] } = workload.spec;
  const prepared = containers.filter(({ lifecycle }) => lifecycle?.preStop);
  return prepared.length > 0 ? prepared : containers;
}

function findingsOn(
  workload: Workload,
  containers: readonly Container[],
  scope: Scope,
): readonly Finding[] {
  const tooLong = containers.flatMap((container) => oversleeping(workload, container));
  // What no hook fits into is one defect, however many there are.
  const tooShort = tooLong.length > 0 ? [] : cramped(workload, containers, scope);
  const tooEarly = containers.flatMap((container) => early(workload, container, scope));
  return [...tooLong, ...tooShort, ...tooEarly];
}

/** The hook eats the grace period; the kubelet adds 2 s once, then kills. */
function oversleeping(workload: Workload, { name = '', lifecycle }: Container): readonly Finding[] {
  const seconds = sleepOf(lifecycle?.preStop ?? {})?.seconds ?? 0;
  const grace = graceSeconds(workload.spec);
  if (seconds < grace) return [];
  return [
    finding(workload, {
      container: name,
      ...graceField,
      message: `preStop sleeps ${seconds} s of ${grace} s grace: the process is killed, not stopped`,
      patch: templatePatch(workload, { terminationGracePeriodSeconds: Math.ceil(seconds) + 30 }),
    }),
  ];
}

const graceField = {
  path: 'spec.template.spec.terminationGracePeriodSeconds',
  shows:
    '{.spec.template.spec.terminationGracePeriodSeconds}{.spec.template.spec.containers[*].lifecycle}',
};

/** Whatever the hook does, there is no time for it and for the process. */
function cramped(workload: Workload, containers: readonly Container[], { cluster }: Scope) {
  const { endpointPropagation } = cluster.thresholds;
  const grace = graceSeconds(workload.spec);
  const needed = endpointPropagation + stopSeconds;
  if (grace >= needed || !containers.some(({ lifecycle }) => lifecycle?.preStop)) return [];
  const parts = `${endpointPropagation} s for the endpoints, ${stopSeconds} s to stop`;
  return [
    finding(workload, {
      ...graceField,
      message: `grace period ${grace} s with a preStop hook; needs ${needed} s (${parts})`,
      patch: templatePatch(workload, { terminationGracePeriodSeconds: ampleGrace }),
    }),
  ];
}

/** The least that a process gets to stop. */
const stopSeconds = 5;

/** The process stops listening while it is still being called. */
function early(workload: Workload, container: Container, scope: Scope): readonly Finding[] {
  const { name = '', lifecycle } = container;
  const { endpointPropagation } = scope.cluster.thresholds;
  const sleep = lifecycle?.preStop && sleepOf(lifecycle.preStop);
  // What another hook waits for cannot be seen.
  if (lifecycle?.preStop && (!sleep || sleep.seconds >= endpointPropagation)) return [];
  const message = sleep
    ? `preStop sleeps ${sleep.seconds} s; needs ${endpointPropagation} s for the endpoints`
    : `container ${name} stops accepting at SIGTERM while endpoints still list it (no preStop)`;
  return [
    finding(workload, {
      container: name,
      path: `spec.template.spec.containers[${name}].lifecycle.preStop`,
      message,
      shows: '{.spec.template.spec.containers[*].lifecycle}',
      // What follows the sleep stays in the cluster and cannot be repeated here.
      patch: sleep?.isAll === false ? undefined : sleepPatch(workload, container, scope),
    }),
  ];
}

/** What the fix sleeps stands on top of the default grace period. */
const ampleSleep = 10;
const ampleGrace = 40;

function sleepPatch(workload: Workload, { name, lifecycle }: Container, { cluster }: Scope) {
  const { exec: old, sleep } = lifecycle?.preStop ?? {};
  // The sleep action is on by default from 1.30 on. A hook has one handler: the other one must go.
  const preStop =
    olderThan(cluster.serverVersion ?? '', '1.30') && !sleep
      ? { exec: { command: ['sleep', `${ampleSleep}`] } }
      : { sleep: { seconds: ampleSleep }, ...(old && { exec: null }) };
  return templatePatch(workload, {
    containers: [{ name, lifecycle: { preStop } }],
    terminationGracePeriodSeconds: Math.max(ampleGrace, graceSeconds(workload.spec)),
  });
}
