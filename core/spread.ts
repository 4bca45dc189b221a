/** Constraints that keep the replicas of a workload apart. */
import type { PodAffinityTerm, TopologySpreadConstraint } from './objects.ts';
import { hostPorts } from './pods.ts';
import type { Scope } from './scope.ts';
import { isEmpty, matches } from './selector.ts';
import type { Workload } from './workload.ts';

const hostnameKey = 'kubernetes.io/hostname';

export function requiredAntiAffinity({ spec }: Workload): readonly PodAffinityTerm[] {
  return spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
}

export function preferredAntiAffinity({ spec }: Workload): readonly PodAffinityTerm[] {
  const weighted =
    spec.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return weighted.flatMap(({ podAffinityTerm }) => podAffinityTerm ?? []);
}

export function spreadConstraints({ spec }: Workload): readonly TopologySpreadConstraint[] {
  return spec.topologySpreadConstraints ?? [];
}

/** Whether an affinity term is about the workload's own pods. */
export function termSelectsOwnPods(
  term: PodAffinityTerm,
  workload: Workload,
  scope: Scope,
): boolean {
  const { labelSelector, mismatchLabelKeys = [] } = term;
  // Pods of one template share every label of it, so that a label that must differ leaves them out.
  if (mismatchLabelKeys.some((key) => Object.hasOwn(workload.labels, key))) return false;
  if (!labelSelector || !reaches(term, workload, scope)) return false;
  return matches(labelSelector, workload.labels);
}

/** Whether the workload's namespace is one of the term's. */
function reaches(term: PodAffinityTerm, { namespace }: Workload, scope: Scope): boolean {
  const { namespaces = [], namespaceSelector } = term;
  if (namespaces.length === 0 && !namespaceSelector) return true;
  // The API server keeps this label on every namespace.
  const own = { ...scope.labels, 'kubernetes.io/metadata.name': namespace };
  return (
    namespaces.includes(namespace) ||
    (namespaceSelector !== undefined && matches(namespaceSelector, own))
  );
}

/** With an absent or an empty selector the scheduler counts no pods: such a constraint does nothing. */
export function constraintSelectsOwnPods(
  { labelSelector }: TopologySpreadConstraint,
  workload: Workload,
): boolean {
  return (
    labelSelector !== undefined &&
    !isEmpty(labelSelector) &&
    matches(labelSelector, workload.labels)
  );
}

/** Two pods of the workload can never share a node. */
export function isExclusive(workload: Workload, scope: Scope): boolean {
  const keepsApart = requiredAntiAffinity(workload).some(
    (term) => term.topologyKey === hostnameKey && termSelectsOwnPods(term, workload, scope),
  );
  return (
    keepsApart ||
    (workload.spec.containers ?? []).some((c) => hostPorts(workload.spec, c).length > 0)
  );
}
