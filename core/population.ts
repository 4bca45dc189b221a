/** Which workloads a check judges: not those that are switched off, nor those that need no redundancy. */
import type { OwnerArtifacts } from './owner.ts';
import type { Scope } from './scope.ts';
import { count } from './text.ts';
import type { TopologyMode } from './topology.ts';
import { isControlPlaneLabel, isRedundant } from './topology.ts';
import type { Workload } from './workload.ts';
import { workloadsOf } from './workload.ts';

export interface Population {
  readonly workloads: readonly Workload[];
  readonly notes: readonly string[];
  /** Why nothing is left, where there were workloads. */
  readonly skip?: string;
}

/** Everything that is switched on. */
export function runningWorkloads(artifacts: OwnerArtifacts, scope: Scope): Population {
  const { all, notes } = workloadsOf(artifacts, scope);
  const workloads = all.filter((workload) => workload.replicas > 0);
  const off = all.length - workloads.length;
  return {
    workloads,
    notes: off > 0 ? [...notes, `${count(off, 'workload')} switched off (0 replicas)`] : notes,
  };
}

/** Everything that is switched on and that the topology wants redundant. */
export function redundantWorkloads(artifacts: OwnerArtifacts, scope: Scope): Population {
  const running = runningWorkloads(artifacts, scope);
  const workloads = running.workloads.filter((workload) => wantsRedundancy(workload, scope));
  const [single] = running.workloads;
  return workloads.length === 0 && single
    ? { ...running, workloads, skip: `topology: ${governing(single, scope)}` }
    : { ...running, workloads };
}

export function wantsRedundancy(workload: Workload, scope: Scope): boolean {
  const mode = governing(workload, scope);
  return isRedundant(mode, isControlPlaneBound(workload) ? 'control plane' : 'infrastructure');
}

/** Whether what can run anywhere is meant to be redundant. */
export function isInfrastructureRedundant({ cluster: { topology } }: Scope): boolean {
  return !('cause' in topology) && isRedundant(topology.infrastructureTopology, 'infrastructure');
}

/** The topology that decides how redundant a workload is to be. */
function governing(workload: Workload, { cluster: { topology } }: Scope): TopologyMode {
  // evaluate() lets no check of redundancy run on an unknown topology.
  if ('cause' in topology) return 'SingleReplica';
  return isControlPlaneBound(workload)
    ? topology.controlPlaneTopology
    : topology.infrastructureTopology;
}

/** Whether its pods can run on control-plane nodes only. */
export function isControlPlaneBound({ spec }: Workload): boolean {
  if (Object.keys(spec.nodeSelector ?? {}).some(isControlPlaneLabel)) return true;
  const terms =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
      ?.nodeSelectorTerms ?? [];
  return (
    terms.length > 0 &&
    terms.every(({ matchExpressions = [] }) =>
      matchExpressions.some(
        ({ key = '', operator }) =>
          isControlPlaneLabel(key) && (operator === 'Exists' || operator === 'In'),
      ),
    )
  );
}
