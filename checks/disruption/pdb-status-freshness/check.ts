/** The eviction API goes by the status of a budget: it is about the budget and the pods of now. */
import { isYoung } from '../../../core/age.ts';
import type { Artifacts } from '../../../core/artifacts.ts';
import { isBehind, syncFailure } from '../../../core/budget-status.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import type { PodDisruptionBudget } from '../../../core/objects.ts';
import { isTerminating } from '../../../core/pods.ts';
import type { Scope } from '../../../core/scope.ts';
import { names } from '../../../core/text.ts';

/** With more of them the eviction API refuses every pod. */
const disruptedPodsMax = 2000;
/** Seconds after which the disruption controller takes an eviction for failed and forgets it. */
const deletionTimeout = 120;

export default defineCheck({
  id: 'pdb-status-freshness',
  title: 'Budget status is current',
  failureTitle: 'Budget status is stale or failed',
  testName: 'PodDisruptionBudgets in ns/<namespace> should have a current status',
  suite: 'disruption',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'API-initiated Eviction',
      url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/#how-api-initiated-eviction-works',
    },
  ],
  requires: ['pods', 'podDisruptionBudgets'],
  live: true,
  transient: true,
  breaks:
    'Evictions of the covered pods are refused (429 or 403) though the spec looks right; unready ' +
    'pods may still go, judged by the last numbers.',
  fix:
    'Restart or repair the disruption controller; where it cannot sync, use an integer ' +
    'minAvailable, which needs no scale.',
  run(artifacts, scope) {
    const budgets = artifacts.podDisruptionBudgets
      .in(scope.namespace)
      .filter((budget) => !isYoung(budget, scope));
    const findings = budgets.flatMap((budget) =>
      flaws(budget, artifacts, scope).map((flaw) =>
        finding(budget, { ...flaw, shows: '{.metadata.generation}{.status}' }),
      ),
    );
    return { examined: budgets.length, findings };
  },
});

interface Flaw {
  readonly path: string;
  readonly message: string;
}

function flaws(
  budget: PodDisruptionBudget,
  artifacts: Artifacts<'pods'>,
  scope: Scope,
): readonly Flaw[] {
  const { metadata, status = {} } = budget;
  const found: Flaw[] = [];
  if (isBehind(budget)) {
    const { observedGeneration = 0 } = status;
    const message = `status is for generation ${observedGeneration}, spec is generation ${metadata.generation}`;
    found.push({ path: 'status.observedGeneration', message });
  }
  const failure = syncFailure(budget);
  if (failure) {
    const { message = 'no reason given' } = failure;
    found.push({ path: 'status.conditions', message: `SyncFailed: ${message}` });
  }
  const path = 'status.disruptedPods';
  const disrupted = Object.keys(status.disruptedPods ?? {}).length;
  if (disrupted > disruptedPodsMax) {
    const message = `${disrupted} disruptedPods: with more than ${disruptedPodsMax} no eviction is granted`;
    found.push({ path, message });
  }
  const overdue = overdueEvictions(budget, artifacts, scope);
  if (overdue) found.push({ path, message: overdue });
  return found;
}

/** Granted, counted as away ever since, and still there. */
function overdueEvictions(
  { metadata: { namespace }, status = {} }: PodDisruptionBudget,
  { pods }: Artifacts<'pods'>,
  { cluster: { takenAt = '' } }: Scope,
): string | undefined {
  const secondsSince = (time: string) => (Date.parse(takenAt) - Date.parse(time)) / 1000;
  const overdue = Object.entries(status.disruptedPods ?? {}).filter(([name, granted]) => {
    const pod = pods.get(namespace, name);
    if (!pod || isTerminating(pod)) return false;
    // A StatefulSet gives the successor the same name: then the eviction did happen.
    const { creationTimestamp = '' } = pod.metadata;
    const isSuccessor = secondsSince(creationTimestamp) < secondsSince(granted);
    return !isSuccessor && secondsSince(granted) > deletionTimeout;
  });
  if (overdue.length === 0) return undefined;
  const evicted = names(overdue.map(([name]) => name));
  const ages = overdue.map(([, granted]) => Math.floor(secondsSince(granted) / 60));
  return overdue.length === 1
    ? `eviction of ${evicted} was granted ${ages[0]} min ago and never happened`
    : `evictions of ${evicted} were granted up to ${Math.max(...ages)} min ago and never happened`;
}
