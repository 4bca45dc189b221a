/** No pool of nodes is left on old configuration. */
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import type { MachineConfigPool } from '../../../core/objects.ts';
import type { Finding } from '../../../core/result.ts';

export default defineCheck({
  id: 'pool-progress',
  title: 'MachineConfigPools are neither paused nor degraded',
  failureTitle: 'MachineConfigPools are paused or degraded',
  testName: 'MachineConfigPools should be neither paused nor degraded',
  suite: 'nodes',
  scope: 'cluster',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift conventions, upgrades',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#upgrade-and-reconfiguration',
    },
  ],
  requires: ['machineConfigPools'],
  live: true,
  ownerNamespace: 'openshift-machine-config-operator',
  breaks:
    'Nodes stay on old configuration; fixes do not arrive, and a new node may come up with another ' +
    'configuration than the rest.',
  fix: 'Resume the pool, or repair the node that its conditions name.',
  run({ machineConfigPools }) {
    const pools = machineConfigPools.all;
    return {
      examined: pools.length,
      findings: pools.flatMap((p) => [...paused(p), ...degraded(p)]),
    };
  },
});

function paused(pool: MachineConfigPool): readonly Finding[] {
  const { metadata, spec = {}, status = {} } = pool;
  if (!spec.paused) return [];
  const isWaiting = spec.configuration?.name !== status.configuration?.name;
  const updated = `${status.updatedMachineCount ?? 0} of ${status.machineCount ?? 0} nodes updated`;
  const blocks = Object.hasOwn(metadata.labels ?? {}, requiredForUpgrade);
  return [
    finding(pool, {
      path: 'spec.paused',
      message:
        `${metadata.name} is paused${isWaiting ? ', an update is waiting' : ''} (${updated})` +
        (blocks ? '; blocks cluster upgrades' : ''),
      shows: '{.spec.paused}',
      patch: { spec: { paused: false } },
    }),
  ];
}

const requiredForUpgrade = 'operator.machineconfiguration.openshift.io/required-for-upgrade';

/** Degraded sums up the other two: it is reported only where neither of them says why. */
function degraded(pool: MachineConfigPool): readonly Finding[] {
  const bad = (pool.status?.conditions ?? []).filter(
    ({ type = '', status }) => status === 'True' && degradedTypes.includes(type),
  );
  const causes = bad.filter(({ type }) => type !== 'Degraded');
  return (causes.length > 0 ? causes : bad).map(({ type, reason, message }) =>
    finding(pool, {
      path: 'status.conditions',
      message: `${pool.metadata.name}: ${type}: ${message ?? reason ?? 'no reason given'}`,
      shows: '{.status.conditions}',
    }),
  );
}

const degradedTypes = ['Degraded', 'NodeDegraded', 'RenderDegraded'];
