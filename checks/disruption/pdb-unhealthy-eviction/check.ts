/** A pod that is broken anyway may be evicted, unless it guards a quorum. */
import type { Match } from '../../../core/budget.ts';
import { matchOf } from '../../../core/budget.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import type { PodDisruptionBudget } from '../../../core/objects.ts';
import { isQuorumSet } from '../../../core/quorum.ts';
import type { Scope } from '../../../core/scope.ts';
import { budgetSelects } from '../../../core/selector.ts';

export default defineCheck({
  id: 'pdb-unhealthy-eviction',
  title: 'Budgets let broken pods be evicted',
  failureTitle: 'Broken pods block node drains',
  testName: 'PodDisruptionBudgets in ns/<namespace> should let unhealthy pods be evicted',
  suite: 'disruption',
  scope: 'namespace',
  severity: 'minor',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift conventions: unhealthyPodEvictionPolicy',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#upgrade-and-reconfiguration',
    },
    {
      title: 'Unhealthy Pod Eviction Policy',
      url: 'https://kubernetes.io/docs/tasks/run-application/configure-pdb/#unhealthy-pod-eviction-policy',
    },
  ],
  requires: [...W, 'podDisruptionBudgets'],
  uses: [...usesOfW],
  since: { version: '1.27', field: 'unhealthyPodEvictionPolicy' },
  // The rule is OpenShift's convention for its platform; outside OpenShift all are told, not judged.
  isInForce: ({ cluster, class: own }) => !cluster.openshift || own === 'platform',
  cap: ({ cluster }) => (cluster.openshift ? undefined : 'observe'),
  breaks:
    'Pods in a crash loop keep currentHealthy below desiredHealthy; the node they sit on can never ' +
    'be drained, so the fix cannot be rolled out.',
  fix: 'Set unhealthyPodEvictionPolicy to AlwaysAllow.',
  run(artifacts, scope) {
    const judged = artifacts.podDisruptionBudgets
      .in(scope.namespace)
      .map((budget) => ({ budget, match: matchOf(budget, artifacts, scope) }))
      .filter(({ match }) => !isOff(match));
    const findings = judged.flatMap(({ budget, match }) => {
      const policy = budget.spec?.unhealthyPodEvictionPolicy;
      const isAlways = policy === 'AlwaysAllow';
      if (isCritical(budget, match, scope)) {
        return isAlways ? [wrong(budget, keepsMembers, null)] : [];
      }
      const found = policy ?? 'unset (IfHealthyBudget)';
      const message = `unhealthyPodEvictionPolicy ${found}; needs AlwaysAllow`;
      return isAlways ? [] : [wrong(budget, message, 'AlwaysAllow')];
    });
    return { examined: judged.length, findings };
  },
});

const keepsMembers =
  'AlwaysAllow on a quorum set: unready members may be evicted below the majority';

function wrong(budget: PodDisruptionBudget, message: string, policy: string | null) {
  return finding(budget, {
    path: 'spec.unhealthyPodEvictionPolicy',
    message,
    shows: '{.spec.unhealthyPodEvictionPolicy}',
    patch: { spec: { unhealthyPodEvictionPolicy: policy } },
  });
}

/** What is switched off may have left pods behind. */
function isOff({ workloads, running, living }: Match): boolean {
  return workloads.length > 0 && running.length === 0 && living.length === 0;
}

/** Guards of other static pods than etcd's are not critical: the convention wants AlwaysAllow there. */
function isCritical(budget: PodDisruptionBudget, { running }: Match, scope: Scope): boolean {
  const { metadata } = budget;
  const { criticalBudgets } = scope.cluster.options;
  // etcd's guards may be gone for the moment; their budget must not be loosened for that.
  const guardsEtcd =
    metadata.namespace === 'openshift-etcd' && budgetSelects(budget, { app: 'guard' });
  return (
    guardsEtcd ||
    running.some((w) => isQuorumSet(w) || w.name === 'etcd-quorum-guard') ||
    criticalBudgets.includes(`${metadata.namespace}/${metadata.name}`)
  );
}
