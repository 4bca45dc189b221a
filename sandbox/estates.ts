/** The sample clusters. A further one is a folder below estates/ and an entry here. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { apply } from './apply.ts';
import { readManifests } from './manifests.ts';
import { fillIn } from './placeholders.ts';
import type { ReadyOptions } from './ready.ts';
import { settle } from './settle.ts';
import type { Topology, TopologyName } from './topologies.ts';

export interface Estate {
  /** Where all its pods can be placed. */
  readonly topologies: readonly TopologyName[];
  /** Needs OpenShift's definitions. */
  readonly openshift: boolean;
}

export const estates = {
  ha: { topologies: ['ha'], openshift: false },
  small: {
    topologies: ['ha', 'compact', 'arbiter', 'dual', 'external', 'kind', 'single'],
    openshift: false,
  },
  openshift: { topologies: ['ha', 'compact'], openshift: true },
} as const satisfies Readonly<Record<string, Estate>>;

export type EstateName = keyof typeof estates;

export interface LoadOptions extends ReadyOptions {
  readonly topology: Topology;
}

/**
 * Applies a folder, waits until the cluster has settled, and does the same with what it holds in later/:
 * the changes that some workloads are left in the middle of, and what names pods.
 */
export async function loadFolder(folder: string, options: LoadOptions): Promise<void> {
  const path = join(import.meta.dirname, 'estates', folder);
  for (const step of [path, join(path, 'later')]) {
    if (!existsSync(step)) continue;
    const manifests = await readManifests(step);
    await apply(await fillIn(manifests, options.topology, options.client), options);
    await settle(options);
  }
}
