/** Leaders outlive an API server that is away for a minute. */
import { secondsSince } from '../../../core/age.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { usesOfL } from '../../../core/kinds.ts';
import type { Election } from '../../../core/locks.ts';
import { elections } from '../../../core/locks.ts';
import type { Scope } from '../../../core/scope.ts';

export default defineCheck({
  id: 'lease-timing',
  title: 'Leader election survives a minute without API server',
  failureTitle: 'A short API outage costs leaders their lease',
  testName: 'leader election in ns/<namespace> should survive a minute without the API server',
  suite: 'services',
  scope: 'namespace',
  severity: 'minor',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift conventions: handling kube-apiserver disruption',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#handling-kube-apiserver-disruption',
    },
  ],
  requires: [],
  uses: [...usesOfL],
  requiresOneOf: [...usesOfL],
  isInForce: ({ cluster, class: own }) => cluster.openshift && own === 'platform',
  breaks:
    'During a control-plane node reboot many controllers restart together and the cluster recovers ' +
    'more slowly.',
  fix:
    "Set lease duration 137 s, renew deadline 107 s and retry period 26 s in the component's " +
    'leader election configuration.',
  run({ leases, lockMetadata }, scope) {
    const { namespace, cluster } = scope;
    const all = elections(leases?.in(namespace) ?? [], lockMetadata?.in(namespace) ?? []);
    const inUse = all.flatMap((election) => renewed(election, scope));
    const judged = inUse.filter(({ lock }) => !isDoubled(lock, inUse));
    const least = cluster.thresholds.leaseDurationMin;
    const short = judged.filter(({ seconds }) => seconds < least);
    return {
      examined: judged.length,
      findings: short.map(({ lock, seconds }) => {
        const isLease = lock.kind === 'Lease';
        const what = `${isLease ? 'lease' : 'lock'} ${lock.metadata.name}`;
        return finding(lock, {
          path: isLease ? 'spec.leaseDurationSeconds' : 'metadata.annotations',
          message: `${what} lasts ${seconds} s; at least ${least} s`,
          shows: isLease ? '{.spec}' : '{.metadata.annotations}',
        });
      }),
    };
  },
});

interface Held {
  readonly lock: Election['lock'];
  readonly seconds: number;
}

/** Who lost interest leaves the lock behind, with its last holder in it. */
function renewed(election: Election, scope: Scope): readonly Held[] {
  const { lock, leaseDurationSeconds: seconds, renewTime } = election;
  const age = secondsSince(renewTime, scope);
  if (age === undefined || seconds === undefined) return [];
  return age <= 10 * seconds ? [{ lock, seconds }] : [];
}

/** On its way from ConfigMaps to Leases a component holds a lock of each, under one name. */
function isDoubled({ kind, metadata }: Held['lock'], inUse: readonly Held[]): boolean {
  return (
    kind !== 'Lease' &&
    inUse.some(({ lock }) => lock.kind === 'Lease' && lock.metadata.name === metadata.name)
  );
}
