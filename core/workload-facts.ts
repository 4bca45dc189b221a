/** What decides what is expected of a workload: how many replicas it keeps, where it may run, who calls it. */
import { floorOf } from './autoscaler.ts';
import { allowanceOf, scaledMatchOf } from './budget.ts';
import { allowed } from './budget-facts.ts';
import { controlLoopNote } from './control-loop.ts';
import type { Fact, FactArtifacts } from './fact.ts';
import { fact } from './fact.ts';
import { A, N, T, usesOfA, usesOfL, usesOfN, usesOfT, usesOfW, W } from './kinds.ts';
import { eligibleNodes, zoneOf } from './nodes.ts';
import { isReady } from './pods.ts';
import { isControlPlaneBound, wantsRedundancy } from './population.ts';
import { isQuorumSet, need } from './quorum.ts';
import type { Scope } from './scope.ts';
import { budgetSelects } from './selector.ts';
import { isExclusive } from './spread.ts';
import { compare, count, names, title } from './text.ts';
import { minimumReplicas } from './thresholds.ts';
import type { Topology } from './topology.ts';
import { isFrontDoor, isServing, servicesOf } from './traffic.ts';
import type { Workload } from './workload.ts';

export function workloadFacts(
  workload: Workload,
  artifacts: FactArtifacts,
  scope: Scope,
): readonly Fact[] {
  const about = { from: W, uses: usesOfW };
  const scaled = { from: A, uses: usesOfA };
  const called = { from: T, uses: usesOfT };
  const elected = { from: T, uses: [...usesOfT, ...usesOfL] };
  const budgeted = { from: ['podDisruptionBudgets'] } as const;
  return [
    fact('replicas', artifacts, about, () => replicas(workload)),
    fact('pods', artifacts, { from: ['pods'] }, () => pods(workload)),
    fact('floor', artifacts, scaled, () => floor(workload, artifacts, scope)),
    fact('minimum', artifacts, scaled, () => minimum(workload, scope)),
    fact('topology', artifacts, { from: [], uses: usesOfN }, () => topology(workload, scope)),
    fact('nodes', artifacts, { from: N }, () => nodes(workload, artifacts, scope)),
    fact('callers', artifacts, called, () => callers(workload, artifacts, scope)),
    fact('election', artifacts, elected, () => election(workload, artifacts, scope)),
    fact('budgets', artifacts, budgeted, () => budgets(workload, artifacts, scope)),
    fact('manager', artifacts, about, () => manager(workload)),
  ].flat();
}

/** Those that select its pods or, as long as there are none, its template. */
export function budgetsOf({ namespace, labels, counted }: Workload, artifacts: FactArtifacts) {
  const pods = counted.length === 0 ? [labels] : counted.map(({ metadata }) => metadata.labels);
  return artifacts.podDisruptionBudgets
    .in(namespace)
    .filter((budget) => pods.some((own) => budgetSelects(budget, own)));
}

function replicas({ kind, replicas: wanted, source }: Workload): string {
  if (!source) return `${wanted}: the pods that count`;
  if (kind === 'DaemonSet') return `${wanted}: one on each node that it is for`;
  return wanted === 0
    ? '0 (spec.replicas): switched off, no check judges it'
    : `${wanted} (spec.replicas)`;
}

function pods({ isManifest, counted }: Workload): string | undefined {
  if (isManifest) return undefined;
  const placed = counted.flatMap((pod) => pod.spec?.nodeName ?? []);
  const perNode = [...Map.groupBy(placed, (node) => node)]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([node, own]) => `${own.length} on ${node}`);
  return [
    count(counted.length, 'pod'),
    `${counted.filter(isReady).length} ready`,
    ...(perNode.length > 0 ? [names(perNode)] : []),
  ].join(', ');
}

function floor(workload: Workload, artifacts: FactArtifacts, scope: Scope): string {
  const { replicas: least, scaler, found } = floorOf(workload, artifacts, scope);
  if (!scaler) return `${least}: no autoscaler`;
  return `${least} (${found} of ${title({ kind: scaler.kind, name: scaler.metadata.name })})`;
}

function minimum(workload: Workload, scope: Scope): string {
  const least = count(minimumReplicas(scope.cluster.thresholds, workload), 'replica');
  if (!isQuorumSet(workload)) return `${least} (threshold minReplicas)`;
  const majority = `${need(workload, workload.replicas)} of ${workload.replicas}`;
  return `${least} (threshold minReplicas); as a quorum set, a majority: ${majority}`;
}

function topology(workload: Workload, scope: Scope): string {
  const { topology: known } = scope.cluster;
  if ('cause' in known) return `unknown: ${known.detail}`;
  const [part, mode] = isControlPlaneBound(workload)
    ? ['control plane', known.controlPlaneTopology]
    : ['infrastructure', known.infrastructureTopology];
  const expected = wantsRedundancy(workload, scope) ? 'expected' : 'not expected';
  return `${mode} (${part}, ${origins[known.source]}): redundancy is ${expected}`;
}

const origins = {
  Infrastructure: 'as Infrastructure says',
  'cluster-data': 'as the job wrote',
  nodes: 'by the nodes',
  option: 'as the options say',
  assumed: 'assumed',
} as const satisfies Record<Topology['source'], string>;

function nodes(workload: Workload, artifacts: FactArtifacts, scope: Scope): string | undefined {
  if (!artifacts.nodes.known) return undefined;
  const { all } = artifacts.nodes;
  const eligible = eligibleNodes(workload.spec, all);
  const zones = [...new Set(eligible.flatMap((node) => zoneOf(node) ?? []))];
  const where = zones.length === 0 ? 'in no known zone' : `zones ${names(zones)}`;
  const apart = isExclusive(workload, scope) ? '; never two of its pods on one' : '';
  return `${eligible.length} of ${all.length} may run it, ${where}${apart}`;
}

function callers(workload: Workload, artifacts: FactArtifacts, scope: Scope): string {
  const services = servicesOf(workload, artifacts).map(({ metadata }) => metadata.name);
  const through = services.length === 0 ? 'no Service' : `Services ${names(services)}`;
  if (isFrontDoor(workload, artifacts, scope)) {
    return `${through}; called from outside its application`;
  }
  return isServing(workload, artifacts, scope) ? `${through}; serves` : `${through}; serves nobody`;
}

function election(workload: Workload, artifacts: FactArtifacts, scope: Scope): string | undefined {
  if (workload.class === 'daemon') return undefined;
  const note = controlLoopNote(workload, artifacts, scope);
  return note?.slice(`${title(workload)}: `.length) ?? 'not taken for a control loop';
}

function budgets(workload: Workload, artifacts: FactArtifacts, scope: Scope): string {
  const own = budgetsOf(workload, artifacts).map((budget) => {
    const match = scaledMatchOf(budget, artifacts, scope);
    const allowance = allowanceOf(budget, match, artifacts, scope);
    return `${budget.metadata.name} (allows ${allowed(allowance)})`;
  });
  return own.length === 0 ? 'none' : names(own);
}

function manager(workload: Workload): string | undefined {
  return workload.manager && `${title(workload.manager)}: changes are made there`;
}
