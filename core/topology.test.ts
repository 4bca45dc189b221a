import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { make, node } from '../test/objects.ts';
import type { TopologyMode } from './topology.ts';
import {
  assumedTopology,
  controlPlaneOf,
  derivedTopology,
  isControlPlane,
  isRedundant,
  topologyOf,
} from './topology.ts';

const role = (name: string) => ({ [`node-role.kubernetes.io/${name}`]: '' });
const taint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };

/** So many nodes: of the control plane (closed to others), arbiters (closed, too), workers. */
function nodes(controlPlane: number, arbiters: number, workers: number) {
  const some = (count: number, prefix: string, labels: object, taints: readonly object[]) =>
    Array.from({ length: count }, (_, i) =>
      node(`${prefix}-${i}`, { metadata: { labels }, spec: { taints } }),
    );
  return [
    ...some(controlPlane, 'master', role('control-plane'), [taint]),
    ...some(arbiters, 'arbiter', role('arbiter'), [taint]),
    ...some(workers, 'worker', role('worker'), []),
  ];
}

describe('derivedTopology', () => {
  const table = [
    [0, 0, 4, 'External', 'HighlyAvailable'],
    [0, 1, 2, 'External', 'HighlyAvailable'],
    [1, 0, 0, 'SingleReplica', 'SingleReplica'],
    [1, 0, 3, 'SingleReplica', 'HighlyAvailable'],
    [1, 2, 2, 'SingleReplica', 'HighlyAvailable'],
    [2, 0, 2, 'DualReplica', 'HighlyAvailable'],
    [2, 1, 0, 'HighlyAvailableArbiter', 'SingleReplica'],
    [2, 2, 2, 'HighlyAvailableArbiter', 'HighlyAvailable'],
    [3, 0, 3, 'HighlyAvailable', 'HighlyAvailable'],
    [3, 0, 1, 'HighlyAvailable', 'SingleReplica'],
    [3, 1, 2, 'HighlyAvailable', 'HighlyAvailable'],
    [5, 0, 2, 'HighlyAvailable', 'HighlyAvailable'],
  ] as const;
  for (const [masters, arbiters, workers, controlPlane, infrastructure] of table) {
    const what = `${masters} control-plane nodes, ${arbiters} arbiters and ${workers} workers`;
    it(`finds ${controlPlane} and ${infrastructure} with ${what}`, () => {
      assert.deepEqual(derivedTopology(nodes(masters, arbiters, workers)), {
        controlPlaneTopology: controlPlane,
        infrastructureTopology: infrastructure,
        source: 'nodes',
      });
    });
  }

  it('counts control-plane nodes that take any pod as nodes for it', () => {
    const compact = [1, 2, 3].map((i) =>
      node(`master-${i}`, { metadata: { labels: role('master') } }),
    );
    const found = derivedTopology(compact);
    assert.equal(found.controlPlaneTopology, 'HighlyAvailable');
    assert.equal(found.infrastructureTopology, 'HighlyAvailable');
  });
});

describe('isControlPlane', () => {
  const labelled = (labels: object) => isControlPlane(node('a', { metadata: { labels } }));

  it('knows both labels, whatever their value', () => {
    assert.equal(labelled(role('control-plane')), true);
    assert.equal(labelled(role('master')), true);
    assert.equal(labelled({ 'node-role.kubernetes.io/master': 'true' }), true);
    assert.equal(labelled(role('worker')), false);
    assert.equal(isControlPlane(node('a')), false);
  });

  it('takes no arbiter for one', () => {
    assert.equal(labelled({ ...role('master'), ...role('arbiter') }), false);
  });
});

describe('topologyOf', () => {
  const infrastructure = (status?: object, spec?: object) =>
    make('infrastructures', 'cluster', { status, spec });
  const status = (controlPlaneTopology: string, infrastructureTopology = 'HighlyAvailable') => ({
    controlPlaneTopology,
    infrastructureTopology,
  });
  const single = derivedTopology(nodes(1, 0, 0));
  const unread = { cause: 'forbidden', detail: 'nodes could not be listed' } as const;

  const modes = ['HighlyAvailable', 'HighlyAvailableArbiter', 'DualReplica', 'SingleReplica'];
  for (const mode of [...modes, 'External']) {
    it(`believes the status, ${mode} too, and not the nodes`, () => {
      assert.deepEqual(topologyOf(infrastructure(status(mode)), nodes(1, 0, 0), single), {
        ...status(mode),
        source: 'Infrastructure',
      });
    });
  }

  it('needs no nodes where the status says all', () => {
    const found = topologyOf(infrastructure(status('HighlyAvailable')), [], unread);
    assert.equal('source' in found && found.source, 'Infrastructure');
  });

  it('takes an old cluster with three control-plane nodes for highly available', () => {
    const old = nodes(3, 0, 1);
    const found = topologyOf(infrastructure({}), old, derivedTopology(old));
    assert.deepEqual(found, { ...status('HighlyAvailable'), source: 'Infrastructure' });
  });

  it('takes another old cluster for what its nodes show', () => {
    assert.deepEqual(topologyOf(infrastructure(), nodes(1, 0, 0), single), {
      ...status('SingleReplica', 'SingleReplica'),
      source: 'Infrastructure',
    });
  });

  it('counts of an old cluster control-plane nodes only', () => {
    const old = nodes(1, 0, 3);
    const found = topologyOf(infrastructure(), old, derivedTopology(old));
    assert.deepEqual(found, { ...status('SingleReplica'), source: 'Infrastructure' });
  });

  it('takes an empty value for an absent one', () => {
    const found = topologyOf(infrastructure(status('', '')), nodes(1, 0, 0), single);
    assert.deepEqual(found, {
      ...status('SingleReplica', 'SingleReplica'),
      source: 'Infrastructure',
    });
  });

  it('adds to half of a status what the nodes show', () => {
    const half = infrastructure({ controlPlaneTopology: 'External' });
    assert.deepEqual(topologyOf(half, nodes(1, 0, 0), single), {
      ...status('External', 'SingleReplica'),
      source: 'Infrastructure',
    });
  });

  it('is unknown where the status says nothing and nodes could not be read', () => {
    assert.deepEqual(topologyOf(infrastructure(), [], unread), unread);
    assert.deepEqual(
      topologyOf(infrastructure({ controlPlaneTopology: 'External' }), [], unread),
      unread,
    );
  });

  it('is malformed with a value that it does not know, and never a guess', () => {
    for (const wrong of [status('TripleReplica'), status('HighlyAvailable', 'TripleReplica')]) {
      assert.deepEqual(topologyOf(infrastructure(wrong), nodes(3, 0, 3), single), {
        cause: 'malformed',
        detail: 'status of Infrastructure cluster: unknown topology "TripleReplica"',
      });
    }
  });

  it('knows two values only of infrastructureTopology', () => {
    for (const mode of ['HighlyAvailableArbiter', 'DualReplica', 'External']) {
      const found = topologyOf(infrastructure(status('HighlyAvailable', mode)), [], single);
      assert.equal('cause' in found && found.cause, 'malformed');
    }
    const found = topologyOf(infrastructure(status('External', 'SingleReplica')), [], single);
    assert.equal(
      'infrastructureTopology' in found && found.infrastructureTopology,
      'SingleReplica',
    );
  });

  it('says when the specification asks for another control plane', () => {
    const note = 'topology transition in progress';
    const moving = infrastructure(status('SingleReplica'), status('HighlyAvailable'));
    const found = topologyOf(moving, [], single);
    assert.deepEqual(found, { ...status('SingleReplica'), source: 'Infrastructure', note });
  });

  it('says nothing when the specification asks for what there is', () => {
    const settled = infrastructure(status('DualReplica'), status('DualReplica'));
    assert.ok(!('note' in topologyOf(settled, [], single)));
  });
});

describe('isRedundant', () => {
  const table: readonly (readonly [TopologyMode, boolean, boolean])[] = [
    ['HighlyAvailable', true, true],
    ['HighlyAvailableArbiter', true, true],
    ['DualReplica', true, true],
    ['SingleReplica', false, false],
    ['External', false, true],
  ];
  for (const [mode, controlPlane, infrastructure] of table) {
    it(`decides on ${mode}`, () => {
      assert.equal(isRedundant(mode, 'control plane'), controlPlane);
      assert.equal(isRedundant(mode, 'infrastructure'), infrastructure);
    });
  }
});

describe('assumedTopology', () => {
  it('is highly available', () => {
    assert.equal(assumedTopology.controlPlaneTopology, 'HighlyAvailable');
    assert.equal(assumedTopology.infrastructureTopology, 'HighlyAvailable');
  });
});

describe('controlPlaneOf', () => {
  it('is the topology of the control plane, where it is known', () => {
    assert.equal(
      controlPlaneOf({ ...assumedTopology, controlPlaneTopology: 'External' }),
      'External',
    );
    assert.equal(controlPlaneOf({ cause: 'malformed', detail: 'of nodes' }), undefined);
  });
});
