/** What PersistentVolumes say of where they can be mounted. */
import type { Collection } from './artifacts.ts';
import { once } from './memo.ts';
import { isSelected } from './nodes.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim } from './objects.ts';
import { hostnameKey } from './spread.ts';

/** The volume that is bound to a claim, or is kept for it. */
export function boundVolume(
  { metadata, spec }: PersistentVolumeClaim,
  volumes: Collection<PersistentVolume>,
): PersistentVolume | undefined {
  const volume = byName(volumes).get(spec?.volumeName ?? '');
  const {
    namespace = metadata.namespace,
    name = metadata.name,
    uid = metadata.uid,
  } = volume?.spec?.claimRef ?? {};
  // What an earlier claim of that name has released is not this one's.
  const isOwn = namespace === metadata.namespace && name === metadata.name && uid === metadata.uid;
  return isOwn ? volume : undefined;
}

const byName = once(
  ({ all }: Collection<PersistentVolume>) =>
    new Map(all.map((volume) => [volume.metadata.name, volume])),
);

/** Those of the volume count: a claim may ask for less than it got. */
export function accessModes(
  claim: PersistentVolumeClaim,
  volume: PersistentVolume | undefined,
): readonly string[] {
  return volume?.spec?.accessModes ?? claim.spec?.accessModes ?? [];
}

/** Whether pods on several nodes can mount it at once. */
export function isMountedByMany(modes: readonly string[]): boolean {
  return modes.includes('ReadWriteMany') || modes.includes('ReadOnlyMany');
}

/** The nodes that can mount it: all of them where it says nothing. */
export function mountingNodes({ spec }: PersistentVolume, nodes: readonly Node[]): readonly Node[] {
  const required = spec?.nodeAffinity?.required;
  return required ? nodes.filter((node) => isSelected(node, required)) : nodes;
}

/** On the disk of one node, whatever driver says so. */
export function isLocal(volume: PersistentVolume): boolean {
  const { spec = {} } = volume;
  return spec.local === true || isHostPath(volume) || isBoundToHost(spec);
}

/** A directory that need not be the same one on another node. */
export function isHostPath({ spec }: PersistentVolume): boolean {
  return spec?.hostPath === true;
}

/** Whether it names the nodes that can mount it. */
function isBoundToHost({ nodeAffinity }: NonNullable<PersistentVolume['spec']>): boolean {
  const terms = nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return (
    terms.length > 0 &&
    terms.every(({ matchExpressions = [] }) =>
      matchExpressions.some(({ key, operator }) => isHostKey(key) && operator === 'In'),
    )
  );
}

/** Drivers of local disks have a key of their own, such as topology.topolvm.io/node of LVM Storage. */
const isHostKey = (key = '') => key === hostnameKey || /\/node(name)?$/.test(key);

/** The zones in which it can be mounted; undefined where nothing ties it to any. */
export function zonesOf(volume: PersistentVolume): readonly string[] | undefined {
  const said = [affinityZones(volume), labelZones(volume)].filter((zones) => zones !== undefined);
  const [first, second] = said;
  return second ? first?.filter((zone) => second.includes(zone)) : first;
}

const isZoneKey = (key = '') => key.endsWith('/zone');

/** Every driver has a key of its own for the zone. */
function affinityZones({ spec }: PersistentVolume): readonly string[] | undefined {
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const zones = terms.map(({ matchExpressions = [] }) =>
    matchExpressions.filter(({ key, operator }) => isZoneKey(key) && operator === 'In'),
  );
  // One term without a zone lets it be mounted in any.
  if (zones.length === 0 || zones.some((own) => own.length === 0)) return undefined;
  const values = zones.flat().flatMap((requirement) => requirement.values ?? []);
  // Azure calls it an empty zone where there are none; nodes have their fault domain as zone there.
  return values.includes('') ? undefined : values;
}

/** Volumes of before CSI have labels; `a__b` stands for a volume that is kept in both zones. */
function labelZones({ metadata }: PersistentVolume): readonly string[] | undefined {
  const zones = Object.entries(metadata.labels ?? {}).filter(([key]) => isZoneKey(key));
  return zones.length === 0 ? undefined : zones.flatMap(([, value]) => value.split('__'));
}
