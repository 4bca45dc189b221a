/** No update of nodes takes the quorum of etcd, or most of a pool. */
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { intOrPercentText, resolve } from '../../../core/int-or-percent.ts';
import { N, usesOfN } from '../../../core/kinds.ts';
import type { MachineConfigPool } from '../../../core/objects.ts';
import { majority } from '../../../core/quorum.ts';
import type { Finding } from '../../../core/result.ts';
import type { Scope } from '../../../core/scope.ts';
import { controlPlaneOf } from '../../../core/topology.ts';

export default defineCheck({
  id: 'pool-disruption-size',
  title: 'Node updates take few nodes at once',
  failureTitle: 'A node update may take too many nodes at once',
  testName: 'MachineConfigPools should update few nodes at once',
  suite: 'nodes',
  scope: 'cluster',
  severity: 'critical',
  stage: 'flake',
  source: [
    {
      title: 'etcd: failure tolerance by cluster size',
      url: 'https://etcd.io/docs/latest/faq/#why-an-odd-number-of-cluster-members',
    },
    {
      title: 'OpenShift conventions: upgrade and reconfiguration',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#upgrade-and-reconfiguration',
    },
  ],
  requires: ['machineConfigPools', ...N],
  uses: [...usesOfN],
  live: true,
  ownerNamespace: 'openshift-machine-config-operator',
  breaks:
    'Control plane: two members restart together and quorum is lost. Workers: half of all capacity ' +
    'is drained together and budgets deadlock.',
  fix: 'Update one control-plane node at a time, and a tenth of any other pool.',
  run({ machineConfigPools }, scope) {
    const pools = machineConfigPools.all.filter((pool) => isJudged(pool, scope));
    return { examined: pools.length, findings: pools.flatMap((pool) => tooMany(pool, scope)) };
  },
});

function isJudged(pool: MachineConfigPool, { cluster: { topology } }: Scope): boolean {
  // The Machine Config Operator takes arbiters one by one, whatever their pool says.
  if (sizeOf(pool) < 2 || pool.metadata.name === 'arbiter') return false;
  return !(isControlPlanePool(pool) && controlPlaneOf(topology) === 'SingleReplica');
}

const sizeOf = ({ status }: MachineConfigPool) => status?.machineCount ?? 0;

/** The one pool that control-plane nodes can be in. */
const isControlPlanePool = ({ metadata }: MachineConfigPool) => metadata.name === 'master';

function tooMany(pool: MachineConfigPool, { cluster: { thresholds } }: Scope): readonly Finding[] {
  const size = sizeOf(pool);
  const value = pool.spec?.maxUnavailable ?? 1;
  const isControlPlane = isControlPlanePool(pool);
  const few = isControlPlane ? 1 : `${Math.min(10, thresholds.poolShareMax)}%`;
  const found = (problem: string) =>
    finding(pool, {
      path: 'spec.maxUnavailable',
      message: `${pool.metadata.name}: maxUnavailable ${problem}`,
      shows: '{.spec.maxUnavailable}',
      patch: { spec: { maxUnavailable: few } },
    });
  const resolved = resolve(value, size, 'down');
  if (resolved === undefined) return [found(`"${value}" is neither an integer nor a percentage`)];
  // The operator makes progress even with 0, and takes no more than there are.
  const taken = Math.min(Math.max(1, resolved), size);
  const spare = isControlPlane ? size - majority(size) : shareOf(size, thresholds.poolShareMax);
  const limit = Math.max(1, spare);
  if (taken <= limit) return [];
  const part = `${taken} of ${size}`;
  const policy = intOrPercentText(value);
  if (isControlPlane) {
    const said = value === taken ? part : `${policy} (${part})`;
    return [found(`${said} breaks etcd quorum; at most ${limit}`)];
  }
  const drained = taken === size ? `all ${size}` : part;
  return [found(`${policy} drains ${drained} nodes at once; at most ${limit}`)];
}

/** Never the whole pool, whatever share is allowed. */
const shareOf = (size: number, percent: number) =>
  Math.min(size - 1, Math.floor((percent * size) / 100));
