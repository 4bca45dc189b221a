/** Control loops: singletons whose pause stops nothing that already serves. */
import type { TrafficArtifacts } from './callers.ts';
import { failoverSeconds } from './failover.ts';
import type { LockArtifacts } from './locks.ts';
import { holdersOf } from './locks.ts';
import type { Scope } from './scope.ts';
import { title } from './text.ts';
import { isFrontDoor, isServing } from './traffic.ts';
import type { Workload } from './workload.ts';

/**
 * Why a workload may run once: it won an election and nobody calls it from outside, or its name says
 * that it is a controller and nobody calls it at all. Undefined when neither holds.
 */
export function controlLoopNote(
  workload: Workload,
  artifacts: LockArtifacts & TrafficArtifacts,
  scope: Scope,
): string | undefined {
  const lock = heldLock(workload, artifacts);
  if (lock !== undefined && !isFrontDoor(workload, artifacts, scope)) {
    return `${title(workload)}: leader-elected by ${lock}; ${pause(workload, scope)}`;
  }
  if (scope.cluster.options.strictSingletons || !isController(workload, artifacts))
    return undefined;
  return isServing(workload, artifacts, scope)
    ? undefined
    : `${title(workload)}: taken for a control loop by name; ${pause(workload, scope)}`;
}

/** The first lock, by title, that one of its pods holds. */
function heldLock(workload: Workload, artifacts: LockArtifacts): string | undefined {
  const { strong } = holdersOf(artifacts);
  return workload.counted.flatMap((pod) => strong.get(pod) ?? []).toSorted()[0];
}

/** Weak evidence: a lock that several workloads may hold, a name, or an operator's manager. */
function isController(workload: Workload, artifacts: LockArtifacts): boolean {
  const { weak } = holdersOf(artifacts);
  return (
    /(^|-)(operator|controller|controllers|manager|controller-manager)$/.test(workload.name) ||
    workload.manager?.kind === 'ClusterServiceVersion' ||
    workload.counted.some((pod) => weak.has(pod))
  );
}

function pause(workload: Workload, { cluster }: Scope): string {
  const seconds = failoverSeconds(workload.spec, cluster.serverVersion);
  return Number.isFinite(seconds)
    ? `a lost node pauses it for ${seconds} s and its start`
    : 'a lost node pauses it until the node is back';
}
