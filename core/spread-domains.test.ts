import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { node } from '../test/objects.ts';
import type { PodSpec, TopologySpreadConstraint } from './objects.ts';
import { isHardConstraint, spreadDomains, valuesOf } from './spread-domains.ts';

const zone = 'topology.kubernetes.io/zone';
const at = (name: string, labels: Record<string, string>, spec: object = {}) =>
  node(name, { metadata: { labels }, spec });
const taints = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }];
const tolerations = [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }];

const workers = ['a', 'b'].map((z) => at(`worker-${z}`, { [zone]: z, disk: 'ssd' }));
const nodes = [...workers, at('master-c', { [zone]: 'c' }, { taints })];

const constraint = (fields: TopologySpreadConstraint = {}): TopologySpreadConstraint => ({
  topologyKey: zone,
  maxSkew: 1,
  ...fields,
});

function domains(fields: TopologySpreadConstraint = {}, spec: PodSpec = {}, all = nodes) {
  const own = constraint(fields);
  return spreadDomains(own, { topologySpreadConstraints: [own], ...spec }, all);
}

describe('spreadDomains', () => {
  it('are capped by what is tainted, unless taints are honoured', () => {
    assert.deepEqual(domains(), {
      counted: ['a', 'b', 'c'],
      usable: ['a', 'b'],
      empty: ['c'],
      limit: 2,
    });
    assert.deepEqual(domains({ nodeTaintsPolicy: 'Honor' }), {
      counted: ['a', 'b'],
      usable: ['a', 'b'],
      empty: [],
      limit: undefined,
    });
  });

  it('count what is tainted and tolerated', () => {
    for (const nodeTaintsPolicy of ['Honor', 'Ignore']) {
      const { usable, limit } = domains({ nodeTaintsPolicy }, { tolerations });
      assert.deepEqual([usable, limit], [['a', 'b', 'c'], undefined]);
    }
  });

  it('are as many as the skew times the usable ones', () => {
    assert.equal(domains({ maxSkew: 3 }).limit, 6);
    assert.equal(spreadDomains({ topologyKey: zone }, {}, nodes).limit, 2);
  });

  it('honour selector and affinity, unless they are to be ignored', () => {
    const selecting = { nodeSelector: { disk: 'ssd' } };
    const required = { nodeSelectorTerms: [{ matchExpressions: [ssd] }] };
    const affine = {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
    };
    for (const spec of [selecting, affine]) {
      assert.deepEqual(domains({}, spec).counted, ['a', 'b']);
      assert.deepEqual(domains({ nodeAffinityPolicy: 'Honor' }, spec).counted, ['a', 'b']);
      const ignoring = domains({ nodeAffinityPolicy: 'Ignore' }, spec);
      assert.deepEqual([ignoring.counted, ignoring.limit], [['a', 'b', 'c'], 2]);
      const both = domains({ nodeAffinityPolicy: 'Ignore', nodeTaintsPolicy: 'Honor' }, spec);
      assert.deepEqual([both.counted, both.limit], [['a', 'b'], undefined]);
    }
  });

  it('are capped by more domains demanded than there are', () => {
    const limit = (minDomains: number) => domains({ minDomains }, {}, workers).limit;
    assert.deepEqual([limit(1), limit(2), limit(3)], [undefined, undefined, 2]);
    assert.equal(domains({}, {}, workers.slice(0, 1)).limit, undefined);
  });

  it('hold no pod where no node carries the key', () => {
    assert.deepEqual(domains({ topologyKey: 'rack' }), {
      counted: [],
      usable: [],
      empty: [],
      limit: 0,
    });
    assert.equal(spreadDomains({}, {}, nodes).limit, 0);
  });

  it('leave out nodes without the key of another hard constraint', () => {
    const spec = (whenUnsatisfiable: string) => ({
      topologySpreadConstraints: [constraint(), { topologyKey: 'disk', whenUnsatisfiable }],
    });
    assert.deepEqual(domains({}, spec('DoNotSchedule')).counted, ['a', 'b']);
    assert.deepEqual(domains({}, spec('ScheduleAnyway')).counted, ['a', 'b', 'c']);
    const keyless = { topologySpreadConstraints: [constraint(), {}] };
    assert.deepEqual(domains({}, keyless).counted, []);
  });

  it('leave out nodes without labels', () => {
    assert.deepEqual(domains({}, {}, [...workers, node('bare')]).usable, ['a', 'b']);
  });
});

const ssd = { key: 'disk', operator: 'In', values: ['ssd'] };

describe('isHardConstraint', () => {
  it('holds unless the pod may be scheduled anyway', () => {
    const hard = [
      {},
      { whenUnsatisfiable: 'DoNotSchedule' },
      { whenUnsatisfiable: 'ScheduleAnyway' },
    ];
    assert.deepEqual(hard.map(isHardConstraint), [true, true, false]);
  });
});

describe('valuesOf', () => {
  it('are the different values of a label', () => {
    const all = [...workers, at('worker-d', { [zone]: 'a' }), node('bare')];
    assert.deepEqual(valuesOf(zone, all), ['a', 'b']);
  });
});
