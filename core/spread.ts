/** Constraints that keep the replicas of a workload apart. */
import type { LabelSelector, PodAffinityTerm, TopologySpreadConstraint } from './objects.ts';
import { hostPorts } from './pods.ts';
import type { Scope } from './scope.ts';
import { isEmpty, matches } from './selector.ts';
import type { Workload } from './workload.ts';

export const hostnameKey = 'kubernetes.io/hostname';

/** An anti-affinity term or a topology spread constraint, as far as spreading goes. */
export interface SpreadTerm {
  readonly title: 'anti-affinity' | 'preferred anti-affinity' | 'topologySpreadConstraint';
  readonly key: string;
  readonly selector: LabelSelector | undefined;
  /** Whether it is about the workload's own pods, so that it keeps them apart. */
  readonly selectsOwnPods: boolean;
  /** Whether a pod rather stays Pending than break it. */
  readonly isHard: boolean;
}

/** Everything in a pod's specification that may keep replicas apart, the hard ones first. */
export function spreadTerms(workload: Workload, scope: Scope): readonly SpreadTerm[] {
  const antiAffinity = workload.spec.affinity?.podAntiAffinity ?? {};
  const required = antiAffinity.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const preferred = antiAffinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const constraints = workload.spec.topologySpreadConstraints ?? [];
  const terms: readonly SpreadTerm[] = [
    ...required.map((term) => fromTerm(term, true, workload, scope)),
    ...preferred.map(({ podAffinityTerm = {} }) =>
      fromTerm(podAffinityTerm, false, workload, scope),
    ),
    ...constraints.map((constraint) => fromConstraint(constraint, workload)),
  ];
  return terms.toSorted((a, b) => Number(b.isHard) - Number(a.isHard));
}

function fromTerm(
  term: PodAffinityTerm,
  isHard: boolean,
  workload: Workload,
  scope: Scope,
): SpreadTerm {
  return {
    title: isHard ? 'anti-affinity' : 'preferred anti-affinity',
    key: term.topologyKey ?? '',
    selector: term.labelSelector,
    selectsOwnPods: termSelectsOwnPods(term, workload, scope),
    isHard,
  };
}

function fromConstraint(constraint: TopologySpreadConstraint, { labels }: Workload): SpreadTerm {
  const { labelSelector: selector, topologyKey = '', whenUnsatisfiable } = constraint;
  // With an absent or an empty selector the scheduler counts no pods: the constraint does nothing.
  const counts = selector !== undefined && !isEmpty(selector);
  return {
    title: 'topologySpreadConstraint',
    key: topologyKey,
    selector: counts ? selector : undefined,
    selectsOwnPods: counts && matches(selector, labels),
    isHard: whenUnsatisfiable !== 'ScheduleAnyway',
  };
}

/** Whether an affinity term is about the workload's own pods. */
function termSelectsOwnPods(term: PodAffinityTerm, workload: Workload, scope: Scope): boolean {
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

/** Two pods of the workload can never share a node. */
export function isExclusive(workload: Workload, scope: Scope): boolean {
  const terms = spreadTerms(workload, scope);
  const keepsApart = ({ title, key, selectsOwnPods }: SpreadTerm) =>
    title === 'anti-affinity' && key === hostnameKey && selectsOwnPods;
  return (
    terms.some(keepsApart) ||
    (workload.spec.containers ?? []).some((c) => hostPorts(workload.spec, c).length > 0)
  );
}

/** The labels by which the pods of every revision of a workload are known. */
export function ownLabels({ source, labels }: Workload): Readonly<Record<string, string>> {
  const selector = source?.spec && 'selector' in source.spec ? source.spec.selector : undefined;
  if (selector && 'matchLabels' in selector && typeof selector.matchLabels === 'object') {
    return selector.matchLabels;
  }
  return labels;
}
