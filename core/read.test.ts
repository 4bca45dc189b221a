import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ownedByKind } from '../test/objects.ts';
import { readObject } from './read.ts';

const type = { apiVersion: 'apps/v1', kind: 'Deployment' };
const read = (raw: unknown) => readObject('deployments', raw, type);

describe('readObject', () => {
  it('gives an object the type of its list', () => {
    const found = read({ metadata: { name: 'web', namespace: 'shop' }, spec: { replicas: 2 } });
    assert.deepEqual(found, {
      ...type,
      metadata: { name: 'web', namespace: 'shop' },
      spec: { replicas: 2 },
    });
  });

  it('keeps the annotations that a rule reads, and no other', () => {
    const annotations = {
      'ha-compliance/quorum': 'true',
      'kubectl.kubernetes.io/last-applied-configuration': '{"env": "secret"}',
    };
    const found = read({ metadata: { name: 'web', annotations, managedFields: [{}] } });
    assert.deepEqual(found.metadata, {
      name: 'web',
      annotations: { 'ha-compliance/quorum': 'true' },
    });
  });

  it('keeps of probes neither commands nor headers', () => {
    const containers = [
      {
        name: 'web',
        env: [{ name: 'TOKEN', value: 'secret' }],
        livenessProbe: { exec: { command: ['secret'] } },
        readinessProbe: { httpGet: { port: 80, httpHeaders: [{ value: 'secret' }] } },
      },
    ];
    const found = read({ metadata: { name: 'web' }, spec: { template: { spec: { containers } } } });
    assert.deepEqual(found.spec?.template?.spec?.containers, [
      {
        name: 'web',
        livenessProbe: { exec: { command: ['#0f6d'] } },
        readinessProbe: { httpGet: { port: 80, httpHeaders: [{ value: '#0f6d' }] } },
      },
    ]);
  });

  it('names an object that the server will name', () => {
    assert.equal(read({ metadata: { generateName: 'web-' } }).metadata.name, 'web-');
    const both = read({ metadata: { name: 'web-x', generateName: 'web-' } });
    assert.equal(both.metadata.name, 'web-x');
  });

  for (const raw of [{}, { metadata: {} }, { metadata: { name: '' } }, { metadata: null }]) {
    it(`refuses an object without a name: ${JSON.stringify(raw)}`, () => {
      assert.throws(() => read(raw), {
        name: 'MalformedError',
        message: 'metadata.name: expected a name, found nothing',
      });
    });
  }

  it('refuses what is no object, and a field of a wrong type', () => {
    assert.throws(() => read(null), /^MalformedError: object: expected a map, found null$/);
    assert.throws(
      () => read({ metadata: { name: 'web' }, spec: { replicas: '3' } }),
      /^MalformedError: spec.replicas: expected an integer, found "3"$/,
    );
  });
});

describe('readObject, of pods', () => {
  const containers = [{ name: 'web' }];
  const affinity = { podAntiAffinity: {} };
  const spec = {
    affinity,
    containers,
    nodeName: 'worker-1',
    restartPolicy: 'Always',
    hostNetwork: true,
  };
  const specOf = (metadata: object, own: object | undefined = spec) =>
    readObject(
      'pods',
      { metadata: { name: 'a', ...metadata }, spec: own },
      { apiVersion: 'v1', kind: 'Pod' },
    ).spec;

  it('drops what the template of their owner says', () => {
    const { affinity: _, ...kept } = spec;
    assert.deepEqual(specOf(ownedByKind('apps/v1', 'ReplicaSet', 'web-1')), kept);
    assert.deepEqual(specOf(ownedByKind('batch/v1', 'Job', 'backup')), kept);
    assert.equal(specOf(ownedByKind('apps/v1', 'ReplicaSet', 'web-1'), { affinity }), undefined);
  });

  it('keeps all of what a controller made that may not be read', () => {
    assert.deepEqual(specOf({}), spec);
    assert.deepEqual(specOf(ownedByKind('v1', 'ReplicationController', 'old-1')), spec);
    assert.deepEqual(specOf(ownedByKind('core.strimzi.io/v1', 'StrimziPodSet', 'kafka')), spec);
  });
});
