/** Why a lost or drained node takes away what the API server waits for. */
import { isYoung } from './age.ts';
import type { Artifacts } from './artifacts.ts';
import type { Backend, BackendArtifacts } from './backend.ts';
import { backendOf, isRedundantBackend } from './backend.ts';
import { endpointsCommand, readyEndpoints } from './endpoints.ts';
import { kubectlGet, podsCommand } from './finding.ts';
import type { Service } from './objects.ts';
import { isInfrastructureRedundant } from './population.ts';
import type { Scope } from './scope.ts';
import { budgetSelects, hasSelector } from './selector.ts';
import { count, names, title } from './text.ts';
import type { Workload } from './workload.ts';

type CalleeArtifacts = BackendArtifacts &
  Artifacts<'services', 'podDisruptionBudgets' | 'endpointSlices'>;

/** A Service of the scope's namespace that the API server calls. */
export interface Callee {
  readonly name: string;
  /** Undefined where there is none of that name. */
  readonly service: Service | undefined;
  /** ExternalName or without selector: what is behind it is not written in the cluster. */
  readonly isUnknown: boolean;
}

/** Undefined where the topology does not want it redundant. */
export function redundantCallee(
  name: string,
  artifacts: CalleeArtifacts,
  scope: Scope,
): Callee | undefined {
  const service = artifacts.services.get(scope.namespace, name);
  const isUnknown = service !== undefined && !hasSelector(service);
  const isJudged = service
    ? isRedundantBackend(backendOf(service, artifacts, scope), scope)
    : isInfrastructureRedundant(scope);
  return isJudged ? { name, service, isUnknown } : undefined;
}

/** Who calls a Service, as the beginning of a sentence. */
export interface Callers {
  readonly title: string;
  readonly isPlural: boolean;
}

export interface Weakness {
  readonly message: string;
  readonly command: string;
  /** Nothing answers now, whatever happens to nodes. */
  readonly isOutage: boolean;
  readonly transient?: true;
}

export function weaknessesOf(
  called: Callee & { readonly callers: Callers },
  artifacts: CalleeArtifacts,
  scope: Scope,
): readonly Weakness[] {
  const { name, service, isUnknown, callers } = called;
  if (isUnknown) return [];
  if (!service) {
    const { namespace = '' } = scope;
    const missing = title({ kind: 'Service', namespace, name });
    const message = `${callers.title}: ${missing} does not exist`;
    return [{ message, command: kubectlGet(['services', '-n', namespace]), isOutage: true }];
  }
  const backend = backendOf(service, artifacts, scope);
  const found = [
    backend.replicas < 2
      ? tooFew(backend, service, callers)
      : unprotected(backend, service, artifacts, callers),
    // What keeps no pod has no endpoint either, and what was just made has none yet.
    backend.replicas > 0 && scope.cluster.input !== 'manifests' && !isYoung(service, scope)
      ? unready(backend, service, artifacts, callers)
      : undefined,
  ];
  return found.filter((weakness) => weakness !== undefined);
}

function tooFew({ shares, strays, replicas }: Backend, service: Service, callers: Callers) {
  const { name, namespace = '' } = service.metadata;
  const parts = shares.map(
    ({ workload: { kind, name: own }, kept }) => `${kind} ${own} with ${kept}`,
  );
  if (strays > 0) parts.push(`${count(strays, 'pod')} of no workload`);
  const nothing = `nothing (${title({ kind: 'Service', namespace, name })} selects no pod)`;
  const rests = callers.isPlural ? 'rest' : 'rests';
  return {
    message: `${callers.title} ${rests} on ${names(parts) || nothing}; needs 2`,
    command: podsCommand({ namespace, labels: service.spec?.selector ?? {} }),
    isOutage: replicas === 0,
  };
}

function unprotected(
  { shares }: Backend,
  service: Service,
  { podDisruptionBudgets }: CalleeArtifacts,
  callers: Callers,
): Weakness | undefined {
  const { namespace = '' } = service.metadata;
  const workloads = shares.filter(({ replicas }) => replicas > 0).map(({ workload }) => workload);
  const budgets = podDisruptionBudgets?.in(namespace);
  // No drain evicts the pods of a DaemonSet, nor those of a node itself.
  const isSafe =
    workloads.length === 0 || workloads.some((workload) => workload.class === 'daemon');
  if (!budgets || isSafe) return undefined;
  const isCovered = ({ labels }: Workload) =>
    budgets.some((budget) => budgetSelects(budget, labels));
  if (workloads.some(isCovered)) return undefined;
  const titles = workloads.map(({ kind, name }) => `${kind} ${name}`);
  return {
    message: `${callers.title}: no PodDisruptionBudget covers ${names(titles)}`,
    command: kubectlGet(['poddisruptionbudgets', '-n', namespace, '-o', 'wide']),
    isOutage: false,
  };
}

function unready(
  { replicas }: Backend,
  service: Service,
  artifacts: CalleeArtifacts,
  callers: Callers,
): Weakness | undefined {
  const endpoints = readyEndpoints(service, artifacts);
  const [first] = endpoints;
  const rest = { command: endpointsCommand(service), transient: true } as const;
  if (!first) return { message: `${callers.title}: no ready endpoint`, isOutage: true, ...rest };
  const isCrowded = endpoints.every(({ node }) => node !== undefined && node === first.node);
  // That one pod is on one node follows from there being one.
  if (replicas < 2 || !isCrowded) return undefined;
  const all = endpoints.length === 1 ? 'the only ready endpoint' : 'all ready endpoints';
  return { message: `${callers.title}: ${all} on ${first.node}`, isOutage: false, ...rest };
}
