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
  /** Only between pods of one revision: an update is not held up by it. */
  readonly isWithinRevision?: true;
  /** What it stands for, where it is a constraint. */
  readonly constraint?: TopologySpreadConstraint;
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
    ...(isWithinRevision(term, workload) && { isWithinRevision: true }),
  };
}

function fromConstraint(constraint: TopologySpreadConstraint, workload: Workload): SpreadTerm {
  const { labelSelector: selector, topologyKey = '', whenUnsatisfiable } = constraint;
  // With an absent or an empty selector the scheduler counts no pods: the constraint does nothing.
  const counts = selector !== undefined && !isEmpty(selector);
  return {
    title: 'topologySpreadConstraint',
    key: topologyKey,
    selector: counts ? selector : undefined,
    selectsOwnPods: counts && matches(selector, workload.labels),
    isHard: whenUnsatisfiable !== 'ScheduleAnyway',
    ...(isWithinRevision(constraint, workload) && { isWithinRevision: true }),
    constraint,
  };
}

/** Whether it is told to compare pods with the label that their controller gives to each revision. */
function isWithinRevision(term: { readonly matchLabelKeys?: readonly string[] }, of: Workload) {
  const own = of.class === 'daemon' ? 'controller-revision-hash' : 'pod-template-hash';
  return term.matchLabelKeys?.includes(own) ?? false;
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
  return spreadTerms(workload, scope).some(keepsNodesApart) || takesHostPorts(workload.spec);
}

/** What keeps a pod of the next revision apart from those of this, or else Pending. */
export function termsOfNext(workload: Workload, scope: Scope): readonly SpreadTerm[] {
  return spreadTerms(workload, scope).filter(
    ({ isHard, selectsOwnPods, isWithinRevision }) => isHard && selectsOwnPods && !isWithinRevision,
  );
}

/** What keeps such a pod off every node that has one of this revision. */
export function exclusionOfNext(workload: Workload, scope: Scope): string | undefined {
  if (termsOfNext(workload, scope).some(keepsNodesApart)) return 'required anti-affinity';
  return takesHostPorts(workload.spec) ? 'a host port' : undefined;
}

/** Whether a pod of the next revision has to go to the node of those of this. */
export function staysOnNode(workload: Workload, scope: Scope): boolean {
  const { requiredDuringSchedulingIgnoredDuringExecution: required = [] } =
    workload.spec.affinity?.podAffinity ?? {};
  return required
    .map((term) => fromTerm(term, true, workload, scope))
    .some(
      ({ key, selectsOwnPods, isWithinRevision }) =>
        key === hostnameKey && selectsOwnPods && !isWithinRevision,
    );
}

function keepsNodesApart({ title, key, selectsOwnPods }: SpreadTerm): boolean {
  return title === 'anti-affinity' && key === hostnameKey && selectsOwnPods;
}

/** The labels by which the pods of every revision of a workload are known. */
export function ownLabels({ source, labels }: Workload): Readonly<Record<string, string>> {
  const selector = source?.spec && 'selector' in source.spec ? source.spec.selector : undefined;
  if (selector && 'matchLabels' in selector && typeof selector.matchLabels === 'object') {
    return selector.matchLabels;
  }
  return labels;
}
