/** What a PodDisruptionBudget allows when everything is healthy, as the disruption controller reckons. */
import type { Artifacts } from './artifacts.ts';
import type { ScalerArtifacts } from './autoscaler.ts';
import { atFloor } from './autoscaler.ts';
import { syncFailure } from './budget-status.ts';
import { resolve } from './int-or-percent.ts';
import type { usesOfW, W } from './kinds.ts';
import { once } from './memo.ts';
import type { OwnerReference, Pod, PodDisruptionBudget } from './objects.ts';
import type { Owner } from './owner.ts';
import { controllerOf, groupOf, isNode, ownership } from './owner.ts';
import { isCounted } from './pods.ts';
import type { Scope } from './scope.ts';
import { budgetSelects } from './selector.ts';
import { compare } from './text.ts';
import type { Workload } from './workload.ts';
import { workloadsOf } from './workload.ts';

export type BudgetArtifacts = Artifacts<
  (typeof W)[number] | 'podDisruptionBudgets',
  (typeof usesOfW)[number]
>;

export type ScaledArtifacts = BudgetArtifacts & ScalerArtifacts;

/** What a budget matches in its namespace. */
export interface Match {
  /** All pods, whatever their phase: the controller looks at labels only. */
  readonly pods: readonly Pod[];
  /** The workloads of these pods, and those without pods whose template would match. */
  readonly workloads: readonly Workload[];
  /** Those that are switched on. */
  readonly running: readonly Workload[];
  /** The pods that count and will stay: none of what is switched off, none whose owner is gone. */
  readonly living: readonly Pod[];
}

export const matchOf = once(
  (budget: PodDisruptionBudget, artifacts: BudgetArtifacts, scope: Scope): Match => {
    const { all, of, isOrphan } = workloadsOf(artifacts, scope);
    const pods = artifacts.pods
      .in(scope.namespace)
      .filter((pod) => budgetSelects(budget, pod.metadata.labels));
    const owners = new Set(pods.map(of));
    const workloads = all.filter(
      (workload) =>
        owners.has(workload) ||
        (workload.counted.length === 0 &&
          workload.isTemplateKnown &&
          budgetSelects(budget, workload.labels)),
    );
    const running = workloads.filter(({ replicas }) => replicas > 0);
    const living = pods.filter(
      (pod) => isCounted(pod) && !isOrphan(pod) && of(pod)?.replicas !== 0,
    );
    return { pods, workloads, running, living };
  },
);

/** The same, with as many replicas as there will be: what a budget allows depends on them. */
export const scaledMatchOf = once(
  (budget: PodDisruptionBudget, artifacts: ScaledArtifacts, scope: Scope): Match => {
    const match = matchOf(budget, artifacts, scope);
    const scaled = (workload: Workload) => atFloor(workload, artifacts, scope);
    return {
      ...match,
      workloads: match.workloads.map(scaled),
      running: match.running.map(scaled),
    };
  },
);

export type Allowance = Figures & (Unscalable | { readonly cause?: 'no-policy' | 'malformed' });

interface Figures {
  readonly expected: number;
  readonly desired: number;
  /** Evictions that could be granted one after the other then. */
  readonly allowed: number;
}

/** Nothing is ever allowed, and it is not for the numbers. */
interface Unscalable {
  readonly cause: 'no-scale';
  /** The controllers without a scale, `Kind name`. */
  readonly unscalable: readonly string[];
}

/** No eviction of a healthy pod will ever be granted, whoever waits for it. */
export function blocksForEver({ allowed }: Allowance): boolean {
  return allowed === 0;
}

const refused = { expected: 0, desired: 0, allowed: 0 };

export function allowanceOf(
  budget: PodDisruptionBudget,
  match: Match,
  artifacts: BudgetArtifacts,
  scope: Scope,
): Allowance {
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  if (minAvailable === undefined && maxUnavailable === undefined) {
    return { ...refused, cause: 'no-policy' };
  }
  // An integer minAvailable counts pods and asks no controller for its scale.
  const countsPods = typeof minAvailable === 'number' && maxUnavailable === undefined;
  const unscalable = countsPods ? [] : unscalableOwners(budget, match);
  if (unscalable.length > 0) return { ...refused, cause: 'no-scale', unscalable };
  const present = countsPods ? match.pods.length : scaleOf(match, artifacts, scope);
  const expected = present + sum(coming(match).map(({ replicas }) => replicas));
  const desired = desiredHealthy({ minAvailable, maxUnavailable }, expected);
  if (desired === undefined) return { ...refused, cause: 'malformed' };
  const allowed = expected <= 0 ? 0 : Math.max(0, bestHealthy(match) - desired);
  return { expected, desired, allowed };
}

interface Policy {
  readonly minAvailable: number | string | undefined;
  readonly maxUnavailable: number | string | undefined;
}

/** Undefined when the value is neither an integer nor a percentage. Percentages round up. */
export function desiredHealthy(
  { minAvailable, maxUnavailable }: Policy,
  expected: number,
): number | undefined {
  if (maxUnavailable !== undefined) {
    const unavailable = resolve(maxUnavailable, expected, 'up');
    return unavailable === undefined ? undefined : Math.max(0, expected - unavailable);
  }
  return minAvailable === undefined ? undefined : resolve(minAvailable, expected, 'up');
}

/** Workloads without pods, such as all those in manifests: when all is well there will be pods. */
function coming({ pods, workloads }: Match): readonly Workload[] {
  const present = new Set(pods);
  return workloads.filter(
    (workload) => workload.replicas > 0 && !workload.pods.some((pod) => present.has(pod)),
  );
}

/** Controllers that have no scale subresource, so that no percentage of them can be taken. */
function unscalableOwners(budget: PodDisruptionBudget, match: Match) {
  // Whether a custom kind has a scale only the status tells: the controller says when it found none.
  const failed = syncFailure(budget) !== undefined;
  const owners = match.pods
    .flatMap((pod) => controllerOf(pod) ?? [])
    .filter((owner) => hasNoScale(owner) || (failed && groupOf(owner.apiVersion).includes('.')));
  const daemons = coming(match).filter((workload) => workload.class === 'daemon');
  const titles = [...owners, ...daemons].map(({ kind, name }) => `${kind} ${name}`);
  return [...new Set(titles)].toSorted(compare);
}

function hasNoScale(owner: OwnerReference): boolean {
  const group = groupOf(owner.apiVersion);
  return group === 'batch' || (group === 'apps' && owner.kind === 'DaemonSet') || isNode(owner);
}

/** The sum of the scales of the distinct controllers; pods without one add nothing. */
function scaleOf(match: Match, artifacts: BudgetArtifacts, scope: Scope): number {
  const scales = new Map<Owner | string | undefined, number>();
  for (const pod of match.pods) {
    const { chain, above } = ownership(artifacts, scope, pod);
    const [nearest, next] = chain;
    const controller =
      nearest?.kind === 'ReplicaSet' && next?.kind === 'Deployment' ? next : nearest;
    if (controller) scales.set(controller, scaleIn(controller));
    // Of a custom controller only the pods are known; when all is well there are as many as it wants.
    else if (above) scales.set(above.uid, workloadsOf(artifacts, scope).of(pod)?.replicas ?? 0);
  }
  return sum([...scales.values()]);
}

function scaleIn(controller: Owner): number {
  const { spec = {} } = controller;
  return ('replicas' in spec ? spec.replicas : undefined) ?? 1;
}

/** As many healthy pods as there will be when nothing is wrong. */
export function bestHealthy({ pods, workloads }: Match): number {
  const counted = new Set(pods.filter(isCounted));
  const known = workloads.map((workload) => {
    const matched = workload.counted.filter((pod) => counted.delete(pod));
    return matched.length === workload.counted.length ? workload.replicas : matched.length;
  });
  return sum(known) + counted.size;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
