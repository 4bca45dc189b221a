/** The data of a workload does not lie on the disk of a single node. */
import type { Artifacts } from '../../../core/artifacts.ts';
import { floorOf } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { volumeSlots } from '../../../core/claims.ts';
import { finding } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import type { PersistentVolume } from '../../../core/objects.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import type { Finding } from '../../../core/result.ts';
import { names, title } from '../../../core/text.ts';
import { isHostPath, isLocal, mountingNodes } from '../../../core/volumes.ts';
import type { Workload } from '../../../core/workload.ts';
import { isStatefulSet } from '../../../core/workload-source.ts';

export default defineCheck({
  id: 'local-storage',
  title: 'Workloads do not depend on the disk of one node',
  failureTitle: 'Workloads depend on the disk of one node',
  testName: 'workloads in ns/<namespace> should not depend on the disk of one node',
  suite: 'storage',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'Volumes, local',
      url: 'https://kubernetes.io/docs/concepts/storage/volumes/#local',
    },
  ],
  requires: [...W, ...A, ...N, 'persistentVolumeClaims', 'persistentVolumes'],
  uses: [...usesOfW, ...usesOfA, ...usesOfN],
  redundant: true,
  breaks:
    'With the node goes the data, and the pod stays Pending until the node is back (a hostPath ' +
    'volume without node affinity: it starts elsewhere, without its data).',
  fix: 'Use a StorageClass of network volumes, or three replicas of a database that replicates.',
  run(artifacts, scope) {
    const population = redundantWorkloads(artifacts, scope);
    const notes = [...population.notes];
    const findings: Finding[] = [];
    let examined = 0;
    for (const workload of population.workloads) {
      if (workload.class !== 'replicated') continue;
      const floor = floorOf(workload, artifacts, scope).replicas;
      const disks = disksOf(workload, floor, artifacts);
      const [first] = disks;
      if (!first) continue;
      examined += 1;
      const single = floor < 2 ? first : disks.find(isOfOneNode);
      if (single) findings.push(tied(workload, single, floor));
      else notes.push(replicating(workload, first));
    }
    return { ...population, examined, findings, notes };
  },
});

/** What the replicas have on disks of nodes in one volume of their template. */
interface Disk {
  readonly kind: 'local' | 'hostPath';
  readonly nodes: readonly string[];
  readonly volumes: number;
  /** Whether every replica has its place. */
  readonly isComplete: boolean;
}

type DiskArtifacts = Artifacts<'nodes' | 'persistentVolumeClaims' | 'persistentVolumes'>;

function disksOf(workload: Workload, floor: number, artifacts: DiskArtifacts): readonly Disk[] {
  // A floor of one leaves the first replica, whatever the number of the moment.
  const replicas = floor < 2 ? 1 : Math.max(workload.replicas, floor);
  const claimed = volumeSlots(workload, replicas, artifacts).flatMap((slot) => {
    const local = slot.flatMap(({ volume }) => (volume && isLocal(volume) ? [volume] : []));
    return local.length > 0 ? [claimedDisk(local, slot.length, workload, artifacts)] : [];
  });
  if (!hasWritableHostPath(workload)) return claimed;
  const nodes = nodesOfPods(workload);
  const isComplete = nodes.length >= replicas;
  const own = { kind: 'hostPath', nodes: distinct(nodes), volumes: replicas, isComplete } as const;
  return [...claimed, own];
}

function claimedDisk(
  local: readonly PersistentVolume[],
  claims: number,
  workload: Workload,
  { nodes }: DiskArtifacts,
): Disk {
  // A hostPath volume that names no node is where its pod is.
  const places = local.flatMap((volume) =>
    volume.spec?.nodeAffinity
      ? mountingNodes(volume, nodes.all).map(({ metadata }) => metadata.name)
      : nodesOfPods(workload),
  );
  return {
    kind: local.some(isHostPath) ? 'hostPath' : 'local',
    nodes: distinct(places),
    volumes: local.length,
    isComplete: local.length === claims,
  };
}

const nodesOfPods = ({ counted }: Workload) => counted.flatMap(({ spec }) => spec?.nodeName ?? []);
const distinct = (all: readonly string[]) => [...new Set(all)];

/** A StatefulSet is meant to keep something; in others such a volume is mostly a socket or a log. */
function hasWritableHostPath({ source, spec }: Workload): boolean {
  const { volumes = [], containers = [], initContainers = [] } = spec;
  const written = [...containers, ...initContainers].flatMap(({ volumeMounts = [] }) =>
    volumeMounts.filter(({ readOnly }) => !readOnly).map(({ name }) => name),
  );
  return (
    isStatefulSet(source) &&
    volumes.some(({ name, hostPath }) => hostPath && written.includes(name))
  );
}

const isOfOneNode = ({ nodes, isComplete }: Disk) => isComplete && nodes.length === 1;

function tied(workload: Workload, { kind, nodes, volumes }: Disk, floor: number): Finding {
  const who = floor < 2 ? '1 replica keeps its data' : `${floor} replicas keep their data`;
  const what = volumes === 1 ? `a ${kind} volume` : `${kind} volumes`;
  const where = nodes.length > 0 ? ` on ${names(nodes)}` : '';
  return finding(workload, { message: `${who} in ${what}${where}`, shows: '{.spec}' });
}

function replicating(workload: Workload, { kind }: Disk): string {
  return `${title(workload)}: ${kind} volumes, data must be replicated by the application`;
}
