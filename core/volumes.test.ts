import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Fields } from '../test/objects.ts';
import { make, node } from '../test/objects.ts';
import { collection } from './artifacts.ts';
import {
  accessModes,
  boundVolume,
  isHostPath,
  isLocal,
  isMountedByMany,
  mountingNodes,
  zonesOf,
} from './volumes.ts';

const claim = (spec: object = {}) => make('persistentVolumeClaims', 'data', { spec });
const volume = (spec: object = {}, metadata: object = {}) =>
  make('persistentVolumes', 'pv-1', { spec, metadata } satisfies Fields);
const host = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';
const term = (key: string, ...values: string[]) => ({
  matchExpressions: [{ key, operator: 'In', values }],
});
const affine = (...nodeSelectorTerms: object[]) => ({
  nodeAffinity: { required: { nodeSelectorTerms } },
});

describe('boundVolume', () => {
  const own = { namespace: 'shop', name: 'data', uid: 'PersistentVolumeClaim/data' };
  const bound = (claimRef?: object, volumeName = 'pv-1') =>
    boundVolume(claim({ volumeName }), collection([volume({ claimRef })]))?.metadata.name;

  it('is what claim and volume agree on', () => {
    assert.equal(bound(own), 'pv-1');
    assert.equal(bound({ namespace: 'shop', name: 'data' }), 'pv-1');
    assert.equal(bound(), 'pv-1');
  });

  it('is not what belongs to another claim', () => {
    assert.equal(bound({ ...own, name: 'other' }), undefined);
    assert.equal(bound({ ...own, namespace: 'other' }), undefined);
    assert.equal(bound({ ...own, uid: 'an earlier one' }), undefined);
  });

  it('is nothing where the claim names none, or one that is gone', () => {
    assert.equal(boundVolume(claim(), collection([volume()])), undefined);
    const bare = make('persistentVolumeClaims', 'data');
    assert.equal(boundVolume(bare, collection([volume()])), undefined);
    assert.equal(bound(own, 'pv-2'), undefined);
  });
});

describe('accessModes', () => {
  it("are the volume's before the claim's", () => {
    const asked = claim({ accessModes: ['ReadWriteOnce'] });
    const offering = volume({ accessModes: ['ReadWriteMany'] });
    assert.deepEqual(accessModes(asked, offering), ['ReadWriteMany']);
    assert.deepEqual(accessModes(asked, volume()), ['ReadWriteOnce']);
    assert.deepEqual(accessModes(asked, undefined), ['ReadWriteOnce']);
    assert.deepEqual(accessModes(claim(), volume()), []);
    assert.deepEqual(accessModes(make('persistentVolumeClaims', 'data'), undefined), []);
    assert.deepEqual(accessModes(asked, make('persistentVolumes', 'pv-1')), ['ReadWriteOnce']);
  });

  it('let many nodes mount a volume when one of them does', () => {
    assert.equal(isMountedByMany(['ReadWriteOnce', 'ReadWriteMany']), true);
    assert.equal(isMountedByMany(['ReadOnlyMany']), true);
    assert.equal(isMountedByMany(['ReadWriteOnce', 'ReadWriteOncePod']), false);
  });
});

describe('mountingNodes', () => {
  const nodes = ['a', 'b'].map((z) => node(`worker-${z}`, { metadata: { labels: { [zone]: z } } }));
  const names = (...args: Parameters<typeof volume>) =>
    mountingNodes(volume(...args), nodes).map(({ metadata }) => metadata.name);

  it('are those that its node affinity selects', () => {
    assert.deepEqual(names(affine(term(zone, 'b'))), ['worker-b']);
    assert.deepEqual(names(affine(term(zone, 'c'), term(zone, 'a'))), ['worker-a']);
    assert.deepEqual(names(affine()), []);
  });

  it('are all where it says nothing', () => {
    assert.deepEqual(names(), ['worker-a', 'worker-b']);
    assert.deepEqual(names({ nodeAffinity: {} }), ['worker-a', 'worker-b']);
    const bare = make('persistentVolumes', 'pv-1');
    assert.equal(mountingNodes(bare, nodes).length, 2);
  });
});

describe('isLocal', () => {
  const table: readonly (readonly [string, object, boolean])[] = [
    ['a local volume', { local: {} }, true],
    ['a hostPath volume', { hostPath: {} }, true],
    ['affinity to a host', affine(term(host, 'worker-1')), true],
    ['affinity to a host by a key of TopoLVM', affine(term('topology.topolvm.io/node', 'a')), true],
    ['affinity to a host by a key of OpenEBS', affine(term('openebs.io/nodename', 'a')), true],
    ['affinity to a pool of nodes', affine(term('example.com/nodepool', 'a')), false],
    ['affinity to a host in every term', affine(term(host, 'a'), term(host, 'b')), true],
    ['affinity to a host or a zone', affine(term(host, 'a'), term(zone, 'b')), false],
    ['affinity to a zone', affine(term(zone, 'b')), false],
    [
      'affinity to any host',
      affine({ matchExpressions: [{ key: host, operator: 'Exists' }] }),
      false,
    ],
    ['affinity without an expression', affine({}), false],
    ['affinity without a term', affine(), false],
    ['nothing', {}, false],
  ];
  for (const [what, spec, expected] of table) {
    it(`is ${expected} with ${what}`, () => assert.equal(isLocal(volume(spec)), expected));
  }

  it('is false without a spec', () => {
    assert.equal(isLocal(make('persistentVolumes', 'pv-1')), false);
  });

  it('knows a directory of the host', () => {
    assert.equal(isHostPath(volume({ hostPath: {} })), true);
    assert.equal(isHostPath(volume({ local: {} })), false);
    assert.equal(isHostPath(make('persistentVolumes', 'pv-1')), false);
  });
});

describe('zonesOf', () => {
  const zones = (spec: object, labels?: object) => zonesOf(volume(spec, { labels }));
  const csi = 'topology.ebs.csi.aws.com/zone';

  it('are the values of its affinity to a zone, whatever the key is called', () => {
    assert.deepEqual(zones(affine(term(zone, 'a', 'b'))), ['a', 'b']);
    assert.deepEqual(zones(affine(term(csi, 'a'), term(zone, 'b'))), ['a', 'b']);
  });

  it('are those of its labels, which may name several', () => {
    assert.deepEqual(zones({}, { [zone]: 'a' }), ['a']);
    assert.deepEqual(zones({}, { [zone]: 'a__b', app: 'c' }), ['a', 'b']);
  });

  it('are those that both name', () => {
    assert.deepEqual(zones(affine(term(zone, 'a', 'b')), { [zone]: 'b__c' }), ['b']);
  });

  it('are any where nothing is said, or not in every term', () => {
    assert.equal(zones({}), undefined);
    assert.equal(zones({}, { app: 'a' }), undefined);
    assert.equal(zones(affine(term(host, 'worker-1'))), undefined);
    assert.equal(zones(affine(term(zone, 'a'), term(host, 'worker-1'))), undefined);
    assert.equal(zones(affine(term(zone, 'a'), {})), undefined);
    const barred = { matchExpressions: [{ key: zone, operator: 'NotIn', values: ['a'] }] };
    assert.equal(zones(affine(barred)), undefined);
    assert.equal(zonesOf(make('persistentVolumes', 'pv-1')), undefined);
  });

  it('are any where the driver knows no zones', () => {
    assert.equal(zones(affine(term(csi, ''))), undefined);
    assert.equal(zones(affine(term(csi, 'a'), term(csi, ''))), undefined);
  });

  it('are none where an expression has no value', () => {
    const empty = { matchExpressions: [{ key: zone, operator: 'In' }] };
    assert.deepEqual(zones(affine(empty)), []);
    assert.equal(zones(affine({ matchExpressions: [{ operator: 'In' }] })), undefined);
  });
});
