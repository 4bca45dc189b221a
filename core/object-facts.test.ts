import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import {
  budget,
  daemonSet,
  deployment,
  estate,
  hpa,
  job,
  lease,
  make,
  node,
  ownedBy,
  ownedByKind,
  pod,
  podsOf,
  replicaSet,
  running,
  scaledObject,
  service,
  statefulSet,
} from '../test/objects.ts';
import type { FactArtifacts } from './fact.ts';
import type { Kind } from './kinds.ts';
import { factsAbout } from './object-facts.ts';
import type { ApiObject } from './reference.ts';
import { reference } from './reference.ts';
import type { Listing } from './snapshot.ts';
import { title } from './text.ts';

/** What is said of an object of an estate, by the name of the fact. */
function about(object: ApiObject, others: readonly AnyObject[], given: Given = {}) {
  const { artifacts, scope } = estate(others, given);
  const { facts, related } = factsAbout(reference(object), artifacts as FactArtifacts, scope);
  return {
    names: facts.map(({ name }) => name),
    related: related.map(title),
    says: (name: string) => facts.find((fact) => fact.name === name)?.text,
    from: (name: string) => facts.find((fact) => fact.name === name)?.from,
  };
}

const labels = { app: 'web' };
const spec = (fields: object = {}, podSpec: object = {}) => ({
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web' }], ...podSpec } },
    ...fields,
  },
});
const web = deployment('web', spec());
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const scaler = hpa('web', { spec: { scaleTargetRef, minReplicas: 3, maxReplicas: 5 } });
const selecting = { selector: { matchLabels: labels } };
const guard = budget('web', { spec: { ...selecting, maxUnavailable: 1 } });
const front = service('web', { spec: { type: 'LoadBalancer', selector: labels } });
const inner = service('web', { spec: { selector: labels, ports: [{ port: 80 }] } });

const unread = (...kinds: readonly Kind[]): Given => {
  const missing: Listing = { state: 'missing', cause: 'forbidden', detail: 'refused' };
  return { listings: Object.fromEntries(kinds.map((kind) => [kind, missing])) };
};

describe('factsAbout a workload', () => {
  const worker = node('worker-1', { metadata: { labels: { 'topology.kubernetes.io/zone': 'a' } } });

  it('says what it keeps, where it may run, and who calls it', () => {
    const { says, related } = about(web, [...running(web), scaler, guard, front, worker]);
    assert.equal(says('replicas'), '2 (spec.replicas)');
    assert.equal(says('pods'), '2 pods, 2 ready');
    assert.equal(says('floor'), '3 (minReplicas 3 of HorizontalPodAutoscaler web)');
    assert.equal(says('minimum'), '2 replicas (threshold minReplicas)');
    assert.equal(
      says('topology'),
      'HighlyAvailable (infrastructure, by the nodes): redundancy is expected',
    );
    assert.equal(says('nodes'), '1 of 1 may run it, zones a');
    assert.equal(says('callers'), 'Services web; called from outside its application');
    assert.equal(says('election'), 'not taken for a control loop');
    assert.equal(says('budgets'), 'web (allows 1 of 2 when all are healthy; 1 must stay)');
    assert.equal(says('manager'), undefined);
    assert.deepEqual(related, [
      'HorizontalPodAutoscaler shop/web',
      'PodDisruptionBudget shop/web',
      'Service shop/web',
    ]);
  });

  it('says what is not there', () => {
    const { says, related } = about(web, [web, node('worker-1')]);
    assert.equal(says('pods'), '0 pods, 0 ready');
    assert.equal(says('floor'), '2: no autoscaler');
    assert.equal(says('nodes'), '1 of 1 may run it, in no known zone');
    assert.equal(says('callers'), 'no Service; serves nobody');
    assert.equal(says('budgets'), 'none');
    assert.deepEqual(related, []);
  });

  it('counts its pods by node', () => {
    const placed = (name: string, nodeName: string, ready = 'True') =>
      pod(name, {
        metadata: ownedBy(set),
        spec: { nodeName },
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] },
      });
    const set = statefulSet('web', spec());
    const pods = [placed('a', 'w-2'), placed('b', 'w-1'), placed('c', 'w-2', 'False')];
    const { says } = about(set, [set, ...pods]);
    assert.equal(says('pods'), '3 pods, 2 ready, 1 on w-1, 2 on w-2');
  });

  it('says that it is switched off, or one on each node', () => {
    const off = deployment('web', spec({ replicas: 0 }));
    assert.equal(
      about(off, [off]).says('replicas'),
      '0 (spec.replicas): switched off, no check judges it',
    );
    const agent = daemonSet('agent', { ...spec(), status: { desiredNumberScheduled: 3 } });
    const { says, names } = about(agent, [agent]);
    assert.equal(says('replicas'), '3: one on each node that it is for');
    assert.ok(!names.includes('election'));
  });

  it('says why it is taken for a control loop', () => {
    const single = deployment('sync', spec({ replicas: 1 }));
    const lock = lease('sync', { spec: { holderIdentity: 'sync-h1-0_1' } });
    assert.match(
      about(single, [...running(single), lock]).says('election') ?? '',
      /^leader-elected by Lease shop\/sync; a lost node pauses it for \d+ s/,
    );
  });

  it('says that it serves, runs apart, and needs a majority', () => {
    const quorum = statefulSet('web', {
      ...spec(
        { replicas: 3 },
        { containers: [{ name: 'etcd', ports: [{ containerPort: 2379, hostPort: 2379 }] }] },
      ),
    });
    const { says } = about(quorum, [quorum, inner, worker]);
    assert.equal(says('callers'), 'Services web; serves');
    assert.equal(says('nodes'), '1 of 1 may run it, zones a; never two of its pods on one');
    assert.equal(
      says('minimum'),
      '2 replicas (threshold minReplicas); as a quorum set, a majority: 2 of 3',
    );
  });

  it('says what it is managed by', () => {
    const prometheus = ownedByKind('monitoring.coreos.com/v1', 'Prometheus', 'k8s');
    const set = statefulSet('prometheus-k8s', { ...spec(), metadata: prometheus });
    assert.equal(about(set, [set]).says('manager'), 'Prometheus shop/k8s: changes are made there');
  });

  it('says which topology decides, and that it is not known', () => {
    const bound = deployment('web', {
      ...spec({}, { nodeSelector: { 'node-role.kubernetes.io/master': '' } }),
    });
    const topology = {
      controlPlaneTopology: 'SingleReplica',
      infrastructureTopology: 'HighlyAvailable',
      source: 'Infrastructure',
    } as const;
    assert.equal(
      about(bound, [bound], { cluster: { topology } }).says('topology'),
      'SingleReplica (control plane, as Infrastructure says): redundancy is not expected',
    );
    const unknown = { cause: 'forbidden', detail: 'nodes refused' } as const;
    assert.equal(
      about(web, [web], { cluster: { topology: unknown } }).says('topology'),
      'unknown: nodes refused',
    );
  });

  it('says nothing of pods and nodes of which manifests say nothing', () => {
    const manifest = deployment('web', { ...spec(), metadata: { uid: undefined } });
    const { names } = about(manifest, [manifest], { listings: { nodes: { state: 'unknown' } } });
    assert.deepEqual(
      names.filter((name) => name === 'pods' || name === 'nodes'),
      [],
    );
  });

  it('says what of it is not known, and for want of what', () => {
    const kinds = ['horizontalPodAutoscalers', 'podDisruptionBudgets', 'services'] as const;
    const { says, related } = about(web, [web], unread(...kinds, 'leases'));
    assert.equal(says('floor'), 'unknown (horizontalPodAutoscalers not readable)');
    assert.equal(says('budgets'), 'unknown (podDisruptionBudgets not readable)');
    assert.equal(says('election'), 'unknown (leases, services not readable)');
    assert.deepEqual(related, []);
    const { says: without } = about(web, [web], unread('scaledObjects'));
    assert.equal(without('floor'), '2: no autoscaler (scaledObjects not readable)');
  });

  it('names what it is derived from', () => {
    const { from } = about(web, [web]);
    assert.deepEqual(from('pods'), ['pods']);
    assert.deepEqual(from('floor'), ['horizontalPodAutoscalers', 'scaledObjects']);
  });

  it('knows a custom workload by its pods', () => {
    const owned = ownedByKind('postgresql.cnpg.io/v1', 'Cluster', 'db');
    const db = pod('db-1', { metadata: { ...owned, labels } });
    const { says, related } = about(db, [db]);
    assert.equal(says('workload'), 'Cluster shop/db');
    assert.equal(says('replicas'), '1: the pods that count');
    assert.deepEqual(related, ['Cluster shop/db']);
  });
});

describe('factsAbout a part of a workload', () => {
  const [, set, first] = running(web);

  it('is about the workload', () => {
    assert.ok(first);
    for (const part of [set, first, scaler]) {
      const { says, related } = about(part, [...running(web), scaler]);
      assert.equal(says('workload'), 'Deployment shop/web', part.kind);
      assert.deepEqual(related, ['Deployment shop/web', 'HorizontalPodAutoscaler shop/web']);
    }
    const keda = scaledObject('web', { spec: { scaleTargetRef: { name: 'web' } } });
    assert.equal(about(keda, [web, keda]).says('workload'), 'Deployment shop/web');
  });

  it('is about a ReplicaSet or a pod of nobody else itself', () => {
    const bare = replicaSet('bare', spec());
    const { says, names } = about(bare, [bare]);
    assert.equal(says('replicas'), '2 (spec.replicas)');
    assert.ok(!names.includes('workload'));
    const lonely = pod('lonely');
    assert.deepEqual(about(lonely, [lonely]).names, []);
  });

  it('says nothing of what belongs to no workload', () => {
    const run = job('backup');
    for (const object of [run, ...podsOf(run, 1), service('web'), hpa('dangling')]) {
      const { names, related } = about(object, [run, ...podsOf(run, 1), web, hpa('dangling')]);
      assert.deepEqual([names, related], [[], []], object.kind);
    }
    assert.deepEqual(about(pod('gone'), [web]).names, []);
  });

  it('says so where workloads could not be read', () => {
    const { says, related } = about(first ?? web, [], unread('pods', 'replicaSets'));
    assert.equal(says('workload'), 'unknown (pods, replicaSets not readable)');
    assert.deepEqual(related, []);
    const partly = about(web, [web], unread('replicationControllers'));
    assert.equal(
      partly.says('replicas'),
      '2 (spec.replicas) (replicationControllers not readable)',
    );
  });
});

describe('factsAbout a budget', () => {
  const status = { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 };

  it('says whom it selects and what it allows', () => {
    const { says, names } = about(guard, [...running(web), guard]);
    assert.equal(says('selects'), '2 pods of Deployment web');
    assert.equal(says('allows'), '1 of 2 when all are healthy; 1 must stay');
    assert.ok(!names.includes('status'));
    const lonely = budget('lonely', { spec: { maxUnavailable: 1 } });
    assert.equal(about(lonely, [web, lonely]).says('selects'), '0 pods');
  });

  it('says what its status says', () => {
    const known = make('podDisruptionBudgets', 'web', { status });
    assert.equal(about(known, [known]).says('status'), '1 allowed now, 2 healthy, 1 desired');
    const bare = make('podDisruptionBudgets', 'web', { status: { currentHealthy: 2 } });
    assert.equal(about(bare, [bare]).says('status'), '0 allowed now, 2 healthy, 0 desired');
  });

  it('says why it allows nothing', () => {
    const allows = (fields: object, others: readonly AnyObject[] = running(web)) => {
      const own = budget('web', { spec: { ...selecting, ...fields } });
      return about(own, [...others, own]).says('allows');
    };
    assert.equal(allows({}), '0: neither minAvailable nor maxUnavailable is set');
    assert.equal(
      allows({ maxUnavailable: 'one' }),
      '0: the value is neither an integer nor a percentage',
    );
    const agent = daemonSet('agent', { ...spec(), status: { desiredNumberScheduled: 2 } });
    assert.equal(allows({ maxUnavailable: 1 }, [agent]), '0: DaemonSet agent cannot be scaled');
  });

  it('says nothing of one that is not there', () => {
    assert.deepEqual(about(guard, [web]).names, []);
    assert.deepEqual(about(guard, [guard], unread('podDisruptionBudgets')).names, []);
  });
});
