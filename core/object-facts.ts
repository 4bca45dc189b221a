/** What is known of one object that decides what is expected of it, and what is judged for its sake. */
import { floorOf } from './autoscaler.ts';
import { budgetFacts } from './budget-facts.ts';
import type { Fact, FactArtifacts } from './fact.ts';
import { fact, unreadable } from './fact.ts';
import type { Kind } from './kinds.ts';
import { usesOfW, W } from './kinds.ts';
import type { Owned } from './owner.ts';
import { ownership } from './owner.ts';
import { isSameObject, reference } from './reference.ts';
import type { ObjectReference } from './result.ts';
import type { Scope } from './scope.ts';
import { title } from './text.ts';
import { servicesOf } from './traffic.ts';
import type { Workload } from './workload.ts';
import { workloadsOf } from './workload.ts';
import { budgetsOf, workloadFacts } from './workload-facts.ts';

export interface ObjectFacts {
  readonly facts: readonly Fact[];
  /** Its workload, and of a workload its autoscaler, its budgets, its Services. */
  readonly related: readonly ObjectReference[];
}

/** Of what is neither a workload, nor part of one, nor a budget, nothing is known beyond what checks say. */
export function factsAbout(
  object: ObjectReference,
  artifacts: FactArtifacts,
  scope: Scope,
): ObjectFacts {
  if (object.kind === 'PodDisruptionBudget') {
    const budget = artifacts.podDisruptionBudgets?.get(scope.namespace, object.name);
    return { facts: budget ? budgetFacts(budget, artifacts, scope) : [], related: [] };
  }
  const isReadable = unreadable(W, artifacts).length === 0;
  const workload = isReadable ? workloadOf(object, artifacts, scope) : undefined;
  const isPart = workload !== undefined && !isSameObject(object, workload);
  const whole = fact('workload', artifacts, { from: W, uses: usesOfW }, () =>
    isPart ? title(workload) : undefined,
  );
  if (!workload) return { facts: whole, related: [] };
  return {
    facts: [...whole, ...workloadFacts(workload, artifacts, scope)],
    related: [...(isPart ? [reference(workload)] : []), ...relatedTo(workload, artifacts, scope)],
  };
}

/** The object itself, what it belongs to, or what it scales. */
function workloadOf(object: ObjectReference, artifacts: FactArtifacts, scope: Scope) {
  const { all, of } = workloadsOf(artifacts, scope);
  switch (object.kind) {
    case 'Pod': {
      const pod = artifacts.pods.get(scope.namespace, object.name);
      return pod && of(pod);
    }
    case 'HorizontalPodAutoscaler':
    case 'ScaledObject':
      return all.find((workload) =>
        scalersOf(workload, artifacts, scope).some((scaler) => isSameObject(object, scaler)),
      );
    default:
      return all.find((workload) => isSameObject(highest(object, artifacts, scope), workload));
  }
}

/** A Deployment is the owner of its ReplicaSets. */
function highest(object: ObjectReference, artifacts: FactArtifacts, scope: Scope): ObjectReference {
  const revisions: readonly Owned[] = [
    ...artifacts.replicaSets.in(scope.namespace),
    ...(artifacts.replicationControllers?.in(scope.namespace) ?? []),
  ];
  const revision = revisions.find((one) => isSameObject(object, reference(one)));
  const owner = revision && ownership(artifacts, scope, revision).chain.at(-1);
  return owner ? reference(owner) : object;
}

function relatedTo(workload: Workload, artifacts: FactArtifacts, scope: Scope) {
  const isReadable = (kind: Kind) => unreadable([kind], artifacts).length === 0;
  return [
    ...scalersOf(workload, artifacts, scope),
    ...(isReadable('podDisruptionBudgets') ? budgetsOf(workload, artifacts).map(reference) : []),
    ...(isReadable('services') ? servicesOf(workload, artifacts).map(reference) : []),
  ];
}

function scalersOf(workload: Workload, artifacts: FactArtifacts, scope: Scope) {
  if (unreadable(['horizontalPodAutoscalers'], artifacts).length > 0) return [];
  const { scaler } = floorOf(workload, artifacts, scope);
  return scaler ? [reference(scaler)] : [];
}
