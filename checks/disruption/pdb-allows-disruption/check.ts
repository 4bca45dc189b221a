/** With everything healthy, at least one pod of every budget can be evicted. */
import type { Allowance, Match } from '../../../core/budget.ts';
import { bestHealthy, blocksForEver } from '../../../core/budget.ts';
import type { StatedPolicy } from '../../../core/budget-policy.ts';
import { oneAwayPatch, policyOf, policyText } from '../../../core/budget-policy.ts';
import { redundantBudgets } from '../../../core/budget-population.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { percentage } from '../../../core/int-or-percent.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import type { PodDisruptionBudget } from '../../../core/objects.ts';
import { names } from '../../../core/text.ts';

export default defineCheck({
  id: 'pdb-allows-disruption',
  title: 'Every budget can allow an eviction',
  failureTitle: 'A budget blocks node drains for ever',
  testName: 'PodDisruptionBudgets in ns/<namespace> should let a node drain',
  suite: 'disruption',
  scope: 'namespace',
  severity: 'critical',
  stage: 'enforce',
  source: [
    {
      title: 'Disruptions',
      url: 'https://kubernetes.io/docs/concepts/workloads/pods/disruptions/',
    },
    {
      title: 'API-initiated Eviction',
      url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/',
    },
  ],
  requires: [...W, ...N, 'podDisruptionBudgets'],
  uses: [...usesOfW, ...usesOfN, ...A, ...usesOfA],
  redundant: true,
  breaks:
    "The administrator's drain, and with it the update of the node and of the cluster, never ends " +
    'even though every pod is healthy.',
  fix: 'Allow one unavailable pod, or run one replica more than the budget wants available.',
  run(artifacts, scope) {
    const { budgets, ...population } = redundantBudgets(artifacts, scope);
    const findings = budgets.flatMap(({ budget, match, allowance }) => {
      if (!blocksForEver(allowance)) return [];
      const oneAway = oneAwayPatch(budget, match, artifacts, scope);
      const patch = oneAway ? forgiving(oneAway, match) : countingPatch(match);
      const message = explanation(budget, match, allowance);
      return [finding(budget, { path: 'spec', message, shows: '{.spec}{.status}', patch })];
    });
    return { ...population, examined: budgets.length, findings };
  },
});

function explanation(budget: PodDisruptionBudget, match: Match, allowance: Allowance): string {
  const policy = policyOf(budget);
  if (allowance.cause === undefined) return numbers(policy, match, allowance);
  switch (allowance.cause) {
    case 'no-policy':
      return (
        'sets neither minAvailable nor maxUnavailable: every eviction of a running pod is refused ' +
        '(an unready one too, unless AlwaysAllow)'
      );
    case 'no-scale':
      return (
        `selects pods of ${names(allowance.unscalable)}: percentages and maxUnavailable ` +
        'cannot be computed, status stays at 0'
      );
    case 'malformed':
      return `${policy.field} "${policy.value}" is neither an integer nor a percentage`;
  }
}

function numbers(stated: StatedPolicy, match: Match, { expected, desired }: Allowance): string {
  const policy = policyText(stated);
  if (isSingleton(match)) {
    return `1 replica with ${policy}: a drain can never finish; add a replica or drop the budget`;
  }
  if (expected === 0) return `allows 0 (${policy}): the pods have no controller to count them by`;
  const best = bestHealthy(match);
  // The whole workload is asked for, of which the selector finds a part.
  const part = best < expected ? `: selects ${best} of ${expected} pods, ${desired} must stay` : '';
  if (stated.field === 'maxUnavailable') return `allows 0 (${policy})${part}`;
  return percentage(stated.value) === undefined
    ? `allows 0 of ${expected} (${policy} of ${expected})${part}`
    : `allows 0 of ${expected} (${policy} of ${expected} rounds up to ${desired})${part}`;
}

function isSingleton({ running: [only, ...others] }: Match): boolean {
  return only?.replicas === 1 && others.length === 0;
}

/** The only replica is away anyway while it is broken. */
function forgiving({ spec }: NonNullable<ReturnType<typeof oneAwayPatch>>, match: Match) {
  return {
    spec: isSingleton(match) ? { ...spec, unhealthyPodEvictionPolicy: 'AlwaysAllow' } : spec,
  };
}

/** An integer minAvailable is the one policy that needs no scale and no controller. */
function countingPatch({ living }: Match) {
  return { spec: { maxUnavailable: null, minAvailable: Math.max(0, living.length - 1) } };
}
