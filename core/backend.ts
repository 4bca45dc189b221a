/** What stands behind a Service, and how much of it stays at the lowest scale. */
import type { Artifacts } from './artifacts.ts';
import { floorOf } from './autoscaler.ts';
import { selectedPods } from './endpoints.ts';
import type { A, N, usesOfA, usesOfW, W } from './kinds.ts';
import { once } from './memo.ts';
import { eligibleNodes } from './nodes.ts';
import type { Service } from './objects.ts';
import { isInfrastructureRedundant, wantsRedundancy } from './population.ts';
import type { Scope } from './scope.ts';
import { serviceSelects } from './selector.ts';
import { count } from './text.ts';
import type { Workload } from './workload.ts';
import { workloadsOf } from './workload.ts';

export type BackendArtifacts = Artifacts<
  (typeof W)[number] | (typeof A)[number] | (typeof N)[number],
  (typeof usesOfW)[number] | (typeof usesOfA)[number]
>;

export interface Backend {
  readonly shares: readonly Share[];
  /** Living pods that belong to no workload: bare and static ones. */
  readonly strays: number;
  /** The fewest pods that it keeps. */
  readonly replicas: number;
}

/** What a workload keeps for a Service. */
export interface Share {
  readonly workload: Workload;
  readonly replicas: number;
  /** `1 replica`, `1 replica at its floor (minReplicas 1)`. */
  readonly kept: string;
}

/** The workloads of the scope's namespace whose pods a Service selects, switched off or not. */
export const backendOf = once(
  (service: Service, artifacts: BackendArtifacts, scope: Scope): Backend => {
    const { all, of } = workloadsOf(artifacts, scope);
    const selected = Map.groupBy(selectedPods(service, artifacts), of);
    const shares = all.flatMap((workload): readonly Share[] => {
      const whole = shareOf(workload, artifacts, scope);
      // A label that comes and goes (a role, a leader) or that only one pod has is in no template.
      // Of a custom workload no template is known at all.
      if (workload.source && serviceSelects(service, workload.labels)) return [whole];
      const part = (selected.get(workload) ?? []).length;
      if (part === 0) return [];
      if (part >= whole.replicas) return [whole];
      return [{ workload, replicas: part, kept: count(part, 'selected pod') }];
    });
    const strays = (selected.get(undefined) ?? []).length;
    const replicas = shares.reduce((total, share) => total + share.replicas, strays);
    return { shares, strays, replicas };
  },
);

function shareOf(workload: Workload, artifacts: BackendArtifacts, scope: Scope): Share {
  if (workload.replicas === 0) return { workload, replicas: 0, kept: count(0, 'replica') };
  if (workload.class === 'daemon') {
    const { nodes } = artifacts;
    // Manifests know no nodes; a cluster that is to be redundant has two.
    const replicas = nodes.known ? eligibleNodes(workload.spec, nodes.all).length : 2;
    return { workload, replicas, kept: count(replicas, 'eligible node') };
  }
  const { replicas, found } = floorOf(workload, artifacts, scope);
  const kept = count(replicas, 'replica');
  return { workload, replicas, kept: found ? `${kept} at its floor (${found})` : kept };
}

/** Whether the topology wants it redundant; of nothing, whether it wants anything so. */
export function isRedundantBackend({ shares }: Backend, scope: Scope): boolean {
  return shares.length > 0
    ? shares.some(({ workload }) => wantsRedundancy(workload, scope))
    : isInfrastructureRedundant(scope);
}
