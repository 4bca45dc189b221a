/** A set that decides by majority has one left when a member goes, and pays for no idle member. */
import { isYoung } from '../../../core/age.ts';
import type { Floor } from '../../../core/autoscaler.ts';
import { floorOf, raisedFloor } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import { isTerminating } from '../../../core/pods.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import { isQuorumSet, isTooSmallForQuorum, smallestQuorum } from '../../../core/quorum.ts';
import type { Finding } from '../../../core/result.ts';
import type { Scope } from '../../../core/scope.ts';
import { count, title } from '../../../core/text.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'quorum-size',
  title: 'Quorum sets have an odd size of three or more',
  failureTitle: 'Quorum sets cannot lose a member',
  testName: 'quorum sets in ns/<namespace> should be odd and survive one loss',
  suite: 'redundancy',
  scope: 'namespace',
  severity: 'critical',
  stage: 'flake',
  source: [
    {
      title: 'etcd FAQ: why an odd number of cluster members',
      url: 'https://etcd.io/docs/v3.6/faq/#why-an-odd-number-of-cluster-members',
    },
  ],
  requires: [...W, ...A, ...N],
  uses: [...usesOfW, ...usesOfA, ...usesOfN],
  redundant: true,
  breaks:
    'A set of one or two loses writes with the first node; an even set pays for a member that adds ' +
    'no tolerance.',
  fix: 'Run three members, or another odd number above three.',
  run(artifacts, scope) {
    const population = redundantWorkloads(artifacts, scope);
    const sets = population.workloads
      // How many pods a DaemonSet has nobody chooses.
      .filter((workload) => workload.class === 'replicated' && isQuorumSet(workload))
      .filter((workload) => workload.source || isSteady(workload, scope))
      .map((workload) => ({ workload, floor: floorOf(workload, artifacts, scope) }));
    const findings = sets.flatMap(({ workload, floor }) => {
      const { replicas } = floor;
      if (isTooSmallForQuorum(workload, replicas)) {
        return [wrongSize(workload, floor, ' the loss of 0; needs 3', smallestQuorum)];
      }
      if (replicas % 2 === 1) return [];
      const tolerance = ` the loss of ${replicas / 2 - 1}, as ${replicas - 1} do`;
      // To be taken away, a member must first be told to the others: one more is safer.
      return [wrongSize(workload, floor, tolerance, replicas + 1)];
    });
    const notes = sets.flatMap(({ workload, floor: { scaler } }) =>
      scaler
        ? [
            `${title(workload)}: a quorum set should not be autoscaled ` +
              `(${scaler.kind} ${scaler.metadata.name})`,
          ]
        : [],
    );
    return {
      ...population,
      examined: sets.length,
      findings,
      notes: [...population.notes, ...notes],
    };
  },
});

/** Only its pods tell the size of a custom set: not while one is replaced or has just been made. */
function isSteady({ pods }: Workload, scope: Scope): boolean {
  return pods.every((pod) => !isTerminating(pod) && !isYoung(pod, scope));
}

function wrongSize(workload: Workload, floor: Floor, tolerance: string, size: number): Finding {
  const members = count(floor.replicas, 'member');
  const tolerate = floor.replicas === 1 ? 'tolerates' : 'tolerate';
  if (!floor.scaler) {
    return finding(workload, {
      path: 'spec.replicas',
      message: `${members} ${tolerate}${tolerance}`,
      shows: '{.spec.replicas}',
      patch: { spec: { replicas: size } },
    });
  }
  const { scaler, path, found } = floor;
  return finding(scaler, {
    path,
    message: `${members} at its floor (${found}) for ${title(workload)} ${tolerate}${tolerance}`,
    shows: '{.metadata.annotations}{.spec}',
    patch: raisedFloor(floor, size),
  });
}
