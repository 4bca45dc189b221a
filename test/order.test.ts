import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Artifacts } from '../core/artifacts.ts';
import { floorOf } from '../core/autoscaler.ts';
import { allowanceOf, matchOf } from '../core/budget.ts';
import { controlLoopNote } from '../core/control-loop.ts';
import { factsOf } from '../core/facts.ts';
import { finding } from '../core/finding.ts';
import { inventoryOf } from '../core/inventory.ts';
import type { Kind } from '../core/kinds.ts';
import { redundantWorkloads } from '../core/population.ts';
import type { Scope } from '../core/scope.ts';
import { defaultOptions } from '../core/scope.ts';
import { defaultThresholds } from '../core/thresholds.ts';
import { servicesOf, trafficTargets } from '../core/traffic.ts';
import type { AnyObject } from './objects.ts';
import {
  budget,
  configMap,
  daemonSet,
  deployment,
  estate,
  hpa,
  lease,
  make,
  node,
  ownedBy,
  ownedByKind,
  pod,
  podsOf,
  running,
  scaledObject,
  service,
  statefulSet,
} from './objects.ts';

/** Everything that core derives from objects. */
function derived(artifacts: Artifacts<Kind>, scope: Scope) {
  const { workloads, notes } = redundantWorkloads(artifacts, scope);
  return {
    notes,
    workloads: workloads.map((workload) => ({
      finding: finding(workload, { message: '' }),
      floor: floorOf(workload, artifacts, scope),
      loop: controlLoopNote(workload, artifacts, scope),
      workload,
      services: servicesOf(workload, artifacts),
      traffic: trafficTargets(workload, artifacts, scope),
    })),
    budgets: artifacts.podDisruptionBudgets.in(scope.namespace).map((pdb) => {
      const match = matchOf(pdb, artifacts, scope);
      return { match, allowance: allowanceOf(pdb, match, artifacts, scope) };
    }),
  };
}

describe('the order of the objects', () => {
  const web = (name: string, replicas = 2) =>
    deployment(name, {
      spec: {
        replicas,
        template: {
          metadata: { labels: { app: name, all: 'x' } },
          spec: { containers: [{ name: 'app', ports: [{ name: 'http', containerPort: 8080 }] }] },
        },
      },
    });
  const host = { hostNetwork: true, nodeName: 'worker-1' };
  const agent = daemonSet('agent', {
    spec: { template: { metadata: { labels: { app: 'agent' } }, spec: host } },
    status: { desiredNumberScheduled: 1 },
  });
  const sync = deployment('sync', { spec: { template: { spec: host } } });
  const db = statefulSet('db', { spec: { replicas: 2 } });
  const kafka = ownedByKind('core.strimzi.io/v1', 'StrimziPodSet', 'kafka');
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const toWeb = (name: string, targetPort: number | string) =>
    service(name, {
      spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort }, { port: 81 }] },
    });
  const objects: readonly AnyObject[] = [
    ...running(web('web')),
    ...running(web('api', 1)),
    ...running(sync),
    ...podsOf(agent, 1),
    ...podsOf(db, 2, { metadata: { labels: { all: 'x' } } }),
    agent,
    db,
    web('off', 0),
    pod('kafka-0', { metadata: { ...kafka, labels: { app: 'a' } } }),
    pod('kafka-1', { metadata: { ...kafka, labels: { app: 'b' } } }),
    pod('bare', { metadata: { labels: { all: 'x' } } }),
    pod('lost-a', { metadata: ownedBy(statefulSet('lost')) }),
    pod('lost-b', { metadata: ownedBy(statefulSet('lost')) }),
    pod('api-h1-0', { metadata: { namespace: 'other', uid: 'twin' } }),
    hpa('a', { spec: { scaleTargetRef, maxReplicas: 4 } }),
    hpa('b', { spec: { scaleTargetRef, maxReplicas: 5 } }),
    scaledObject('k1', { spec: { scaleTargetRef: { name: 'api' }, minReplicaCount: 1 } }),
    scaledObject('k2', { spec: { scaleTargetRef: { name: 'api' }, minReplicaCount: 1 } }),
    toWeb('s1', 'http'),
    toWeb('s2', 8080),
    lease('l1', { spec: { holderIdentity: 'api-h1-0_1' } }),
    lease('l2', { spec: { holderIdentity: 'api-h1-0_2' } }),
    lease('host', { spec: { holderIdentity: 'worker-1_3' } }),
    configMap('web-lock', { metadata: ownedBy(pod('web-h1-0')) }),
    configMap('db-lock', { metadata: ownedBy(pod('web-h1-0')) }),
    budget('all', { spec: { maxUnavailable: '25%', selector: { matchLabels: { all: 'x' } } } }),
    budget('two', { spec: { minAvailable: 2, selector: {} } }),
    make('routes', 'web', { spec: { to: { kind: 'Service', name: 's1' } } }),
    node('worker-1'),
    node('worker-2'),
    node('worker-3', { spec: { providerID: 'aws:///a/1' } }),
    make('namespaces', 'shop'),
  ];
  const said = (order: readonly AnyObject[]) => {
    const { snapshot, artifacts, scope } = estate(order);
    const thresholds = { ...defaultThresholds, workloads: [] };
    return {
      derived: derived(artifacts, scope),
      facts: factsOf(snapshot, { thresholds, options: defaultOptions }),
      inventory: JSON.stringify(inventoryOf(snapshot)),
    };
  };
  const expected = said(objects);

  it('is of an estate in which much can be mistaken', () => {
    const { workloads, budgets, notes } = expected.derived;
    assert.deepEqual([workloads.length, budgets.length, notes.length], [6, 2, 2]);
    assert.equal(workloads.filter(({ floor }) => floor.scaler).length, 2);
    const loops = workloads.flatMap(({ loop, workload }) => (loop ? [workload.name] : []));
    assert.deepEqual(loops, ['agent', 'api', 'sync']);
  });

  it('changes nothing that is derived from them', () => {
    const shuffled = fc.shuffledSubarray([...objects], { minLength: objects.length });
    fc.assert(
      fc.property(shuffled, (order) => assert.deepEqual(said(order), expected)),
      { numRuns: 60 },
    );
  });
});
