/** Where the replicas really run: not all on one node, nor the majority of a quorum set. */
import { floorOf } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding, podsCommand } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import { eligibleNodes, isUsable } from '../../../core/nodes.ts';
import type { Node } from '../../../core/objects.ts';
import { crowdOf, placedOn } from '../../../core/placement.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import { isQuorumSet, isTooSmallForQuorum, survives } from '../../../core/quorum.ts';
import type { Scope } from '../../../core/scope.ts';
import { hostnameKey, isExclusive, spreadTerms } from '../../../core/spread.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'replicas-span-nodes',
  title: 'Replicas run on different nodes',
  failureTitle: 'All replicas of a workload run on one node',
  testName: 'workloads in ns/<namespace> should spread replicas across nodes',
  suite: 'spread',
  scope: 'namespace',
  severity: 'critical',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift conventions, High Availability: no two replicas on a node',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#high-availability',
    },
  ],
  requires: [...W, ...A, ...N],
  uses: [...usesOfW, ...usesOfA, ...usesOfN],
  live: true,
  redundant: true,
  breaks:
    'One node reboot or loss stops the whole workload although it has replicas, and its drain must ' +
    'wait for its own replacement.',
  fix: 'Declare anti-affinity or a spread constraint, then delete one pod, or run a descheduler.',
  run(artifacts, scope) {
    const population = redundantWorkloads(artifacts, scope);
    const candidates = population.workloads
      .filter((workload) => workload.class === 'replicated')
      .filter((workload) => {
        const { replicas } = floorOf(workload, artifacts, scope);
        // A majority of two is both: wherever they are, that is for another check to say.
        return replicas >= 2 && !isTooSmallForQuorum(workload, replicas);
      })
      .map((workload) => ({
        workload,
        placed: placedOn(workload),
        eligible: eligibleNodes(workload.spec, artifacts.nodes.all),
      }))
      .filter(({ placed, eligible }) => placed.length >= 2 && eligible.length >= 2);
    const findings = candidates.flatMap(({ workload, placed, eligible }) => {
      const crowd = crowdOf(placed);
      if (survives(workload, crowd.length, placed.length)) return [];
      const set = isQuorumSet(workload)
        ? `quorum set: ${crowd.length} of ${placed.length} members`
        : `${crowd.length} of ${placed.length} replicas`;
      const message = `${set} on ${crowd[0]} (${reason(workload, eligible, scope)})`;
      return [finding(workload, { message, command: podsCommand(workload) })];
    });
    return { ...population, examined: candidates.length, findings };
  },
});

function reason(workload: Workload, eligible: readonly Node[], scope: Scope): string {
  if (eligible.filter(isUsable).length <= 1) return 'only one usable node';
  const terms = spreadTerms(workload, scope);
  if (terms.length === 0) return 'no anti-affinity and no topology spread';
  const own = terms.filter(({ selectsOwnPods }) => selectsOwnPods);
  const hard = own.some(({ isHard, key }) => isHard && key === hostnameKey);
  if (hard || isExclusive(workload, scope)) return 'placed before the constraint existed';
  const [soft] = own.filter(({ isHard }) => !isHard);
  if (soft) return `${soft.title} is not re-applied after placement`;
  return own.length > 0
    ? 'spread over another key than the node'
    : 'its constraint selects other pods';
}
