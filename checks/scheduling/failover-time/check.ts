/** The pods of a lost node are given up, and replaced elsewhere, before long. */
import type { Collection } from '../../../core/artifacts.ts';
import { defineCheck } from '../../../core/check.ts';
import { boundedTolerations, lostNodeTaints, toleratedSeconds } from '../../../core/failover.ts';
import { finding, templatePatch } from '../../../core/finding.ts';
import { N, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import { eligibleNodes, kubernetesTaints, windowsTaint } from '../../../core/nodes.ts';
import type { Node, Toleration } from '../../../core/objects.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import type { Scope } from '../../../core/scope.ts';
import { isExclusive } from '../../../core/spread.ts';
import { title } from '../../../core/text.ts';
import type { Workload } from '../../../core/workload.ts';
import { isStatefulSet } from '../../../core/workload-source.ts';

export default defineCheck({
  id: 'failover-time',
  title: 'Workloads leave a lost node in bounded time',
  failureTitle: 'Workloads stay bound to a lost node',
  testName: 'workloads in ns/<namespace> should leave a lost node in bounded time',
  suite: 'scheduling',
  scope: 'namespace',
  severity: 'minor',
  stage: 'observe',
  source: [
    {
      title: 'Taints and Tolerations, taint based evictions',
      url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/#taint-based-evictions',
    },
  ],
  requires: [...W, ...N],
  uses: [...usesOfW, ...usesOfN],
  redundant: true,
  breaks:
    'The pods of a lost node are never (or late) replaced; capacity stays reduced although other ' +
    'nodes have room.',
  fix: 'Tolerate node.kubernetes.io/unreachable and not-ready for a limited time, such as 120 s.',
  run(artifacts, scope) {
    const { nodes } = artifacts;
    const population = redundantWorkloads(artifacts, scope);
    const movable = population.workloads
      .filter((workload) => workload.class === 'replicated' && workload.isTemplateKnown)
      .map((workload) => ({
        workload,
        // Manifests know no nodes: there will be enough.
        eligible: nodes.known ? eligibleNodes(workload.spec, nodes.all).length : undefined,
      }))
      .filter(({ eligible }) => eligible === undefined || eligible >= 2);
    const notes = movable
      .filter(({ workload }) => isStatefulSet(workload.source))
      .map(({ workload }) => `${title(workload)}: ${untilGone}`);
    return {
      ...population,
      examined: movable.length,
      findings: movable.flatMap(({ workload, eligible }) => {
        const { tolerations = [] } = workload.spec;
        const unknown = tolerations.filter((toleration) => isUnknown(toleration, nodes));
        const others = tolerations.filter((toleration) => !unknown.includes(toleration));
        const stay = staying(workload, eligible, scope);
        return [...stay, ...misspelt(unknown, workload)].map((message) =>
          finding(workload, {
            path: 'spec.template.spec.tolerations',
            message,
            shows: '{.spec.template.spec.tolerations}',
            patch: templatePatch(workload, { tolerations: boundedTolerations(others) }),
          }),
        );
      }),
      notes: [...population.notes, ...notes],
    };
  },
});

const untilGone =
  'after eviction the pod is replaced only when the node returns, is deleted, or is tainted out-of-service';

/** What is said of a pod that a lost node keeps; nothing where it lets it go in time. */
function staying(
  workload: Workload,
  eligible: number | undefined,
  scope: Scope,
): readonly string[] {
  const stays = lostNodeTaints.map((key) => ({
    key,
    seconds: toleratedSeconds(workload.spec, key),
  }));
  const endless = stays.filter(({ seconds }) => seconds === Number.POSITIVE_INFINITY);
  if (endless.length > 0) {
    // With a replica on every node there is no other one to go to.
    const isEverywhere = eligible === undefined || workload.replicas >= eligible;
    if (isEverywhere && isExclusive(workload, scope)) return [];
    const taints = endless.map(({ key }) => key).join(' and ');
    return [`tolerates ${taints} without limit: the pod is never replaced`];
  }
  const { tolerationMax } = scope.cluster.thresholds;
  const long = stays
    .filter(({ seconds }) => seconds > tolerationMax)
    .map(({ key, seconds }) => `${key.slice(prefix.length)} for ${seconds} s`);
  if (long.length === 0) return [];
  return [`tolerates ${long.join(' and ')}; at most ${tolerationMax} s`];
}

const prefix = 'node.kubernetes.io/';

const taints = [...kubernetesTaints, windowsTaint];

function isUnknown({ key = '' }: Toleration, nodes: Collection<Node>): boolean {
  // Somebody may have made up another.
  const isGiven = nodes.all.some(({ spec }) => spec?.taints?.some((taint) => taint.key === key));
  return key.startsWith(prefix) && !taints.includes(key) && !isGiven;
}

/** What it was meant to do is done by other tolerations, or by those that admission adds. */
function misspelt(unknown: readonly Toleration[], { spec }: Workload): readonly string[] {
  const seconds = Math.max(...lostNodeTaints.map((key) => toleratedSeconds(spec, key)));
  return [...Map.groupBy(unknown, ({ key }) => key)].map(([key, same]) => {
    const isEviction = same.some(({ effect = 'NoExecute' }) => effect === 'NoExecute');
    const instead = isEviction && Number.isFinite(seconds) ? `; ${seconds} s apply instead` : '';
    return `tolerates ${key}, a taint that does not exist${instead}`;
  });
}
