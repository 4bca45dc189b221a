/** Constraints that keep the replicas of a workload apart. */
import type { LabelSelector, PodAffinityTerm, TopologySpreadConstraint } from './objects.ts';
import { takesHostPorts } from './pods.ts';
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
  /** Where it looks instead, although its selector matches them: `in other namespaces only`. */
  readonly elsewhere?: string;
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
  const { labelSelector: selector, topologyKey: key = '' } = term;
  const isMatch = selector !== undefined && matches(selector, workload.labels);
  const elsewhere = isMatch ? elsewhereOf(term, workload, scope) : undefined;
  return {
    title: isHard ? 'anti-affinity' : 'preferred anti-affinity',
    key,
    selector,
    selectsOwnPods: isMatch && elsewhere === undefined,
    ...(elsewhere !== undefined && { elsewhere }),
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

/** What leaves the workload's own pods out of an affinity term although they have its labels. */
function elsewhereOf(term: PodAffinityTerm, workload: Workload, scope: Scope): string | undefined {
  // Pods of one template share every label of it, so that a label that must differ leaves them out.
  const differing = (term.mismatchLabelKeys ?? []).filter((key) =>
    Object.hasOwn(workload.labels, key),
  );
  if (differing.length > 0) return `only where ${differing.join(', ')} differs`;
  return reaches(term, workload, scope) ? undefined : 'in other namespaces only';
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
  return terms.some(keepsApart) || takesHostPorts(workload.spec);
}

/** The labels by which the pods of every revision of a workload are known. */
export function ownLabels({ source, labels }: Workload): Readonly<Record<string, string>> {
  const selector = source?.spec && 'selector' in source.spec ? source.spec.selector : undefined;
  if (selector && 'matchLabels' in selector && typeof selector.matchLabels === 'object') {
    return selector.matchLabels;
  }
  return labels;
}
