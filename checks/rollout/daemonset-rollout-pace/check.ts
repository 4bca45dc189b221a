/** DaemonSets are updated neither on all nodes at once nor, on OpenShift, one node after the other. */
import type { Collection } from '../../../core/artifacts.ts';
import { defineCheck } from '../../../core/check.ts';
import { controlLoopNote } from '../../../core/control-loop.ts';
import { finding } from '../../../core/finding.ts';
import { intOrPercentText } from '../../../core/int-or-percent.ts';
import { N, T, usesOfL, usesOfN, usesOfT, usesOfW, W } from '../../../core/kinds.ts';
import { eligibleNodes } from '../../../core/nodes.ts';
import type { Node } from '../../../core/objects.ts';
import { isControlPlaneBound, runningWorkloads } from '../../../core/population.ts';
import type { Finding } from '../../../core/result.ts';
import { daemonRolling, daemonSetDefaults, malformedBounds } from '../../../core/rolling.ts';
import type { Scope } from '../../../core/scope.ts';
import { title } from '../../../core/text.ts';
import type { Workload } from '../../../core/workload.ts';
import { isDaemonSet } from '../../../core/workload-source.ts';

export default defineCheck({
  id: 'daemonset-rollout-pace',
  title: 'DaemonSets roll out at the agreed pace',
  failureTitle: 'DaemonSets roll out too slowly or all at once',
  testName: 'DaemonSets in ns/<namespace> should roll out at the agreed pace',
  suite: 'rollout',
  scope: 'namespace',
  severity: 'minor',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift conventions: DaemonSets use maxUnavailable of 10% or 33%',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#upgrade-and-reconfiguration',
    },
  ],
  requires: [...W, ...N, ...T],
  uses: [...usesOfW, ...usesOfN, ...usesOfT, ...usesOfL],
  breaks:
    'All at once: every node loses the function together. One by one: an update of hundreds of ' +
    'nodes takes days.',
  fix: 'Set maxUnavailable to 10%, or to 33% where nobody notices a node without it.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const notes = [...population.notes];
    const findings: Finding[] = [];
    let examined = 0;
    let unknown = 0;
    for (const workload of population.workloads) {
      const update = updateOf(workload, artifacts.nodes);
      if (!update) continue;
      const isAgreed = hasAgreedPace(workload, scope);
      const together = allTogether(update);
      if (update.desired === undefined && together === undefined && !isAgreed) {
        unknown += 1;
        continue;
      }
      examined += 1;
      const loop = together && controlLoopNote(workload, artifacts, scope);
      if (loop) notes.push(`${title(workload)}: a control loop, may pause on all nodes together`);
      const message = (loop ? undefined : together) ?? (isAgreed ? offPace(update) : undefined);
      if (message) findings.push(mispaced(update, message));
    }
    return { examined, findings, notes, ...(unknown > 0 && { skip: 'no live state' }) };
  },
});

interface Update {
  readonly workload: Workload;
  readonly maxUnavailable: number | string;
  readonly maxSurge: number | string;
  /** How many nodes it runs on; undefined where only manifests are known. */
  readonly desired: number | undefined;
}

/** Undefined where nothing is rolled out, or only one node could be updated at a time anyway. */
function updateOf(workload: Workload, nodes: Collection<Node>): Update | undefined {
  const { source, spec, isManifest, replicas } = workload;
  if (!isDaemonSet(source) || source.spec?.updateStrategy?.type === 'OnDelete') return undefined;
  const eligible = nodes.known ? eligibleNodes(spec, nodes.all).length : undefined;
  if (eligible !== undefined && eligible < 2) return undefined;
  const bounds = { ...daemonSetDefaults, ...source.spec?.updateStrategy?.rollingUpdate };
  return { workload, ...bounds, desired: isManifest ? eligible : replicas };
}

/** The convention is for what runs on all nodes: three control-plane nodes are updated one by one. */
function hasAgreedPace(workload: Workload, { class: cls, cluster }: Scope): boolean {
  return cluster.openshift && cls === 'platform' && !isControlPlaneBound(workload);
}

function allTogether(update: Update): string | undefined {
  const { maxUnavailable, desired } = update;
  const resolved = daemonRolling(update, desired ?? 1);
  if (!resolved) return malformedBounds(update);
  if (desired === undefined || desired < 2) return undefined;
  if (resolved.surge > 0 || resolved.unavailable < desired) return undefined;
  const bound = `maxUnavailable ${intOrPercentText(maxUnavailable)}`;
  return `may take down ${desired} of ${desired} nodes together (${bound})`;
}

function offPace({ maxUnavailable, maxSurge }: Update): string | undefined {
  const [name, value] =
    isNone(maxUnavailable) && !isNone(maxSurge)
      ? ['maxSurge', maxSurge]
      : ['maxUnavailable', maxUnavailable];
  if (value === '10%' || value === '33%') return undefined;
  return `${name} ${intOrPercentText(value)}; convention: 10% or 33%`;
}

const isNone = (bound: number | string) => bound === 0 || bound === '0%';

function mispaced({ workload, maxUnavailable }: Update, message: string): Finding {
  // What adds a pod before it takes one away goes on doing so.
  const rollingUpdate = isNone(maxUnavailable)
    ? { maxUnavailable: 0, maxSurge: '10%' }
    : { maxUnavailable: '10%', maxSurge: 0 };
  return finding(workload, {
    path: 'spec.updateStrategy',
    message,
    shows: '{.spec.updateStrategy}',
    patch: { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate } } },
  });
}
