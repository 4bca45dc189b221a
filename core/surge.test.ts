import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject } from '../test/objects.ts';
import { deployment, estate, make, node, workload } from '../test/objects.ts';
import { crowding, heldVolume } from './surge.ts';

const [host, zone] = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];
const workers = ['a', 'b'].map((z) =>
  node(`worker-${z}`, { metadata: { labels: { [host]: `worker-${z}`, [zone]: z } } }),
);
const labelSelector = { matchLabels: { app: 'web' } };
const apart = (topologyKey: string) => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector }],
    },
  },
});
const web = (spec: object) => {
  const template = { metadata: { labels: { app: 'web' } }, spec };
  return deployment('web', { spec: { template } });
};

describe('crowding', () => {
  function crowd(spec: object, replicas: number, nodes = workers) {
    const found = estate([web(spec)]);
    return crowding(workload('web', found), replicas, nodes, found.scope);
  }

  it('is one replica or more on each node', () => {
    const said = 'required anti-affinity on 2 eligible nodes';
    assert.equal(crowd(apart(host), 1), undefined);
    assert.equal(crowd(apart(host), 2), said);
    assert.equal(crowd(apart(host), 3), said);
    assert.equal(crowd({}, 3), undefined);
    assert.equal(crowd(apart(host), 2, []), undefined);
  });

  it('is one replica in each zone, not more', () => {
    assert.equal(crowd(apart(zone), 1), undefined);
    assert.equal(crowd(apart(zone), 2), `required anti-affinity on 2 values of ${zone}`);
    assert.equal(crowd(apart(zone), 3), undefined);
    assert.equal(crowd(apart(zone), 2, [...workers, node('bare')]), undefined);
  });

  it('is a constraint whose domains are full, not more', () => {
    const constraint = { topologyKey: zone, labelSelector, minDomains: 3 };
    const crowded = [1, 2, 3].map((replicas) =>
      crowd({ topologySpreadConstraints: [constraint] }, replicas),
    );
    const said = `maxSkew 1 and minDomains 3 over 2 values of ${zone}`;
    assert.deepEqual(crowded, [undefined, said, undefined]);
  });
});

describe('heldVolume', () => {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  const claim = (accessModes: string[]) =>
    make('persistentVolumeClaims', 'data', { spec: { accessModes } });
  const held = (replicas: number, ...objects: AnyObject[]) => {
    const found = estate([web({ volumes }), ...workers, ...objects]);
    return heldVolume(workload('web', found), replicas, found.artifacts, found.scope);
  };

  it('is one that a single pod may use', () => {
    assert.equal(held(1, claim(['ReadWriteOncePod'])), 'ReadWriteOncePod');
    assert.equal(held(2, claim(['ReadWriteOncePod'])), 'ReadWriteOncePod');
  });

  it('is one of a single node, held by a single replica', () => {
    assert.equal(held(1, claim(['ReadWriteOnce'])), 'ReadWriteOnce');
    assert.equal(held(2, claim(['ReadWriteOnce'])), undefined);
    assert.equal(held(1, claim(['ReadWriteMany'])), undefined);
    assert.equal(held(1), undefined);
  });
});
