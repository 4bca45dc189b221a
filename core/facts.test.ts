import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import { estate, make, node } from '../test/objects.ts';
import { factsOf, isOpenShift, platformOf, releaseOf } from './facts.ts';
import { defaultOptions } from './scope.ts';
import { defaultThresholds } from './thresholds.ts';
import type { TopologyMode } from './topology.ts';

const thresholds = { ...defaultThresholds, workloads: [] };
const snapshotOf = (objects: readonly AnyObject[], given?: Given) =>
  estate(objects, given).snapshot;
const facts = (objects: readonly AnyObject[], given?: Given, topology?: TopologyMode) =>
  factsOf(snapshotOf(objects, given), { thresholds, options: defaultOptions, topology });
const manifests: Given = {
  snapshot: { input: { kind: 'manifests', name: 'deploy/' } },
  listings: { nodes: { state: 'unknown' }, infrastructures: { state: 'unknown' } },
};

describe('factsOf', () => {
  it('carries what the snapshot knows and what was given', () => {
    const found = facts([node('a')]);
    assert.equal(found.input, 'live');
    assert.equal(found.takenAt, '2026-01-10T12:00:00Z');
    assert.equal(found.serverVersion, 'v1.36.3');
    assert.equal(found.openshift, false);
    assert.equal(found.thresholds, thresholds);
    assert.equal(found.options, defaultOptions);
  });

  it('knows neither time nor version of manifests', () => {
    const { takenAt: _, serverVersion: __, ...timeless } = snapshotOf([], manifests);
    const found = factsOf(timeless, { thresholds, options: defaultOptions });
    assert.ok(!('takenAt' in found));
    assert.ok(!('serverVersion' in found));
  });
});

describe('the topology of a snapshot', () => {
  const status = { controlPlaneTopology: 'DualReplica', infrastructureTopology: 'HighlyAvailable' };

  it('is what the Infrastructure called cluster says', () => {
    const infrastructure = make('infrastructures', 'cluster', { status });
    const other = make('infrastructures', 'a', { status: { controlPlaneTopology: 'External' } });
    assert.deepEqual(facts([other, infrastructure, node('a')]).topology, {
      ...status,
      source: 'Infrastructure',
    });
  });

  it('is for an old cluster with three control-plane nodes highly available', () => {
    const labels = { 'node-role.kubernetes.io/master': '' };
    const taints = [{ key: 'node-role.kubernetes.io/master', effect: 'NoSchedule' }];
    const masters = ['a', 'b', 'c'].map((name) =>
      node(name, { metadata: { labels }, spec: { taints } }),
    );
    assert.deepEqual(facts([make('infrastructures', 'cluster'), ...masters]).topology, {
      controlPlaneTopology: 'HighlyAvailable',
      infrastructureTopology: 'HighlyAvailable',
      source: 'Infrastructure',
    });
  });

  it('is what nodes show where there is no Infrastructure', () => {
    assert.deepEqual(facts([node('a'), node('b')]).topology, {
      controlPlaneTopology: 'External',
      infrastructureTopology: 'HighlyAvailable',
      source: 'nodes',
    });
  });

  it('is what nodes show where Infrastructures are forbidden', () => {
    const forbidden = {
      state: 'missing',
      cause: 'forbidden',
      detail: 'list answered 403',
    } as const;
    const { topology } = facts([node('a')], { listings: { infrastructures: forbidden } });
    assert.equal('source' in topology && topology.source, 'nodes');
  });

  it('is unknown where nodes could not be read', () => {
    const nodes = { state: 'missing', cause: 'forbidden', detail: 'list answered 403' } as const;
    const unknown = { cause: 'forbidden', detail: 'nodes list answered 403' };
    assert.deepEqual(facts([], { listings: { nodes } }).topology, unknown);
    const silent = make('infrastructures', 'cluster');
    assert.deepEqual(facts([silent], { listings: { nodes } }).topology, unknown);
  });

  it('is unknown where only a part of the nodes was read', () => {
    const gaps = [{ cause: 'partial', detail: 'ended after 1 page' }] as const;
    const nodes = { state: 'read', objects: [node('a')], gaps } as const;
    assert.deepEqual(facts([], { listings: { nodes } }).topology, {
      cause: 'partial',
      detail: 'nodes ended after 1 page',
    });
  });

  it('is unknown in a cluster without nodes', () => {
    assert.deepEqual(facts([]).topology, { cause: 'not collected', detail: 'there are no nodes' });
  });

  it('is highly available for manifests', () => {
    assert.deepEqual(facts([], manifests).topology, {
      controlPlaneTopology: 'HighlyAvailable',
      infrastructureTopology: 'HighlyAvailable',
      source: 'assumed',
    });
  });

  it('is for manifests what an option says', () => {
    assert.deepEqual(facts([], manifests, 'SingleReplica').topology, {
      controlPlaneTopology: 'SingleReplica',
      infrastructureTopology: 'SingleReplica',
      source: 'option',
    });
    assert.deepEqual(facts([], manifests, 'External').topology, {
      controlPlaneTopology: 'External',
      infrastructureTopology: 'HighlyAvailable',
      source: 'option',
    });
  });

  const job = (topology: string): Given => ({ snapshot: { jobData: { topology } } });

  it('is what a CI job wrote of its cluster, where there is no Infrastructure', () => {
    const table = [
      ['ha', 'HighlyAvailable', 'HighlyAvailable'],
      ['single', 'SingleReplica', 'SingleReplica'],
      ['external', 'External', 'HighlyAvailable'],
    ] as const;
    for (const [word, controlPlaneTopology, infrastructureTopology] of table) {
      const expected = { controlPlaneTopology, infrastructureTopology, source: 'cluster-data' };
      assert.deepEqual(facts([node('a')], job(word)).topology, expected);
      const infrastructure = make('infrastructures', 'cluster', { status });
      const { topology } = facts([infrastructure], job(word));
      assert.equal('source' in topology && topology.source, 'Infrastructure');
    }
  });

  it('is not what a CI job says in a word that is not known', () => {
    for (const word of ['dual', 'constructor', '']) {
      const { topology } = facts([node('a')], job(word));
      assert.equal('source' in topology && topology.source, 'nodes');
    }
  });

  it('of a cluster is no matter of options', () => {
    const { topology } = facts([node('a')], {}, 'HighlyAvailable');
    assert.equal('source' in topology && topology.source, 'nodes');
  });
});

describe('isOpenShift', () => {
  const signs = [
    make('infrastructures', 'cluster'),
    make('clusterVersions', 'version'),
    make('clusterOperators', 'dns'),
    make('machineConfigPools', 'worker'),
    make('namespaces', 'openshift-config'),
  ];
  for (const sign of signs) {
    it(`takes ${sign.kind} ${sign.metadata.name} for a sign`, () => {
      assert.equal(isOpenShift(snapshotOf([sign])), true);
    });
  }

  it('takes no other namespace for one', () => {
    assert.equal(isOpenShift(snapshotOf([make('namespaces', 'openshift-x'), node('a')])), false);
  });
});

describe('platformOf', () => {
  const infrastructure = (status: object) => make('infrastructures', 'cluster', { status });
  const provided = node('b', { spec: { providerID: 'aws:///eu-central-1a/i-0123' } });

  it('is what OpenShift says, in its new or its old field', () => {
    const both = infrastructure({ platform: 'Old', platformStatus: { type: 'AWS' } });
    assert.equal(platformOf(snapshotOf([both])), 'AWS');
    assert.equal(platformOf(snapshotOf([infrastructure({ platform: 'GCP' })])), 'GCP');
  });

  it('is what a CI job wrote before it is guessed from nodes', () => {
    const given = { snapshot: { jobData: { platform: 'metal' } } };
    assert.equal(platformOf(snapshotOf([provided], given)), 'metal');
    assert.equal(platformOf(snapshotOf([infrastructure({ platform: 'GCP' })], given)), 'GCP');
  });

  it('is elsewhere the provider of the nodes', () => {
    assert.equal(platformOf(snapshotOf([node('a'), provided])), 'aws');
  });

  it('is unknown where nothing tells', () => {
    assert.equal(platformOf(snapshotOf([node('a')])), 'unknown');
  });
});

describe('releaseOf', () => {
  const version = (status?: object) => make('clusterVersions', 'version', { status });
  const history = [
    { state: 'Partial', version: '4.17.0' },
    { state: 'Completed', version: '4.16.3' },
    { state: 'Completed', version: '4.15.9' },
  ];

  it('is the release that OpenShift is to have', () => {
    const status = { desired: { version: '4.17.0' }, history };
    assert.equal(releaseOf(snapshotOf([version(status)])), '4.17.0');
  });

  it('is the newest that was completed where none is asked for', () => {
    assert.equal(releaseOf(snapshotOf([version({ history })])), '4.16.3');
  });

  it('is what a CI job wrote before it is the version of the server', () => {
    const given = { snapshot: { jobData: { release: '4.18.1' } } };
    assert.equal(releaseOf(snapshotOf([], given)), '4.18.1');
    assert.equal(releaseOf(snapshotOf([version({ history })], given)), '4.16.3');
  });

  it('is elsewhere the version of the server', () => {
    assert.equal(releaseOf(snapshotOf([version()])), 'v1.36.3');
    assert.equal(releaseOf(snapshotOf([])), 'v1.36.3');
  });

  it('is unknown where nothing tells', () => {
    const { serverVersion: _, ...unversioned } = snapshotOf([]);
    assert.equal(releaseOf(unversioned), 'unknown');
  });
});
