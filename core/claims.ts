/** Which PersistentVolumeClaims the replicas of a workload use: one for all, or each its own. */
import type { Artifacts } from './artifacts.ts';
import type { PersistentVolume } from './objects.ts';
import { boundVolume } from './volumes.ts';
import type { Workload } from './workload.ts';
import { isStatefulSet } from './workload-source.ts';

/** A volume of the pod template, and the claims that it comes to. */
export interface ClaimSlot {
  /** The claims' names: one where all replicas use the same. */
  readonly claims: readonly string[];
  readonly isShared: boolean;
}

/** The slots of so many replicas. Ephemeral volumes come and go with their pod and are none. */
export function claimSlots(workload: Workload, replicas: number): readonly ClaimSlot[] {
  if (!workload.source) return slotsOfPods(workload);
  const own = ownSlots(workload, replicas);
  // A StatefulSet puts its own claim in the place of a volume of the same name.
  const shared = claimVolumes(workload.spec).filter(({ name = '' }) => !own.has(name));
  return [
    ...shared.map(({ claimName }) => ({ claims: [claimName], isShared: true })),
    ...[...own.values()].map((claims) => ({ claims, isShared: false })),
  ];
}

/** By the name of the volume: `<template>-<StatefulSet>-<ordinal>` for each replica. */
function ownSlots({ source, name }: Workload, replicas: number) {
  if (!isStatefulSet(source)) return new Map<string, readonly string[]>();
  const { volumeClaimTemplates = [], ordinals } = source.spec ?? {};
  const start = ordinals?.start ?? 0;
  const numbers = Array.from({ length: replicas }, (_, i) => start + i);
  return new Map(
    volumeClaimTemplates
      .flatMap(({ metadata }) => metadata?.name ?? [])
      .map((volume) => [volume, numbers.map((number) => `${volume}-${name}-${number}`)]),
  );
}

/** What makes pods one by one may give each a claim of its own. */
function slotsOfPods({ counted }: Workload): readonly ClaimSlot[] {
  const volumes = counted.flatMap((pod) => claimVolumes(pod.spec ?? {}));
  return [...Map.groupBy(volumes, ({ name }) => name).values()].map((slot) => {
    const claims = [...new Set(slot.map(({ claimName }) => claimName))];
    return { claims, isShared: slot.length > 1 && claims.length === 1 };
  });
}

function claimVolumes({ volumes = [] }: Workload['spec']) {
  return volumes.flatMap(({ name, persistentVolumeClaim }) => {
    const claimName = persistentVolumeClaim?.claimName;
    return claimName === undefined ? [] : [{ name, claimName }];
  });
}

/** A claim of a slot, and what is bound to it. */
export interface SlotVolume {
  readonly claim: string;
  readonly volume: PersistentVolume | undefined;
}

/** The slots of so many replicas with the volumes that are bound to their claims. */
export function volumeSlots(
  workload: Workload,
  replicas: number,
  artifacts: Artifacts<'persistentVolumeClaims' | 'persistentVolumes'>,
): readonly (readonly SlotVolume[])[] {
  return claimSlots(workload, replicas).map(({ claims }) =>
    claims.map((name) => {
      const claim = artifacts.persistentVolumeClaims.get(workload.namespace, name);
      return { claim: name, volume: claim && boundVolume(claim, artifacts.persistentVolumes) };
    }),
  );
}
