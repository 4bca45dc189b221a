import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Given } from '../test/objects.ts';
import {
  budget,
  daemonSet,
  deployment,
  estate,
  make,
  replicaSet,
  statefulSet,
} from '../test/objects.ts';
import { inventoryOf } from './inventory.ts';

const spec = (...containers: object[]) => ({ template: { spec: { containers } } });
const probe = { tcpSocket: { port: 80 } };
const objects = [
  make('namespaces', 'shop'),
  make('namespaces', 'other', { status: { phase: 'Terminating' } }),
  budget('web'),
  deployment('web', { spec: { replicas: 10, ...spec({ livenessProbe: probe }, {}) } }),
  deployment('api', { spec: { replicas: 2 } }),
  deployment('off', { metadata: { namespace: 'other' }, spec: { replicas: 0 } }),
  deployment('one'),
  deployment('two', { spec: { replicas: 1 } }),
  statefulSet('db', { spec: spec({ readinessProbe: probe, startupProbe: probe }) }),
  daemonSet('agent', { spec: spec({ readinessProbe: probe }) }),
  replicaSet('bare', { spec: spec({}) }),
];

const missing = { state: 'missing', cause: 'forbidden', detail: '403' } as const;
const inventory = (given?: Given) => inventoryOf(estate(objects, given).snapshot);

describe('inventoryOf', () => {
  it('counts everything, before scope, class or exemption', () => {
    assert.deepEqual(inventory(), {
      namespaces: 2,
      podDisruptionBudgets: 1,
      deployments: 5,
      deploymentsByReplicas: { 0: 1, 1: 2, 2: 1, 10: 1 },
      containers: 4,
      containersWithoutLiveness: 3,
      containersWithoutReadiness: 2,
      containersWithoutStartup: 3,
    });
  });

  it('counts nothing where there is nothing', () => {
    assert.deepEqual(inventoryOf(estate([]).snapshot), {
      namespaces: 0,
      podDisruptionBudgets: 0,
      deployments: 0,
      deploymentsByReplicas: {},
      containers: 0,
      containersWithoutLiveness: 0,
      containersWithoutReadiness: 0,
      containersWithoutStartup: 0,
    });
  });

  it('has no figure for a kind that was not read', () => {
    const found = inventory({ listings: { namespaces: missing, podDisruptionBudgets: missing } });
    assert.ok(!('namespaces' in found) && !('podDisruptionBudgets' in found));
    assert.equal(found.deployments, 5);
  });

  it('counts containers only where all templates were read', () => {
    for (const kind of ['statefulSets', 'daemonSets'] as const) {
      const found = inventory({ listings: { [kind]: missing } });
      assert.ok('deployments' in found && !('containers' in found));
    }
    const found = inventory({ listings: { deployments: { state: 'not served' } } });
    assert.ok(!('deployments' in found) && !('containers' in found));
  });
});
