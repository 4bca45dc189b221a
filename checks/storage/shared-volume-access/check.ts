/** A volume that all replicas of a workload name can be mounted on all their nodes. */
import { mostReplicas } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { claimSlots } from '../../../core/claims.ts';
import { finding } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import { count, title } from '../../../core/text.ts';
import { accessModes, boundVolume, isMountedByMany } from '../../../core/volumes.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'shared-volume-access',
  title: 'Replicas that share a volume may mount it on several nodes',
  failureTitle: 'Replicas share a volume that one node holds',
  testName: 'workloads in ns/<namespace> should not share a single-node volume between replicas',
  suite: 'storage',
  scope: 'namespace',
  severity: 'critical',
  stage: 'flake',
  source: [
    {
      title: 'Persistent Volumes, access modes',
      url: 'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes',
    },
  ],
  requires: [...W, ...A, ...N, 'persistentVolumeClaims'],
  uses: [...usesOfW, ...usesOfA, ...usesOfN, 'persistentVolumes'],
  redundant: true,
  breaks:
    'All replicas are forced onto one node, or the others hang in ContainerCreating; after a node ' +
    'loss the volume stays attached there.',
  fix: 'Give each replica a volume of its own (a StatefulSet), or all of them a ReadWriteMany one.',
  run(artifacts, scope) {
    const { persistentVolumeClaims, persistentVolumes } = artifacts;
    const population = redundantWorkloads(artifacts, scope);
    const sharers = population.workloads
      // What makes pods one by one has no template that they share.
      .filter((workload) => workload.class === 'replicated' && workload.source)
      .map((workload) => ({
        workload,
        replicas: mostReplicas(workload, artifacts, scope),
        claims: claimSlots(workload, 0).flatMap(({ claims }) => claims),
      }))
      .filter(({ replicas, claims }) => replicas >= 2 && claims.length > 0);
    const shares = sharers.flatMap(({ workload, replicas, claims }) =>
      claims.map((name) => {
        const claim = persistentVolumeClaims.get(workload.namespace, name);
        const volume = claim && persistentVolumes && boundVolume(claim, persistentVolumes);
        const modes = claim ? accessModes(claim, volume) : [];
        return { workload, replicas, name, modes };
      }),
    );
    const unknown = shares.filter(({ modes }) => modes.length === 0);
    return {
      ...population,
      examined: sharers.length,
      findings: shares
        .filter(({ modes }) => modes.length > 0 && !isMountedByMany(modes))
        .map(({ workload, ...share }) => held(workload, share)),
      notes: [
        ...population.notes,
        ...unknown.map(
          ({ workload, name }) => `${title(workload)}: access modes of claim ${name} not known`,
        ),
      ],
    };
  },
});

interface Share {
  readonly replicas: number;
  readonly name: string;
  readonly modes: readonly string[];
}

function held(workload: Workload, { replicas, name, modes }: Share) {
  const upTo = replicas > workload.replicas ? 'up to ' : '';
  const consequence = modes.includes('ReadWriteOncePod')
    ? 'only one replica can ever run'
    : 'they can only run on the node that holds it';
  const share = `${upTo}${count(replicas, 'replica')} share claim ${name}`;
  return finding(workload, {
    path: 'spec.template.spec.volumes',
    message: `${share} (${modes.join(', ')}): ${consequence}`,
    shows: '{.spec.template.spec.volumes}',
  });
}
