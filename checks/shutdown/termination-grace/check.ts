/** Pods get time to stop, and no more than a drain can wait for. */

import type { TrafficArtifacts } from '../../../core/callers.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding, templatePatch } from '../../../core/finding.ts';
import { T, usesOfT, usesOfW, W } from '../../../core/kinds.ts';
import { takesHostPorts } from '../../../core/pods.ts';
import { runningWorkloads } from '../../../core/population.ts';
import { probeable } from '../../../core/probe.ts';
import type { Scope } from '../../../core/scope.ts';
import { graceSeconds, sleepOf } from '../../../core/shutdown.ts';
import { count, title } from '../../../core/text.ts';
import { trafficServices } from '../../../core/traffic.ts';
import type { Workload } from '../../../core/workload.ts';
import { isStatefulSet } from '../../../core/workload-source.ts';

export default defineCheck({
  id: 'termination-grace',
  title: 'Termination grace is neither zero nor endless',
  failureTitle: 'Termination grace is zero or holds up node drains',
  testName: 'workloads in ns/<namespace> should have a bounded, non-zero termination grace period',
  suite: 'shutdown',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'Pod Lifecycle, forced Pod termination',
      url: 'https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination-forced',
    },
  ],
  requires: [...W, ...T],
  uses: [...usesOfW, ...usesOfT],
  breaks:
    'Zero: the API object vanishes at once while the process may still run, connections are cut, and ' +
    'a StatefulSet identity can exist twice. Too long: each drain of a node waits that long.',
  fix: 'Give the process the seconds that it needs to stop, and drains an end that they can wait for.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const workloads = population.workloads.filter(({ isTemplateKnown }) => isTemplateKnown);
    const findings = workloads.flatMap((workload) => {
      const message = cut(workload, artifacts, scope) ?? endless(workload, scope);
      if (message === undefined) return [];
      return [
        finding(workload, {
          path: 'spec.template.spec.terminationGracePeriodSeconds',
          message,
          shows: '{.spec.template.spec.terminationGracePeriodSeconds}',
          patch: bounded(workload, scope),
        }),
      ];
    });
    return { ...population, examined: workloads.length, findings };
  },
});

function cut(workload: Workload, artifacts: TrafficArtifacts, scope: Scope): string | undefined {
  if (graceSeconds(workload.spec) > 0) return undefined;
  const [service] = trafficServices(workload, artifacts, scope);
  if (service) return `grace period 0 behind ${title({ ...service, ...service.metadata })}`;
  if (takesHostPorts(workload.spec)) return 'grace period 0 behind a host port';
  if (!isStatefulSet(workload.source)) return undefined;
  return 'grace period 0 in a StatefulSet: a pod may run beside its successor';
}

/** Drains leave the pods of a DaemonSet where they are. */
function endless({ class: own, spec }: Workload, { cluster }: Scope): string | undefined {
  const seconds = graceSeconds(spec);
  if (own === 'daemon' || seconds <= cluster.thresholds.graceMax) return undefined;
  return `grace period ${seconds} s; node drains wait up to ${inWords(seconds)}`;
}

/** The default, and what hooks sleep: the API server wants the grace period to be longer than that. */
function bounded(workload: Workload, { cluster }: Scope) {
  const sleeps = probeable(workload.spec).map(
    ({ container }) => sleepOf(container.lifecycle?.preStop ?? {})?.seconds ?? 0,
  );
  const seconds = 30 + Math.ceil(Math.max(0, ...sleeps));
  return seconds > cluster.thresholds.graceMax
    ? undefined
    : templatePatch(workload, { terminationGracePeriodSeconds: seconds });
}

function inWords(seconds: number): string {
  if (seconds === 3600) return 'an hour';
  return seconds % 3600 === 0
    ? count(seconds / 3600, 'hour')
    : count(Math.ceil(seconds / 60), 'minute');
}
