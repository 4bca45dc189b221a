/** An update leaves enough replicas running. */
import { floorOf } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { controlLoopNote } from '../../../core/control-loop.ts';
import { finding } from '../../../core/finding.ts';
import { A, N, T, usesOfA, usesOfL, usesOfN, usesOfT, usesOfW, W } from '../../../core/kinds.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import { need } from '../../../core/quorum.ts';
import type { Finding } from '../../../core/result.ts';
import { strategyOf } from '../../../core/rolling.ts';
import { isExclusive } from '../../../core/spread.ts';
import { title } from '../../../core/text.ts';
import { isServing } from '../../../core/traffic.ts';
import type { Workload } from '../../../core/workload.ts';
import { isDeployment, isStatefulSet } from '../../../core/workload-source.ts';

export default defineCheck({
  id: 'rollout-availability',
  title: 'Rollouts keep workloads serving',
  failureTitle: 'A rollout may stop a workload',
  testName: 'workloads in ns/<namespace> should roll out without losing availability',
  suite: 'rollout',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift conventions: components keep serving during upgrades',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#upgrade-and-reconfiguration',
    },
  ],
  requires: [...W, ...A, ...N, ...T],
  uses: [...usesOfW, ...usesOfA, ...usesOfN, ...usesOfT, ...usesOfL],
  redundant: true,
  breaks: 'Each update of the workload is a short outage for its clients, redundant or not.',
  fix: 'Use RollingUpdate with bounds that leave at least half of the replicas running.',
  run(artifacts, scope) {
    const population = redundantWorkloads(artifacts, scope);
    const notes = [...population.notes];
    const findings: Finding[] = [];
    let examined = 0;
    for (const workload of population.workloads) {
      // An autoscaler brings a manifest to its floor before anything is rolled out.
      const floor = floorOf(workload, artifacts, scope).replicas;
      const replicas = Math.max(workload.replicas, floor);
      const strategy = strategyOf(workload, replicas);
      if (!strategy) continue;
      if (floor < 2) {
        if (!isServing(workload, artifacts, scope)) continue;
        if (controlLoopNote(workload, artifacts, scope) !== undefined) continue;
      }
      examined += 1;
      notes.push(...dropped(workload));
      if (replicas < 2 && isStatefulSet(workload.source)) {
        notes.push(`${title(workload)}: 1 replica of a StatefulSet, every update stops it`);
        continue;
      }
      const wanted = replicas < 2 ? 1 : Math.max(need(workload, replicas), Math.ceil(replicas / 2));
      if (strategy.keeps >= wanted) continue;
      const message = `${strategy.text}; needs ${wanted}`;
      // A surge pod of an exclusive workload finds no node while all the old ones stand, so that one of
      // them goes first, where the rest is enough.
      const goesFirst = isExclusive(workload, scope) && replicas - 1 >= wanted;
      findings.push(stopping(workload, message, goesFirst));
    }
    return { ...population, examined, findings, notes };
  },
});

/** What a manifest asks for and most servers do not keep. */
function dropped({ source, isManifest, ...workload }: Workload): readonly string[] {
  if (!isStatefulSet(source) || !isManifest) return [];
  const { maxUnavailable } = source.spec?.updateStrategy?.rollingUpdate ?? {};
  if (maxUnavailable === undefined) return [];
  const gate = 'the API server drops it without the gate MaxUnavailableStatefulSet';
  return [`${title(workload)}: maxUnavailable ${maxUnavailable} counts as 1 (${gate})`];
}

function stopping(workload: Workload, message: string, goesFirst: boolean): Finding {
  if (!isDeployment(workload.source)) {
    const path = isStatefulSet(workload.source) ? 'spec.updateStrategy' : 'spec.strategy';
    return finding(workload, { path, message, shows: '{.spec}' });
  }
  const rollingUpdate = goesFirst
    ? { maxSurge: 0, maxUnavailable: 1 }
    : { maxUnavailable: '25%', maxSurge: 1 };
  return finding(workload, {
    path: 'spec.strategy',
    message,
    shows: '{.spec.strategy}',
    patch: { spec: { strategy: { type: 'RollingUpdate', rollingUpdate } } },
  });
}
