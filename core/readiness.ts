/** What tells when a pod can take traffic, and where traffic comes in without it. */
import type { TrafficArtifacts } from './callers.ts';
import { isNativeSidecar, takesHostPorts } from './pods.ts';
import type { Scope } from './scope.ts';
import type { TrafficTargets } from './traffic.ts';
import { trafficTargets } from './traffic.ts';
import type { Workload } from './workload.ts';

/** A way in for traffic that no readiness guards. */
export type ReadinessGap =
  | ({ readonly through: 'declared port' } & TrafficTargets['containers'][number])
  /** Where the traffic goes is not written down then: any container may be meant. */
  | ({ readonly through: 'undeclared port' } & TrafficTargets['undeclared'][number])
  | { readonly through: 'host port' };

/** None for what serves nobody, and none where every container behind a port reports readiness. */
export function readinessGaps(
  workload: Workload,
  artifacts: TrafficArtifacts,
  scope: Scope,
): readonly ReadinessGap[] {
  const { containers, undeclared } = trafficTargets(workload, artifacts, scope);
  const silent = containers.filter(({ container }) => !container.readinessProbe);
  if (silent.length > 0) return silent.map((target) => ({ through: 'declared port', ...target }));
  if (!lacksReadiness(workload)) return [];
  const [first] = undeclared;
  if (first) return [{ through: 'undeclared port', ...first }];
  return containers.length === 0 && takesHostPorts(workload.spec) ? [{ through: 'host port' }] : [];
}

/**
 * Its pods count as ready as soon as they run. What a native sidecar says of its readiness is part
 * of the pod's. Of a workload whose template could not be read nothing is known.
 */
export function lacksReadiness({ spec, isTemplateKnown }: Workload): boolean {
  const { containers = [], initContainers = [], readinessGates = [] } = spec;
  const asked = [...containers, ...initContainers.filter(isNativeSidecar)];
  const isReported =
    readinessGates.length > 0 || asked.some((container) => container.readinessProbe);
  return isTemplateKnown && !isReported;
}
