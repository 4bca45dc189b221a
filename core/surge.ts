/** What keeps a pod that an update adds from being placed beside those that are there. */
import type { Artifacts } from './artifacts.ts';
import { claimSlots } from './claims.ts';
import { eligibleNodes } from './nodes.ts';
import type { Node, PersistentVolumeClaim, TopologySpreadConstraint } from './objects.ts';
import type { Scope } from './scope.ts';
import type { SpreadTerm } from './spread.ts';
import { exclusionOfNext, hostnameKey, staysOnNode, termsOfNext } from './spread.ts';
import { spreadDomains, valuesOf } from './spread-domains.ts';
import { count } from './text.ts';
import { accessModes, boundVolume, isLocal, isMountedByMany, mountingNodes } from './volumes.ts';
import type { Workload } from './workload.ts';

/** Why one more than so many replicas fits on no node; undefined when it fits. */
export function crowding(
  workload: Workload,
  replicas: number,
  nodes: readonly Node[],
  scope: Scope,
): string | undefined {
  const eligible = eligibleNodes(workload.spec, nodes);
  // No rollout helps a workload that no node takes.
  if (eligible.length === 0) return undefined;
  const exclusion = exclusionOfNext(workload, scope);
  if (exclusion !== undefined && replicas >= eligible.length) {
    return `${exclusion} on ${count(eligible.length, 'eligible node')}`;
  }
  return termsOfNext(workload, scope)
    .map((term) =>
      term.constraint
        ? fullDomains(term.constraint, workload, replicas, nodes)
        : fullValues(term, replicas, eligible),
    )
    .find((full) => full !== undefined);
}

/** Anti-affinity on another key than the node's name. More replicas than values never fitted. */
function fullValues({ key }: SpreadTerm, replicas: number, eligible: readonly Node[]) {
  // A node without the key takes any number of them.
  const isLimited = eligible.every(({ metadata }) => Object.hasOwn(metadata.labels ?? {}, key));
  const values = valuesOf(key, eligible).length;
  if (key === hostnameKey || !isLimited || replicas !== values) return undefined;
  return `required anti-affinity on ${count(values, 'value')} of ${key}`;
}

/** A constraint whose smallest count stays 0, so that no domain may have more than its skew. */
function fullDomains(
  constraint: TopologySpreadConstraint,
  { spec }: Workload,
  replicas: number,
  nodes: readonly Node[],
): string | undefined {
  const { counted, usable, empty, limit } = spreadDomains(constraint, spec, nodes);
  if (replicas !== limit) return undefined;
  const { topologyKey, maxSkew = 1, minDomains = 1 } = constraint;
  return empty.length > 0
    ? `maxSkew ${maxSkew} over ${usable.length} usable of ${counted.length} values of ${topologyKey}`
    : `maxSkew ${maxSkew} and minDomains ${minDomains} over ${count(usable.length, 'value')} of ${topologyKey}`;
}

type VolumeArtifacts = Artifacts<never, 'persistentVolumeClaims' | 'persistentVolumes'>;

/** Which volume the replicas hold, so that a pod on another node does not get it. */
export function heldVolume(
  workload: Workload,
  replicas: number,
  artifacts: VolumeArtifacts & Artifacts<'nodes'>,
  scope: Scope,
): string | undefined {
  // More than one pod of the node that has a ReadWriteOnce volume can mount it.
  const isTogether = staysOnNode(workload, scope);
  return claimSlots(workload, replicas)
    .flatMap(({ claims }) => claims)
    .map((name) => artifacts.persistentVolumeClaims?.get(workload.namespace, name))
    .map((claim) => claim && heldMode(claim, workload, replicas, artifacts))
    .find((held) => held === 'ReadWriteOncePod' || (held !== undefined && !isTogether));
}

function heldMode(
  claim: PersistentVolumeClaim,
  { spec }: Workload,
  replicas: number,
  { nodes, persistentVolumes }: VolumeArtifacts & Artifacts<'nodes'>,
): 'ReadWriteOncePod' | 'ReadWriteOnce' | undefined {
  const volume = persistentVolumes && boundVolume(claim, persistentVolumes);
  const modes = accessModes(claim, volume);
  if (modes.includes('ReadWriteOncePod')) return 'ReadWriteOncePod';
  if (replicas > 1 || !modes.includes('ReadWriteOnce') || isMountedByMany(modes)) return undefined;
  // Where a volume can be mounted is not known before it is read; nobody waits for a local one.
  if (volume ? isLocal(volume) : claim.spec?.volumeName !== undefined) return undefined;
  if (!nodes.known) return 'ReadWriteOnce';
  const eligible = eligibleNodes(spec, nodes.all);
  const mounting = volume ? mountingNodes(volume, eligible) : eligible;
  return mounting.length >= 2 ? 'ReadWriteOnce' : undefined;
}
