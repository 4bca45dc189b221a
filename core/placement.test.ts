import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deployment, estate, node, ownedBy, pod, workload } from '../test/objects.ts';
import { crowdOf, placedOn, zonesOf } from './placement.ts';

describe('placedOn', () => {
  const web = deployment('web');
  const on = (name: string, spec: object, more: object = {}) =>
    pod(name, { metadata: { ...ownedBy(web), ...more }, spec });

  it('is the node of every pod that counts and has one', () => {
    const gone = { deletionTimestamp: '2026-01-10T11:00:00Z' };
    const pods = [
      on('a', { nodeName: 'worker-1' }),
      on('b', { nodeName: 'worker-1' }),
      on('c', {}),
      on('d', { nodeName: 'worker-2' }, gone),
      pod('e', { metadata: ownedBy(web) }),
    ];
    assert.deepEqual(placedOn(workload('web', estate([web, ...pods]))), ['worker-1', 'worker-1']);
  });
});

describe('crowdOf', () => {
  it('is the place that most share', () => {
    assert.deepEqual(crowdOf(['a', 'b', 'b']), ['b', 'b']);
    assert.deepEqual(crowdOf(['b', 'a', 'b']), ['b', 'b']);
  });

  it('is the first by name where others are as crowded', () => {
    assert.deepEqual(crowdOf(['b', 'a']), ['a']);
  });

  it('is nobody where nothing is placed', () => {
    assert.deepEqual(crowdOf([]), []);
  });
});

describe('zonesOf', () => {
  it('are the known zones, each once and in their order', () => {
    const at = (name: string, zone?: string) =>
      node(name, { metadata: { labels: zone ? { 'topology.kubernetes.io/zone': zone } : {} } });
    assert.deepEqual(zonesOf([at('1', 'b'), at('2', 'a'), at('3'), at('4', 'b')]), ['a', 'b']);
    assert.deepEqual(zonesOf([]), []);
  });
});
