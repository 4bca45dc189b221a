/** Two replicas at least, unless nothing waits for the only one. */
import type { Artifacts } from '../../../core/artifacts.ts';
import type { Floor } from '../../../core/autoscaler.ts';
import { floorOf, isScaledObject, raisedFloor } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { controlLoopNote } from '../../../core/control-loop.ts';
import { finding } from '../../../core/finding.ts';
import { A, N, T, usesOfA, usesOfL, usesOfN, usesOfT, usesOfW, W } from '../../../core/kinds.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import { isTooSmallForQuorum } from '../../../core/quorum.ts';
import type { Finding } from '../../../core/result.ts';
import { count, names, title } from '../../../core/text.ts';
import { minimumReplicas } from '../../../core/thresholds.ts';
import { isFrontDoor } from '../../../core/traffic.ts';
import type { Workload } from '../../../core/workload.ts';
import { declaredReplicas } from '../../../core/workload-source.ts';

const evidence = [...usesOfT, ...usesOfL] as const;

export default defineCheck({
  id: 'replicas-sufficient',
  title: 'Workloads keep at least two replicas',
  failureTitle: 'Workloads keep too few replicas to lose one',
  testName: 'workloads in ns/<namespace> should have sufficient replicas for HA',
  suite: 'redundancy',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift conventions, High Availability',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#high-availability',
    },
  ],
  requires: [...W, ...A, ...N, ...T],
  uses: [...usesOfW, ...usesOfA, ...usesOfN, ...evidence],
  redundant: true,
  breaks:
    'The only replica goes with its node; its clients get errors until the pod is evicted (after ' +
    '300 s by default), rescheduled and started.',
  fix: 'Run two replicas, or raise the floor of the autoscaler to two.',
  run(artifacts, scope) {
    const population = redundantWorkloads(artifacts, scope);
    const candidates = population.workloads
      .filter((workload) => workload.class === 'replicated')
      .map((workload) => ({ workload, floor: floorOf(workload, artifacts, scope) }))
      // Two replicas would be no help to these; their size is judged as that of a quorum set.
      .filter(({ workload, floor }) => !isTooSmallForQuorum(workload, floor.replicas));
    const findings: Finding[] = [];
    const notes = [...population.notes];
    for (const { workload, floor } of candidates) {
      const minimum = minimumReplicas(scope.cluster.thresholds, workload);
      if (floor.replicas >= minimum) continue;
      const idles = floor.replicas === 0 && floor.scaler && isScaledObject(floor.scaler);
      if (idles && !isFrontDoor(workload, artifacts, scope)) {
        notes.push(`${title(workload)}: scales to zero when idle`);
        continue;
      }
      const loop = floor.replicas <= 1 ? controlLoopNote(workload, artifacts, scope) : undefined;
      if (loop !== undefined) notes.push(loop);
      else findings.push(tooFew(workload, floor, minimum, unread(artifacts)));
    }
    return { ...population, examined: candidates.length, findings, notes };
  },
});

function tooFew(workload: Workload, floor: Floor, minimum: number, hint: string): Finding {
  const keeps = `keeps ${count(floor.replicas, 'replica')}`;
  if (!floor.scaler) {
    const own = workload.source
      ? `spec.replicas ${declaredReplicas(workload.source) ?? 'unset, default 1'}`
      : count(workload.replicas, 'pod');
    return finding(workload, {
      path: 'spec.replicas',
      message: `${keeps} (${own}); needs ${minimum}${hint}`,
      shows: '{.spec.replicas}',
      patch: { spec: { replicas: minimum } },
    });
  }
  const { scaler, path, found } = floor;
  return finding(scaler, {
    path,
    message: `${keeps} at its floor (${found}) for ${title(workload)}; needs ${minimum}${hint}`,
    shows: '{.metadata.annotations}{.spec}',
    patch: raisedFloor(floor, minimum),
  });
}

/** What might have shown that it is a control loop, had it been readable. */
function unread(artifacts: Artifacts<never, (typeof evidence)[number]>): string {
  const kinds = evidence.filter((kind) => artifacts[kind] === undefined);
  return kinds.length > 0 ? ` (${names(kinds)} not readable)` : '';
}
