/** What decides what checks expect of one object: how many replicas it keeps, where it may run, who calls it. */
import type { Artifacts } from './artifacts.ts';
import { floorOf } from './autoscaler.ts';
import { allowanceOf, matchOf } from './budget.ts';
import { controlLoopNote } from './control-loop.ts';
import type { Kind } from './kinds.ts';
import { A, N, T, usesOfA, usesOfL, usesOfN, usesOfT, usesOfW, W } from './kinds.ts';
import { eligibleNodes, zoneOf } from './nodes.ts';
import type { PodDisruptionBudget } from './objects.ts';
import { isReady } from './pods.ts';
import { isControlPlaneBound, wantsRedundancy } from './population.ts';
import { isQuorumSet, need } from './quorum.ts';
import type { ObjectReference } from './result.ts';
import type { Scope } from './scope.ts';
import { budgetSelects } from './selector.ts';
import { isExclusive } from './spread.ts';
import { compare, count, names, title } from './text.ts';
import { minimumReplicas } from './thresholds.ts';
import { isFrontDoor, isServing, servicesOf } from './traffic.ts';
import type { Workload } from './workload.ts';
import { workloadsOf } from './workload.ts';

/** The kinds that facts are taken from. */
export const factKinds = [
  ...W,
  ...usesOfW,
  ...A,
  ...usesOfA,
  ...N,
  ...usesOfN,
  ...T,
  ...usesOfT,
  ...usesOfL,
  'podDisruptionBudgets',
] as const;

type Required = (typeof W | typeof A | typeof N | typeof T)[number] | 'podDisruptionBudgets';
type Used = (
  | typeof usesOfW
  | typeof usesOfA
  | typeof usesOfN
  | typeof usesOfT
  | typeof usesOfL
)[number];
export type FactArtifacts = Artifacts<Required, Used>;

export interface Fact {
  readonly name: string;
  readonly text: string;
}

export interface ObjectFacts {
  readonly facts: readonly Fact[];
  /** Objects that are judged for its sake: its autoscaler, its budgets, its Services. */
  readonly related: readonly Pick<ObjectReference, 'kind' | 'name'>[];
}

/** Of kinds that are neither workloads nor budgets nothing is known beyond what checks say. */
export function factsAbout(
  object: Pick<ObjectReference, 'kind' | 'name'>,
  artifacts: FactArtifacts,
  scope: Scope,
): ObjectFacts {
  const isIt = (other: { readonly kind: string; readonly name: string }) =>
    other.kind === object.kind && other.name === object.name;
  if (object.kind === 'PodDisruptionBudget') {
    const budget = artifacts.podDisruptionBudgets?.get(scope.namespace, object.name);
    return { facts: budget ? budgetFacts(budget, artifacts, scope) : [], related: [] };
  }
  const workload =
    unreadable(W, artifacts).length === 0 && workloadsOf(artifacts, scope).all.find(isIt);
  return workload ? workloadFacts(workload, artifacts, scope) : { facts: [], related: [] };
}

function workloadFacts(workload: Workload, artifacts: FactArtifacts, scope: Scope): ObjectFacts {
  const about = [
    fact('replicas', [], () => replicas(workload)),
    fact('pods', [], () => pods(workload)),
    fact('floor', A, () => floor(workload, artifacts, scope)),
    fact('needs', [], () => needs(workload, scope)),
    fact('topology', [], () => topology(workload, scope)),
    fact('nodes', N, () => nodes(workload, artifacts, scope)),
    fact('calls', T, () => calls(workload, artifacts, scope)),
    fact('election', T, () => election(workload, artifacts, scope)),
    fact('budgets', ['podDisruptionBudgets'], () => budgets(workload, artifacts, scope)),
    fact('manager', [], () => manager(workload)),
  ];
  return {
    facts: about.flatMap((one) => one(artifacts)),
    related: relatedTo(workload, artifacts, scope),
  };
}

/** A fact that rests on kinds which could not be read says so. */
function fact(name: string, needed: readonly Kind[], text: () => string | undefined) {
  return (artifacts: FactArtifacts): readonly Fact[] => {
    const missing = unreadable(needed, artifacts);
    if (missing.length > 0) return [{ name, text: `unknown: ${names(missing)} not readable` }];
    const said = text();
    return said === undefined ? [] : [{ name, text: said }];
  };
}

function unreadable(needed: readonly Kind[], artifacts: FactArtifacts): readonly Kind[] {
  const readable: Readonly<Partial<Record<Kind, unknown>>> = artifacts;
  return needed.filter((kind) => readable[kind] === undefined);
}

function replicas({ kind, replicas: wanted, source }: Workload): string {
  if (wanted === 0) return '0: switched off, no check judges it';
  if (!source) return `${wanted}, by the pods that count`;
  return kind === 'DaemonSet'
    ? `${wanted}, one on each node it is for`
    : `${wanted} (spec.replicas)`;
}

function pods({ isManifest, counted }: Workload): string | undefined {
  if (isManifest) return undefined;
  const placed = counted.flatMap((pod) => pod.spec?.nodeName ?? []);
  const perNode = [...Map.groupBy(placed, (node) => node)]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([node, own]) => `${node} (${own.length})`);
  const where = perNode.length === 0 ? '' : `, on ${names(perNode)}`;
  return `${count(counted.length, 'pod')}, ${counted.filter(isReady).length} ready${where}`;
}

function floor(workload: Workload, artifacts: FactArtifacts, scope: Scope): string {
  const { replicas: least, scaler, found } = floorOf(workload, artifacts, scope);
  if (!scaler) return `${least}, without an autoscaler`;
  return `${least} (${found} of ${title({ kind: scaler.kind, name: scaler.metadata.name })})`;
}

function needs(workload: Workload, scope: Scope): string {
  const minimum = minimumReplicas(scope.cluster.thresholds, workload);
  const quorum = isQuorumSet(workload)
    ? `, and as a quorum set a majority: ${need(workload, workload.replicas)} of ${workload.replicas}`
    : '';
  return `${count(minimum, 'replica')} (threshold minReplicas)${quorum}`;
}

function topology(workload: Workload, scope: Scope): string {
  const { topology: known } = scope.cluster;
  if ('cause' in known) return `unknown: ${known.detail}`;
  const [part, mode] = isControlPlaneBound(workload)
    ? ['control plane', known.controlPlaneTopology]
    : ['infrastructure', known.infrastructureTopology];
  const expected = wantsRedundancy(workload, scope) ? 'expected' : 'not expected';
  return `${mode} (${part}, from ${known.source}): redundancy is ${expected}`;
}

function nodes(workload: Workload, artifacts: FactArtifacts, scope: Scope): string | undefined {
  if (!artifacts.nodes.known) return undefined;
  const { all } = artifacts.nodes;
  const eligible = eligibleNodes(workload.spec, all);
  const zones = [...new Set(eligible.flatMap((node) => zoneOf(node) ?? []))];
  const where = zones.length === 0 ? 'no zone known' : `zones ${names(zones)}`;
  const apart = isExclusive(workload, scope) ? '; never two of its pods on one' : '';
  return `${eligible.length} of ${all.length} may run it, ${where}${apart}`;
}

function calls(workload: Workload, artifacts: FactArtifacts, scope: Scope): string {
  const services = servicesOf(workload, artifacts).map(({ metadata }) => metadata.name);
  const through = services.length === 0 ? 'no Service' : `Services ${names(services)}`;
  if (isFrontDoor(workload, artifacts, scope))
    return `${through}; called from outside its application`;
  return isServing(workload, artifacts, scope) ? `${through}; serves` : `${through}; serves nobody`;
}

function election(workload: Workload, artifacts: FactArtifacts, scope: Scope): string | undefined {
  if (workload.class === 'daemon') return undefined;
  const note = controlLoopNote(workload, artifacts, scope);
  return note?.slice(`${title(workload)}: `.length) ?? 'not taken for a control loop';
}

function budgets(workload: Workload, artifacts: FactArtifacts, scope: Scope): string {
  const own = budgetsOf(workload, artifacts).map((budget) => {
    const match = matchOf(budget, artifacts, scope);
    const { allowed, expected } = allowanceOf(budget, match, artifacts, scope);
    return `${budget.metadata.name} (allows ${allowed} of ${expected})`;
  });
  return own.length === 0 ? 'none' : names(own);
}

function budgetsOf({ namespace, labels, counted }: Workload, artifacts: FactArtifacts) {
  return artifacts.podDisruptionBudgets
    .in(namespace)
    .filter((budget) =>
      counted.length === 0
        ? budgetSelects(budget, labels)
        : counted.some((pod) => budgetSelects(budget, pod.metadata.labels)),
    );
}

function manager(workload: Workload): string | undefined {
  return workload.manager && `${title(workload.manager)}: changes are made there`;
}

function relatedTo(workload: Workload, artifacts: FactArtifacts, scope: Scope) {
  const readable = (kind: Kind) => unreadable([kind], artifacts).length === 0;
  const { scaler } = readable('horizontalPodAutoscalers')
    ? floorOf(workload, artifacts, scope)
    : { scaler: undefined };
  return [
    ...(scaler ? [scaler] : []),
    ...(readable('podDisruptionBudgets') ? budgetsOf(workload, artifacts) : []),
    ...(readable('services') ? servicesOf(workload, artifacts) : []),
  ].map(({ kind, metadata }) => ({ kind, name: metadata.name }));
}

function budgetFacts(
  budget: PodDisruptionBudget,
  artifacts: FactArtifacts,
  scope: Scope,
): readonly Fact[] {
  const about = [
    fact('selects', W, () => {
      const { pods: selected, workloads } = matchOf(budget, artifacts, scope);
      const of =
        workloads.length === 0
          ? ''
          : ` of ${names(workloads.map(({ kind, name }) => `${kind} ${name}`))}`;
      return `${count(selected.length, 'pod')}${of}`;
    }),
    fact('allows', W, () => {
      const match = matchOf(budget, artifacts, scope);
      const { allowed, expected, desired } = allowanceOf(budget, match, artifacts, scope);
      return `${allowed} of ${expected} when all are healthy; ${desired} must stay`;
    }),
    fact('status', [], () => {
      const { disruptionsAllowed, currentHealthy, desiredHealthy } = budget.status ?? {};
      if (!budget.status) return undefined;
      return `${disruptionsAllowed ?? 0} allowed now, ${currentHealthy ?? 0} healthy, ${desiredHealthy ?? 0} desired`;
    }),
  ];
  return about.flatMap((one) => one(artifacts));
}
