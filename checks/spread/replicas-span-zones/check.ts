/** Where the replicas really run: not all in one zone, nor the majority of a quorum set. */
import type { ScalerArtifacts } from '../../../core/autoscaler.ts';
import { floorOf } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding, podsCommand } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import { eligibleNodes, zoneOf } from '../../../core/nodes.ts';
import { crowdOf, placedOn, zonesOf } from '../../../core/placement.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import { isQuorumSet, isTooSmallForQuorum, survives } from '../../../core/quorum.ts';
import type { Scope } from '../../../core/scope.ts';
import { names } from '../../../core/text.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'replicas-span-zones',
  title: 'Replicas run in different zones',
  failureTitle: 'All replicas of a workload run in one zone',
  testName: 'workloads in ns/<namespace> should spread replicas across zones',
  suite: 'spread',
  scope: 'namespace',
  severity: 'major',
  stage: 'observe',
  source: [
    {
      title: 'Running in multiple zones',
      url: 'https://kubernetes.io/docs/setup/best-practices/multiple-zones/',
    },
  ],
  requires: [...W, ...A, ...N],
  uses: [...usesOfW, ...usesOfA, ...usesOfN],
  live: true,
  redundant: true,
  breaks: 'A zone outage stops the workload though other zones have room.',
  fix: 'Declare a topology spread constraint over zones, then let the pods be placed again.',
  run(artifacts, scope) {
    const nodes = artifacts.nodes.all;
    const zoneOfNode = new Map(nodes.map((node) => [node.metadata.name, zoneOf(node)]));
    const population = redundantWorkloads(artifacts, scope);
    const candidates = population.workloads
      .filter((workload) => workload.class === 'replicated' && isLarge(workload, artifacts, scope))
      .map((workload) => ({
        workload,
        placed: placedOn(workload),
        zones: zonesOf(eligibleNodes(workload.spec, nodes)),
      }))
      // All on one node is worse, and is reported as that.
      .filter(({ placed }) => new Set(placed).size >= 2);
    const judged = candidates.filter(({ zones }) => zones.length >= 2);
    const findings = judged.flatMap(({ workload, placed, zones }) => {
      // A pod whose zone is unknown may be anywhere: it tells nothing.
      const used = placed.flatMap((node) => zoneOfNode.get(node) ?? []);
      const message = crowding(workload, used, zones);
      if (message === undefined) return [];
      return [finding(workload, { message, command: podsCommand(workload) })];
    });
    const skip = candidates.length > 0 ? { skip: 'one zone' } : {};
    return { ...population, ...skip, examined: judged.length, findings };
  },
});

/** Two replicas are no help to a quorum set, wherever they are: its size is at fault. */
function isLarge(workload: Workload, artifacts: ScalerArtifacts, scope: Scope): boolean {
  const { replicas } = floorOf(workload, artifacts, scope);
  return replicas >= 2 && !isTooSmallForQuorum(workload, replicas);
}

function crowding(
  workload: Workload,
  used: readonly string[],
  zones: readonly string[],
): string | undefined {
  const crowd = crowdOf(used);
  if (used.length < 2 || survives(workload, crowd.length, used.length)) return undefined;
  if (!isQuorumSet(workload)) {
    const share = `${crowd.length} of ${used.length} replicas in zone ${crowd[0]}`;
    return `${share}; eligible zones: ${names(zones)}`;
  }
  // Of two zones one always has the majority.
  if (zones.length < 3) return undefined;
  return `quorum set: ${crowd.length} of ${used.length} members in zone ${crowd[0]}`;
}
