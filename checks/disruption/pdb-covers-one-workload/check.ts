/** The pods of one workload do not pay for those of another under the same budget. */
import type { Allowance } from '../../../core/budget.ts';
import { allowanceOf, scaledMatchOf } from '../../../core/budget.ts';
import { policyOf, policyText } from '../../../core/budget-policy.ts';
import { runningOf } from '../../../core/budget-population.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { A, usesOfA, usesOfW, W } from '../../../core/kinds.ts';
import type { PodDisruptionBudget } from '../../../core/objects.ts';
import type { Finding } from '../../../core/result.ts';
import { compare, names, title } from '../../../core/text.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'pdb-covers-one-workload',
  title: 'No budget is shared in a way that lets one workload lose all pods',
  failureTitle: 'A shared budget lets a workload lose all pods',
  testName: 'PodDisruptionBudgets in ns/<namespace> should not be shared between workloads',
  suite: 'disruption',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'Specifying a Disruption Budget for your Application (the rule is proposed)',
      url: 'https://kubernetes.io/docs/tasks/run-application/configure-pdb/',
    },
  ],
  requires: [...W, 'podDisruptionBudgets'],
  uses: [...usesOfW, ...A, ...usesOfA],
  breaks:
    'The pods of one workload count for the other; a drain may legally evict every replica of one ' +
    'of them.',
  fix: 'Write one budget per workload, which selects a label that only that workload has.',
  run(artifacts, scope) {
    const shared = artifacts.podDisruptionBudgets
      .in(scope.namespace)
      .map((budget) => ({ budget, match: scaledMatchOf(budget, artifacts, scope) }))
      .map(({ budget, match }) => ({ budget, match, workloads: runningOf(match) }))
      .filter(({ workloads }) => workloads.length >= 2);
    const findings: Finding[] = [];
    const notes: string[] = [];
    for (const { budget, match, workloads } of shared) {
      const allowance = allowanceOf(budget, match, artifacts, scope);
      const exposed = workloads.filter((workload) => mayLoseAll(workload, allowance));
      const sharers = `shared by ${workloads.length} workloads`;
      if (exposed.length === 0) notes.push(`${titleOf(budget)}: ${sharers}, still safe`);
      findings.push(...exposed.map((workload) => tooWide(budget, workload, workloads, allowance)));
    }
    return { examined: shared.length, findings, notes };
  },
});

/** Drains leave the pods of a DaemonSet where they are, and a single replica has to go some time. */
function mayLoseAll(workload: Workload, { allowed }: Allowance): boolean {
  return workload.class === 'replicated' && workload.replicas >= 2 && allowed >= workload.replicas;
}

const titleOf = ({ kind, metadata }: PodDisruptionBudget) => title({ kind, ...metadata });

function tooWide(
  budget: PodDisruptionBudget,
  { name, replicas }: Workload,
  sharing: readonly Workload[],
  { allowed }: Allowance,
): Finding {
  const sharers = sharing.map((workload) => `${workload.name} (${workload.replicas})`);
  const over = sharers.length === 2 ? sharers.toSorted(compare).join(' and ') : names(sharers);
  const loss = replicas === 2 ? 'both' : `all ${replicas}`;
  return finding(budget, {
    path: 'spec.selector',
    message:
      `${policyText(policyOf(budget))} over ${over}: allows ${allowed}, ` +
      `so ${name} may lose ${loss}; needs a budget of its own`,
    shows: '{.spec}{.status}',
  });
}
