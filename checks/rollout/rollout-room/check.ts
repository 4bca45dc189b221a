/** An update that adds a pod before it takes one away finds a place for it. */
import type { Artifacts } from '../../../core/artifacts.ts';
import type { ScalerArtifacts } from '../../../core/autoscaler.ts';
import { floorOf } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import type { DaemonSet, Deployment } from '../../../core/objects.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import type { Finding } from '../../../core/result.ts';
import { boundText, daemonRolling, deploymentDefaults, rolling } from '../../../core/rolling.ts';
import type { Scope } from '../../../core/scope.ts';
import { exclusionOfNext, termsOfNext } from '../../../core/spread.ts';
import { crowding, heldVolume } from '../../../core/surge.ts';
import { count, title } from '../../../core/text.ts';
import type { Workload } from '../../../core/workload.ts';
import { isDaemonSet, isDeployment } from '../../../core/workload-source.ts';

const volumeKinds = ['persistentVolumeClaims', 'persistentVolumes'] as const;

export default defineCheck({
  id: 'rollout-room',
  title: 'A rollout finds room for the first new pod',
  failureTitle: 'A rollout can never place its first new pod',
  testName: 'workloads in ns/<namespace> should have room to roll out',
  suite: 'rollout',
  scope: 'namespace',
  severity: 'critical',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift conventions, High Availability: maxUnavailable with hard anti-affinity',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#high-availability',
    },
  ],
  requires: [...W, ...A, ...N],
  uses: [...usesOfW, ...usesOfA, ...usesOfN, ...volumeKinds],
  redundant: true,
  breaks:
    'The next update hangs with a Pending pod until someone deletes an old one by hand; security ' +
    'fixes do not arrive.',
  fix: 'Let the rollout take an old pod away first: maxSurge 0 and maxUnavailable 1, or Recreate.',
  run(artifacts, scope) {
    const population = redundantWorkloads(artifacts, scope);
    const judged = population.workloads
      .map((workload) => ({ workload, verdict: judge(workload, artifacts, scope) }))
      .filter(({ verdict }) => verdict !== 'not judged');
    const unknown = judged.filter(({ verdict }) => verdict === 'unknown');
    const notes = unknown.map(
      ({ workload }) => `${title(workload)}: how many nodes there are is not known`,
    );
    return {
      ...population,
      examined: judged.length - unknown.length,
      findings: judged.flatMap(({ verdict }) => (typeof verdict === 'string' ? [] : [verdict])),
      notes: [...population.notes, ...notes],
      ...(unknown.length > 0 && { skip: 'no live state' }),
    };
  },
});

type Verdict = Finding | 'room' | 'unknown' | 'not judged';
type RoomArtifacts = ScalerArtifacts & Artifacts<'nodes', (typeof volumeKinds)[number]>;

function judge(workload: Workload, artifacts: RoomArtifacts, scope: Scope): Verdict {
  const { source } = workload;
  if (isDaemonSet(source)) return judgeDaemonSet(workload, source, scope);
  if (!isDeployment(source)) return 'not judged';
  return judgeDeployment(workload, source, artifacts, scope);
}

/** Its surge pod goes to the node of the old one, or nowhere. */
function judgeDaemonSet(workload: Workload, { spec }: DaemonSet, scope: Scope): Verdict {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  const { maxSurge = 0 } = rollingUpdate ?? {};
  const surge = daemonRolling(rollingUpdate, workload.replicas)?.surge ?? 0;
  if (type === 'OnDelete' || surge === 0) return 'not judged';
  const exclusion = exclusionOfNext(workload, scope);
  if (exclusion === undefined) return 'room';
  const bound = boundText('maxSurge', maxSurge, surge);
  return finding(workload, {
    path: 'spec.updateStrategy',
    message: `${exclusion}, ${bound}: the new pod never fits beside the old one`,
    shows: '{.spec.updateStrategy}',
    patch: { spec: { updateStrategy: { rollingUpdate: oldFirst } } },
  });
}

const oldFirst = { maxSurge: 0, maxUnavailable: 1 };

function judgeDeployment(
  workload: Workload,
  { spec }: Deployment,
  artifacts: RoomArtifacts,
  scope: Scope,
): Verdict {
  const { type, rollingUpdate } = spec?.strategy ?? {};
  // An autoscaler brings a manifest to its floor before anything is rolled out.
  const replicas = Math.max(workload.replicas, floorOf(workload, artifacts, scope).replicas);
  const bounds = { ...deploymentDefaults, ...rollingUpdate };
  const resolved = rolling(bounds, replicas);
  if (type === 'Recreate' || !resolved) return 'not judged';
  if (resolved.unavailable > 0) return 'room';
  const { nodes } = artifacts;
  const crowd = nodes.known ? crowding(workload, replicas, nodes.all, scope) : undefined;
  if (crowd !== undefined) {
    const texts = [
      `${count(replicas, 'replica')} with ${crowd}`,
      boundText('maxUnavailable', bounds.maxUnavailable, resolved.unavailable),
      boundText('maxSurge', bounds.maxSurge, resolved.surge),
    ];
    const message = `${texts.join(', ')}: the surge pod fits nowhere`;
    return stuck(workload, message, { rollingUpdate: oldFirst });
  }
  const mode = heldVolume(workload, replicas, artifacts, scope);
  if (mode !== undefined) {
    const may = mode === 'ReadWriteOncePod' ? 'waits' : 'may wait';
    const message = `${count(replicas, 'replica')} with a ${mode} volume and a surge rollout: the new pod ${may} for the volume for ever`;
    return stuck(workload, message, { type: 'Recreate', rollingUpdate: null });
  }
  return nodes.known || !isKeptApart(workload, scope) ? 'room' : 'unknown';
}

function stuck(workload: Workload, message: string, strategy: Readonly<Record<string, unknown>>) {
  return finding(workload, {
    path: 'spec.strategy',
    message,
    shows: '{.spec.strategy}',
    patch: { spec: { strategy } },
  });
}

function isKeptApart(workload: Workload, scope: Scope): boolean {
  return exclusionOfNext(workload, scope) !== undefined || termsOfNext(workload, scope).length > 0;
}
