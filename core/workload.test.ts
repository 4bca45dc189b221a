import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Fields, Given } from '../test/objects.ts';
import {
  daemonSet,
  deployment,
  estate,
  job,
  make,
  node,
  ownedBy,
  ownedByKind,
  pod,
  podsOf,
  replicaSet,
  running,
  statefulSet,
  workload,
} from '../test/objects.ts';
import { defaultOptions } from './scope.ts';
import type { Workload } from './workload.ts';
import { workloadsOf } from './workload.ts';

const template = (app: string, name = app) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name }] },
});
const web = deployment('web', { spec: { replicas: 2, template: template('web') } });
const forbidden = { state: 'missing', cause: 'forbidden', detail: 'list answered 403' } as const;

const titles = (objects: readonly AnyObject[], given?: Given) => {
  const { artifacts, scope } = estate(objects, given);
  return workloadsOf(artifacts, scope).all.map(({ kind, name }) => `${kind} ${name}`);
};
const names = (objects: readonly AnyObject[]) => objects.map(({ metadata }) => metadata.name);
const only = (objects: readonly AnyObject[], given?: Given) => {
  const { artifacts, scope } = estate(objects, given);
  const { all } = workloadsOf(artifacts, scope);
  assert.equal(all.length, 1);
  return all[0] as Workload;
};

describe('workloadsOf', () => {
  it('finds a Deployment with its pods', () => {
    const { kind, class: cls, replicas, pods, labels, spec } = only(running(web));
    assert.deepEqual([kind, cls, replicas], ['Deployment', 'replicated', 2]);
    assert.deepEqual(names(pods), ['web-h1-0', 'web-h1-1']);
    assert.deepEqual({ labels, spec }, { labels: { app: 'web' }, spec: template('web').spec });
  });

  it('finds a Deployment without pods', () => {
    const found = only([web]);
    assert.deepEqual([found.replicas, found.pods, found.isManifest], [2, [], false]);
  });

  it('finds neither what is controlled nor what is in another namespace', () => {
    const elsewhere = statefulSet('db', { metadata: { namespace: 'other' } });
    assert.deepEqual(titles([...running(web), elsewhere]), ['Deployment web']);
  });

  it('sorts by kind and name', () => {
    const objects = [statefulSet('a'), deployment('b'), deployment('a'), daemonSet('z')];
    const sorted = ['DaemonSet z', 'Deployment a', 'Deployment b', 'StatefulSet a'];
    assert.deepEqual(titles(objects), sorted);
  });

  it('finds every kind that keeps pods running', () => {
    const objects = [
      daemonSet('a'),
      deployment('a'),
      make('deploymentConfigs', 'a'),
      replicaSet('a'),
      make('replicationControllers', 'a'),
      make('rollouts', 'a'),
      statefulSet('a'),
    ];
    const kinds = objects.map(({ kind }) => `${kind} a`);
    assert.deepEqual(titles([...objects, job('a'), pod('a'), node('a')]), kinds);
  });

  it('keeps workloads of one name and several kinds apart', () => {
    const db = statefulSet('web', { spec: { replicas: 1, template: template('db') } });
    const { artifacts, scope } = estate([...running(web), db, ...podsOf(db, 1)]);
    const pods = workloadsOf(artifacts, scope).all.map((found) => found.pods.length);
    assert.deepEqual(pods, [2, 1]);
  });

  it('is computed once for a namespace', () => {
    const { artifacts, scope } = estate(running(web));
    assert.equal(workloadsOf(artifacts, scope), workloadsOf(artifacts, scope));
  });

  it('tells a pod its workload', () => {
    const objects = running(web);
    const bare = pod('bare');
    const { artifacts, scope } = estate([...objects, bare]);
    const { of } = workloadsOf(artifacts, scope);
    assert.equal(of(objects[2] as ReturnType<typeof pod>)?.name, 'web');
    assert.equal(of(bare), undefined);
    assert.equal(of(pod('unheard-of')), undefined);
  });

  it('counts the pods that are neither finished nor on their way out', () => {
    const gone = { deletionTimestamp: '2026-01-10T11:59:00Z' };
    const db = statefulSet('db');
    const pods = [
      ...podsOf(db, 1),
      pod('db-1', { metadata: { ...ownedBy(db), ...gone } }),
      pod('db-2', { metadata: ownedBy(db), status: { phase: 'Failed' } }),
      pod('db-3', { metadata: ownedBy(db), status: { phase: 'Pending' } }),
    ];
    const found = only([db, ...pods]);
    assert.deepEqual(names(found.pods), ['db-0', 'db-1', 'db-2', 'db-3']);
    assert.deepEqual(names(found.counted), ['db-0', 'db-3']);
  });

  it('leaves out and notes pods whose owner is gone', () => {
    const set = replicaSet('web-1', { metadata: ownedBy(web) });
    const { artifacts, scope } = estate([...podsOf(set, 2), ...running(deployment('api'))]);
    const found = workloadsOf(artifacts, scope);
    assert.deepEqual(
      found.all.map(({ name }) => name),
      ['api'],
    );
    assert.deepEqual(found.notes, ['left out 2 pods whose owner is gone: web-1-0, web-1-1']);
  });

  it('leaves out a ReplicaSet whose Deployment is gone', () => {
    assert.deepEqual(titles([replicaSet('web-1', { metadata: ownedBy(web) })]), []);
  });

  it('leaves out what owns itself in a circle', () => {
    const chicken = replicaSet('chicken', { metadata: ownedBy(replicaSet('egg')) });
    const egg = replicaSet('egg', { metadata: ownedBy(chicken) });
    assert.deepEqual(titles([chicken, egg]), []);
  });

  it('notes nothing of Jobs, bare and static pods', () => {
    const mirror = pod('etcd', { metadata: ownedByKind('v1', 'Node', 'master-0') });
    const { artifacts, scope } = estate([...podsOf(job('backup'), 1), pod('bare'), mirror]);
    const { all, notes } = workloadsOf(artifacts, scope);
    assert.deepEqual({ all, notes }, { all: [], notes: [] });
  });
});

describe('the replicas of a workload', () => {
  const table: readonly (readonly [string, AnyObject, number])[] = [
    ['as asked for', deployment('a', { spec: { replicas: 3 } }), 3],
    ['one where nothing is said', deployment('a', { spec: {} }), 1],
    ['one without a specification', statefulSet('a'), 1],
    ['none of what is switched off', deployment('a', { spec: { replicas: 0 } }), 0],
    ['as a DaemonSet wants', daemonSet('a', { status: { desiredNumberScheduled: 5 } }), 5],
    ['none where a DaemonSet wants none', daemonSet('a'), 0],
    ['one of a DaemonSet in a manifest', daemonSet('a', { metadata: { uid: undefined } }), 1],
    ['as a ReplicaSet says', replicaSet('a', { spec: { replicas: 2 } }), 2],
    ['as a Rollout says', make('rollouts', 'a', { spec: { replicas: 4 } }), 4],
  ];
  for (const [what, object, replicas] of table) {
    it(`are ${what}`, () => assert.equal(only([object]).replicas, replicas));
  }
});

describe('the class of a workload', () => {
  it('is daemon for a DaemonSet, replicated for all others', () => {
    assert.equal(only([daemonSet('agent')]).class, 'daemon');
    assert.equal(only([statefulSet('db')]).class, 'replicated');
  });
});

describe('a manifest', () => {
  it('is an object without uid', () => {
    assert.equal(only([deployment('web', { metadata: { uid: undefined } })]).isManifest, true);
    assert.equal(only([deployment('web')]).isManifest, false);
  });

  it('may leave its namespace open', () => {
    const object = deployment('web', { metadata: { uid: undefined, namespace: undefined } });
    const { artifacts, scope } = estate([object]);
    const { namespace: _, ...cluster } = scope;
    assert.equal(workloadsOf(artifacts, cluster).all[0]?.namespace, '');
  });
});

describe('the manager of a workload', () => {
  const csv = ownedByKind('operators.coreos.com/v1alpha1', 'ClusterServiceVersion', 'etcd.v1');
  const prometheus = ownedByKind('monitoring.coreos.com/v1', 'Prometheus', 'k8s');

  it('is the controller above it', () => {
    const found = only([statefulSet('k8s', { metadata: prometheus })]);
    assert.deepEqual(found.manager, { kind: 'Prometheus', namespace: 'shop', name: 'k8s' });
  });

  it('is a ClusterServiceVersion though it is no controller', () => {
    const [reference] = csv.ownerReferences;
    const ownerReferences = [{ ...reference, controller: false }];
    const found = only([deployment('etcd-operator', { metadata: { ownerReferences } })]);
    assert.deepEqual(found.manager, {
      kind: 'ClusterServiceVersion',
      namespace: 'shop',
      name: 'etcd.v1',
    });
  });

  it('is the controller where both are there', () => {
    const ownerReferences = [
      { ...csv.ownerReferences[0], controller: false },
      ...prometheus.ownerReferences,
    ];
    assert.equal(
      only([statefulSet('k8s', { metadata: { ownerReferences } })]).manager?.name,
      'k8s',
    );
  });

  it('is nobody for any other reference that does not control', () => {
    const metadata = ownedBy(make('lockMetadata', 'x'), false);
    assert.equal(only([deployment('web', { metadata })]).manager, undefined);
    assert.equal(only([deployment('web')]).manager, undefined);
  });

  it('is in no namespace where it is OpenShift’s configuration of the cluster', () => {
    const managerOf = (apiVersion: string, name: string) =>
      only([daemonSet('a', { metadata: ownedByKind(apiVersion, 'Network', name) })]).manager;
    const network = managerOf('operator.openshift.io/v1', 'cluster');
    assert.deepEqual(network, { kind: 'Network', name: 'cluster' });
    assert.equal(managerOf('operator.openshift.io/v1', 'other')?.namespace, 'shop');
    assert.equal(managerOf('example.org/v1', 'cluster')?.namespace, 'shop');
  });

  it('is named as far as the reference says', () => {
    const metadata = { ownerReferences: [{ controller: true, uid: 'x' }] };
    const { manager } = only([deployment('web', { metadata })]);
    assert.deepEqual(manager, { kind: '', namespace: 'shop', name: '' });
  });
});

describe('a Rollout', () => {
  const rollout = (spec: object) => make('rollouts', 'web', { spec });
  const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const off = deployment('web', { spec: { replicas: 0, template: template('web') } });
  const found = (objects: readonly AnyObject[]) => {
    const { artifacts, scope } = estate(objects);
    return workloadsOf(artifacts, scope).all.find(({ kind }) => kind === 'Rollout');
  };

  it('has a template of its own', () => {
    const own = found([rollout({ template: template('own'), workloadRef }), off]);
    assert.deepEqual(own?.labels, { app: 'own' });
  });

  it('borrows the template of a Deployment, which is switched off', () => {
    const own = found([rollout({ replicas: 3, workloadRef }), off]);
    assert.deepEqual([own?.labels, own?.replicas], [{ app: 'web' }, 3]);
    assert.equal(workload('web', estate([off])).replicas, 0);
  });

  it('is without template where the Deployment is not there', () => {
    for (const spec of [{ workloadRef }, { workloadRef: { kind: 'Deployment' } }, {}]) {
      assert.equal(found([rollout(spec)])?.isTemplateKnown, false);
    }
    assert.equal(found([make('rollouts', 'web')])?.isTemplateKnown, false);
  });

  it('borrows from no other kind', () => {
    const own = found([rollout({ workloadRef: { ...workloadRef, kind: 'PodTemplate' } }), off]);
    assert.equal(own?.isTemplateKnown, false);
  });

  it('shows the template of its newest ReplicaSet where its own was not read', () => {
    const own = rollout({ replicas: 1, workloadRef: { ...workloadRef, kind: 'PodTemplate' } });
    const sets = ['a', 'b'].map((name, i) => {
      const set = replicaSet(name, {
        metadata: ownedBy(own),
        spec: { replicas: 1, template: template(name) },
      });
      const metadata = { creationTimestamp: `2026-01-0${i + 1}T00:00:00Z` };
      return [set, ...podsOf(set, 1, { metadata })];
    });
    const found = only([own, ...sets.flat()]);
    assert.deepEqual([found.labels, found.spec], [{ app: 'b' }, template('b').spec]);
  });

  it('leaves its ReplicaSets as workloads where Rollouts could not be read', () => {
    const set = replicaSet('web-1', { metadata: ownedBy(rollout({})), spec: { replicas: 2 } });
    const own = only([set, ...podsOf(set, 2)], { listings: { rollouts: forbidden } });
    assert.deepEqual([own.kind, own.replicas, own.counted.length], ['ReplicaSet', 2, 2]);
    assert.equal(own.manager?.kind, 'Rollout');
  });
});

describe('a custom workload', () => {
  const metadata = ownedByKind('core.strimzi.io/v1', 'StrimziPodSet', 'kafka');
  const member = (i: number, fields: Fields = {}) =>
    pod(`kafka-${i}`, {
      ...fields,
      metadata: { labels: { app: 'kafka' }, ...metadata, ...fields.metadata },
    });

  it('has as many replicas as counted pods', () => {
    const found = only([member(0), member(1), member(2, { status: { phase: 'Failed' } })]);
    assert.equal(found.apiVersion, 'core.strimzi.io/v1');
    assert.deepEqual([found.kind, found.name, found.namespace], ['StrimziPodSet', 'kafka', 'shop']);
    assert.deepEqual([found.replicas, found.pods.length, found.source], [2, 3, undefined]);
  });

  it('is no manifest, whatever it has no uid for', () => {
    assert.equal(only([member(0)]).isManifest, false);
  });

  it('is one of several', () => {
    const cluster = ownedByKind('postgresql.cnpg.io/v1', 'Cluster', 'kafka');
    const other = ownedByKind('core.strimzi.io/v1', 'StrimziPodSet', 'zookeeper');
    const objects = [member(0), pod('a', { metadata: cluster }), pod('b', { metadata: other })];
    const expected = ['Cluster kafka', 'StrimziPodSet kafka', 'StrimziPodSet zookeeper'];
    assert.deepEqual(titles([...objects, member(1)]), expected);
  });

  it('is switched off when all its pods are finished', () => {
    const found = only([member(0, { status: { phase: 'Succeeded' } })]);
    assert.deepEqual([found.replicas, found.isTemplateKnown], [0, false]);
    assert.deepEqual([found.labels, found.spec], [{}, {}]);
  });

  it('shows its template by its newest pod, the first of several by name', () => {
    const at = (time: string, app: string) => ({
      metadata: { creationTimestamp: time, labels: { app } },
    });
    const old = member(0, at('2026-01-01T00:00:00Z', 'old'));
    const [b, a] = [
      member(2, at('2026-01-02T00:00:00Z', 'b')),
      member(1, at('2026-01-02T00:00:00Z', 'a')),
    ];
    assert.deepEqual(only([b, old, a]).labels, { app: 'a' });
    assert.deepEqual(only([old, b]).labels, { app: 'b' });
    const ageless = member(3, { metadata: { creationTimestamp: undefined, labels: { app: 'x' } } });
    assert.deepEqual(only([ageless, old]).labels, { app: 'old' });
    const first = member(1, { metadata: { creationTimestamp: undefined, labels: { app: 'y' } } });
    assert.deepEqual(only([ageless, first]).labels, { app: 'y' });
  });

  it('leaves out of its template the placement and the injected containers', () => {
    const containers = [{ name: 'kafka' }, { name: 'istio-proxy' }, { ports: [{ name: 'x' }] }];
    const spec = { nodeName: 'worker-1', nodeSelector: { disk: 'ssd' }, containers };
    assert.deepEqual(only([member(0, { spec })]).spec, {
      nodeSelector: { disk: 'ssd' },
      containers: [{ name: 'kafka' }, { ports: [{ name: 'x' }] }],
    });
    const options = { ...defaultOptions, sidecars: ['kafka'] };
    const given = only([member(0, { spec })], { cluster: { options } });
    assert.equal(given.spec.containers?.[0]?.name, 'istio-proxy');
  });

  it('has an empty template where its pod says nothing', () => {
    const silent = pod('kafka-0', { metadata: { ...metadata, labels: undefined } });
    assert.deepEqual(only([silent]).spec, { containers: [] });
    assert.deepEqual(only([silent]).labels, {});
  });

  it('is named as far as the reference says', () => {
    const nameless = { ownerReferences: [{ controller: true, uid: 'x' }] };
    const unplaced = pod('a', { metadata: { ...nameless, namespace: undefined } });
    const { artifacts, scope } = estate([unplaced]);
    const { namespace: _, ...cluster } = scope;
    const [found] = workloadsOf(artifacts, cluster).all;
    const { apiVersion, kind, namespace, name } = found ?? {};
    assert.deepEqual([apiVersion, kind, namespace, name], ['', '', '', '']);
  });
});

describe('a DeploymentConfig', () => {
  it('may leave its template open: its pods show it', () => {
    const config = make('deploymentConfigs', 'old', { spec: { replicas: 1 } });
    const controller = make('replicationControllers', 'old-1', { metadata: ownedBy(config) });
    const { metadata, spec } = template('old');
    const found = only([config, controller, ...podsOf(controller, 1, { metadata, spec })]);
    assert.deepEqual([found.kind, found.labels], ['DeploymentConfig', { app: 'old' }]);
    assert.deepEqual(found.spec, spec);
    assert.equal(only([config]).isTemplateKnown, false);
  });
});
