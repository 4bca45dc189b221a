/** The volumes of a workload let its replicas start in more than one zone, and on more than one node. */
import { floorOf } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import type { SlotVolume } from '../../../core/claims.ts';
import { volumeSlots } from '../../../core/claims.ts';
import { finding, kubectlGet } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import { eligibleNodes, zoneOf } from '../../../core/nodes.ts';
import type { Node, PersistentVolume } from '../../../core/objects.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import type { Finding } from '../../../core/result.ts';
import { count, names } from '../../../core/text.ts';
import { isLocal, mountingNodes, zonesOf } from '../../../core/volumes.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'volume-zone-spread',
  title: 'Volumes let replicas live in several zones',
  failureTitle: 'Volumes tie all replicas to one zone or node',
  testName: 'volumes in ns/<namespace> should let replicas run in more than one zone',
  suite: 'storage',
  scope: 'namespace',
  severity: 'major',
  stage: 'observe',
  source: [
    {
      title: 'Storage Classes, volume binding mode and topology',
      url: 'https://kubernetes.io/docs/concepts/storage/storage-classes/#volume-binding-mode',
    },
  ],
  requires: [...W, ...A, ...N, 'persistentVolumeClaims', 'persistentVolumes'],
  uses: [...usesOfW, ...usesOfA, ...usesOfN],
  live: true,
  redundant: true,
  breaks: 'Replicas cannot start elsewhere when the zone goes, because their data cannot.',
  fix: 'Bind volumes when their pod is placed (WaitForFirstConsumer) and spread the pods over zones.',
  run(artifacts, scope) {
    const population = redundantWorkloads(artifacts, scope);
    const holders = population.workloads
      .filter((workload) => workload.class === 'replicated')
      .map((workload) => {
        const floor = floorOf(workload, artifacts, scope).replicas;
        const replicas = Math.max(workload.replicas, floor);
        const eligible = eligibleNodes(workload.spec, artifacts.nodes.all);
        const slots = volumeSlots(workload, replicas, artifacts);
        return { workload, floor, replicas, slots, eligible, zones: zonesAmong(eligible) };
      })
      .filter(({ floor, slots }) => floor >= 2 && slots.flat().some(({ volume }) => volume));
    const judged = holders.filter(({ zones }) => zones.length >= 2);
    return {
      ...population,
      examined: judged.length,
      findings: judged.flatMap((holder) => zoneFault(holder) ?? nodeFaults(holder)),
      ...(holders.length > 0 && { skip: 'one zone' }),
    };
  },
});

interface Holder {
  readonly workload: Workload;
  readonly replicas: number;
  readonly slots: readonly (readonly SlotVolume[])[];
  readonly eligible: readonly Node[];
  readonly zones: readonly string[];
}

function zonesAmong(nodes: readonly Node[]): readonly string[] {
  return [...new Set(nodes.flatMap((node) => zoneOf(node) ?? []))];
}

/** A replica needs a volume of every slot: one slot in one zone ties all of them to it. */
function zoneFault({ workload, replicas, slots, zones }: Holder): Finding | undefined {
  const [tie] = slots.flatMap((slot) => onlyZone(slot) ?? []);
  if (!tie) return undefined;
  const eligible = `eligible zones ${names(zones)}`;
  return finding(workload, {
    message: `volumes of all ${count(replicas, 'replica')} lie in zone ${tie.zone}; ${eligible}`,
    command: volumesCommand(tie.volumes),
  });
}

/** What is not bound yet may come to lie in any zone. */
function onlyZone(slot: readonly SlotVolume[]) {
  const volumes = slot.flatMap(({ volume }) => volume ?? []);
  const zones = volumes.map(zonesOf);
  const [zone, ...others] = new Set(zones.flatMap((own) => own ?? []));
  const isTied = volumes.length === slot.length && !zones.includes(undefined);
  return isTied && zone !== undefined && others.length === 0 ? { zone, volumes } : undefined;
}

/** Those on the disk of one node are another matter. */
function nodeFaults({ workload, slots, eligible }: Holder): readonly Finding[] {
  return slots.flat().flatMap(({ claim, volume }) => {
    if (!volume || isLocal(volume)) return [];
    const [only, ...others] = mountingNodes(volume, eligible);
    if (!only || others.length > 0) return [];
    const message = `claim ${claim}: only ${only.metadata.name} can mount it`;
    return [finding(workload, { message, command: volumesCommand([volume]) })];
  });
}

function volumesCommand(volumes: readonly PersistentVolume[]): string {
  return kubectlGet([
    'persistentvolumes',
    ...volumes.map(({ metadata }) => metadata.name),
    '-o',
    'yaml',
  ]);
}
