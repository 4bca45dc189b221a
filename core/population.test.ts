import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import { deployment, estate, ownedBy, podsOf, replicaSet, workload } from '../test/objects.ts';
import {
  isControlPlaneBound,
  isInfrastructureRedundant,
  redundantWorkloads,
  runningWorkloads,
  wantsRedundancy,
} from './population.ts';
import type { TopologyMode } from './topology.ts';

const bySpec = (spec: object, name = 'web') => deployment(name, { spec: { template: { spec } } });
const web = (replicas: number, name = 'web') => deployment(name, { spec: { replicas } });
const cluster = (infra: TopologyMode, controlPlane: TopologyMode = infra): Given => ({
  cluster: {
    topology: {
      infrastructureTopology: infra,
      controlPlaneTopology: controlPlane,
      source: 'option',
    },
  },
});
const unknown: Given = { cluster: { topology: { cause: 'forbidden', detail: 'nodes' } } };

const master = 'node-role.kubernetes.io/master';
const controlPlane = 'node-role.kubernetes.io/control-plane';
const onMasters = (name: string) => bySpec({ nodeSelector: { [master]: '' } }, name);
const affinity = (...terms: object[][]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
      },
    },
  },
});

describe('isControlPlaneBound', () => {
  const wants = (key: string, operator = 'Exists') => ({ key, operator, values: [''] });
  const table: readonly (readonly [string, object, boolean])[] = [
    ['a nodeSelector with the label of masters', { nodeSelector: { [master]: '' } }, true],
    ['a nodeSelector with the newer label', { nodeSelector: { [controlPlane]: '' } }, true],
    ['a nodeSelector with another label', { nodeSelector: { disk: 'ssd' } }, false],
    ['affinity to control-plane nodes', affinity([wants(controlPlane)]), true],
    ['affinity by value', affinity([wants(master, 'In')]), true],
    ['affinity to one more label', affinity([wants('disk'), wants(master)]), true],
    ['affinity in every term', affinity([wants(master)], [wants(controlPlane)]), true],
    ['affinity in one term of two', affinity([wants(master)], [wants('disk')]), false],
    ['affinity away from masters', affinity([wants(master, 'DoesNotExist')]), false],
    ['affinity to what is not a master', affinity([wants(master, 'NotIn')]), false],
    ['affinity to anything else', affinity([wants('disk')]), false],
    ['affinity without a key', affinity([{ operator: 'Exists' }]), false],
    ['affinity without terms', affinity(), false],
    ['affinity with an empty term', affinity([]), false],
    ['a toleration only', { tolerations: [{ key: master, operator: 'Exists' }] }, false],
    ['nothing', {}, false],
  ];
  for (const [what, spec, expected] of table) {
    it(`is ${expected} with ${what}`, () => {
      assert.equal(isControlPlaneBound(workload('web', estate([bySpec(spec)]))), expected);
    });
  }
});

describe('wantsRedundancy', () => {
  const wants = (object: AnyObject, given: Given) => {
    const found = estate([object], given);
    return wantsRedundancy(workload('web', found), found.scope);
  };
  const table: readonly (readonly [TopologyMode, TopologyMode, boolean, boolean])[] = [
    ['HighlyAvailable', 'HighlyAvailable', true, true],
    ['HighlyAvailable', 'HighlyAvailableArbiter', true, true],
    ['HighlyAvailable', 'DualReplica', true, true],
    ['HighlyAvailable', 'SingleReplica', true, false],
    ['HighlyAvailable', 'External', true, false],
    ['SingleReplica', 'HighlyAvailable', false, true],
    ['SingleReplica', 'SingleReplica', false, false],
    ['SingleReplica', 'External', false, false],
  ];
  for (const [infra, control, anywhere, bound] of table) {
    it(`asks ${infra} for what may run anywhere, ${control} for what is bound to it`, () => {
      assert.equal(wants(web(1), cluster(infra, control)), anywhere);
      assert.equal(wants(onMasters('web'), cluster(infra, control)), bound);
    });
  }

  it('wants nothing of a topology that is not known', () => {
    assert.equal(wants(web(1), unknown), false);
  });
});

describe('isInfrastructureRedundant', () => {
  it('asks the infrastructure only', () => {
    const scope = (given: Given) => estate([], given).scope;
    assert.equal(isInfrastructureRedundant(scope(cluster('HighlyAvailable', 'External'))), true);
    assert.equal(
      isInfrastructureRedundant(scope(cluster('SingleReplica', 'HighlyAvailable'))),
      false,
    );
    assert.equal(isInfrastructureRedundant(scope(unknown)), false);
  });
});

describe('runningWorkloads', () => {
  const running = (...objects: AnyObject[]) => {
    const { artifacts, scope } = estate(objects);
    const { workloads, notes } = runningWorkloads(artifacts, scope);
    return { workloads: workloads.map(({ name }) => name), notes };
  };

  it('leaves out and counts what is switched off', () => {
    const one = { workloads: ['web'], notes: ['1 workload switched off (0 replicas)'] };
    assert.deepEqual(running(web(2), web(0, 'off')), one);
    assert.deepEqual(running(web(0), web(0, 'off')).notes, [
      '2 workloads switched off (0 replicas)',
    ]);
  });

  it('notes nothing where all is well', () => {
    assert.deepEqual(running(web(2)), { workloads: ['web'], notes: [] });
  });

  it('keeps the note about orphaned pods', () => {
    const set = replicaSet('gone-1', { metadata: ownedBy(deployment('gone')) });
    assert.deepEqual(running(...podsOf(set, 1), web(0)).notes, [
      'left out 1 pod whose owner is gone: gone-1-0',
      '1 workload switched off (0 replicas)',
    ]);
  });
});

describe('redundantWorkloads', () => {
  const redundant = (objects: readonly AnyObject[], given: Given) => {
    const { artifacts, scope } = estate(objects, given);
    const { workloads, skip } = redundantWorkloads(artifacts, scope);
    return { workloads: workloads.map(({ name }) => name), skip };
  };

  it('keeps what its topology wants redundant', () => {
    const objects = [web(2), onMasters('api')];
    const single = cluster('HighlyAvailable', 'SingleReplica');
    assert.deepEqual(redundant(objects, single), { workloads: ['web'], skip: undefined });
    const both = { workloads: ['api', 'web'], skip: undefined };
    assert.deepEqual(redundant(objects, cluster('HighlyAvailable')), both);
  });

  it('says which topology leaves nothing', () => {
    const none = (skip: string | undefined) => ({ workloads: [], skip });
    assert.deepEqual(
      redundant([web(2)], cluster('SingleReplica')),
      none('topology: SingleReplica'),
    );
    const hosted = cluster('HighlyAvailable', 'External');
    assert.deepEqual(redundant([onMasters('api')], hosted), none('topology: External'));
  });

  it('blames no topology where there was nothing to judge', () => {
    const nothing = { workloads: [], skip: undefined };
    assert.deepEqual(redundant([], cluster('SingleReplica')), nothing);
    assert.deepEqual(redundant([web(0)], cluster('SingleReplica')), nothing);
  });
});
