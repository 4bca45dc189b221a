import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import { deployment, estate, make, node, pod, service, statefulSet } from '../test/objects.ts';
import type { AdmissionRequest } from './admission.ts';
import { controlPlaneRequests, heartbeatRequests, restartRequests } from './vital-requests.ts';

const text = ({ operation, resource }: AdmissionRequest) => `${operation} ${resource}`;
const labelled = (labels: object) => ({ spec: { template: { metadata: { labels } } } });
const namespace = (name: string, labels: object = {}) =>
  make('namespaces', name, { metadata: { labels } });
const to = service('hook', {
  metadata: { labels: { tier: 'a' } },
  spec: { selector: { app: 'hook' } },
});
const hook = deployment('hook', labelled({ app: 'hook', pod: 'x' }));
const nameOf = (name: string) => ({ 'kubernetes.io/metadata.name': name });

describe('restartRequests', () => {
  const restart = (objects: readonly AnyObject[], given?: Given) => {
    const { artifacts, scope } = estate(objects, given);
    return restartRequests('hook', artifacts, scope);
  };

  it('are those that bring pods back, with the labels of what they are about', () => {
    const { pods } = restart([to, hook]);
    const own = { app: 'hook', pod: 'x' };
    const slice = {
      tier: 'a',
      'kubernetes.io/service-name': 'hook',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
    };
    assert.deepEqual(
      pods.map((request) => [text(request), request.labels]),
      [
        ['CREATE pods', own],
        ['UPDATE pods/status', own],
        ['CREATE pods/binding', {}],
        ['CREATE serviceaccounts/token', {}],
        ['CREATE endpointslices', slice],
        ['UPDATE endpointslices', slice],
      ],
    );
  });

  it('are in the namespace, with its labels and its name among them', () => {
    const { pods } = restart([to, hook, namespace('shop', { team: 'x' })]);
    assert.deepEqual(pods[0]?.namespaceLabels, { team: 'x', ...nameOf('shop') });
    assert.equal(pods[0]?.namespace, 'shop');
    const unknown = restart([to, hook]).pods[0];
    assert.deepEqual(unknown?.namespaceLabels, nameOf('shop'));
  });

  it('are about every workload behind the Service', () => {
    const { pods } = restart([to, hook, statefulSet('db', labelled({ app: 'hook' }))]);
    const created = pods.filter((request) => text(request) === 'CREATE pods');
    assert.deepEqual(
      created.map(({ labels }) => labels),
      [{ app: 'hook', pod: 'x' }, { app: 'hook' }],
    );
  });

  it('are about pods without labels where none are known', () => {
    const [created] = restart([to, deployment('web', labelled({ app: 'web' }))]).pods;
    assert.deepEqual(created?.labels, {});
    const { pods } = restart([hook]);
    assert.deepEqual(pods[0]?.labels, {});
    assert.deepEqual(
      pods.map(text).filter((request) => request.includes('endpoint')),
      [],
    );
  });

  it('update endpoints too on a server that finds its webhooks by them', () => {
    const of = (serverVersion: string) =>
      restart([to, hook], { cluster: { serverVersion } })
        .pods.map(text)
        .filter((request) => request.endsWith(' endpoints'));
    assert.deepEqual(of('v1.32.9'), ['CREATE endpoints', 'UPDATE endpoints']);
    assert.deepEqual(of('v1.33.0'), []);
  });

  it('are for slices in an old version, too, where that is served', () => {
    const of = (serverVersion: string) => {
      const { pods } = restart([to, hook], { cluster: { serverVersion } });
      return pods.find(({ resource }) => resource === 'endpointslices')?.versions;
    };
    assert.deepEqual(of('v1.24.1'), ['v1', 'v1beta1']);
    assert.deepEqual(of('v1.25.0'), ['v1']);
  });

  it('are of the groups that serve them', () => {
    const groups = new Set(restart([to, hook]).pods.map(({ group }) => group));
    assert.deepEqual([...groups], ['', 'discovery.k8s.io']);
  });

  it('roll out what has ReplicaSets', () => {
    const set = statefulSet('db', labelled({ app: 'hook' }));
    const rollout = make('rollouts', 'canary', labelled({ app: 'hook', v: '2' }));
    const found = restart([to, hook, set, rollout]).rollout;
    assert.deepEqual(
      found.map((request) => [text(request), request.group, request.labels]),
      [
        ['CREATE replicasets', 'apps', { app: 'hook', pod: 'x' }],
        ['CREATE replicasets', 'apps', { app: 'hook', v: '2' }],
        ['UPDATE replicasets', 'apps', { app: 'hook', pod: 'x' }],
        ['UPDATE replicasets', 'apps', { app: 'hook', v: '2' }],
      ],
    );
  });

  it('are nowhere in a scope without namespace', () => {
    const { artifacts, scope } = estate([]);
    const { namespace: _, ...cluster } = scope;
    assert.equal(restartRequests('hook', artifacts, cluster).pods[0]?.namespace, '');
  });
});

describe('controlPlaneRequests', () => {
  const requests = (objects: readonly AnyObject[], given?: Given) => {
    const { artifacts, scope } = estate(objects, given);
    return controlPlaneRequests(artifacts, scope);
  };
  const places = (...args: Parameters<typeof requests>) => [
    ...new Set(requests(...args).map((request) => request.namespace)),
  ];

  it('create pods and renew locks in kube-system', () => {
    assert.deepEqual(
      requests([]).map((request) => [text(request), request.group, request.labels]),
      [
        ['CREATE pods', '', {}],
        ['UPDATE leases', 'coordination.k8s.io', {}],
      ],
    );
    assert.deepEqual(places([]), ['kube-system']);
  });

  it('create pods like those that are there', () => {
    const metadata = { namespace: 'kube-system', labels: { app: 'dns' } };
    const [created] = requests([pod('dns', { metadata }), pod('web')]);
    assert.deepEqual(created?.labels, { app: 'dns' });
    assert.equal(requests([pod('dns', { metadata }), pod('web')]).length, 2);
  });

  it('are also in the namespaces that OpenShift starts first', () => {
    const level = (value: string) => ({ 'openshift.io/run-level': value });
    const namespaces = [
      namespace('kube-system', level('0')),
      namespace('etcd', level('0')),
      namespace('apiserver', level('1')),
      namespace('console', level('2')),
      namespace('shop'),
    ];
    const openshift = places(namespaces, { cluster: { openshift: true } });
    assert.deepEqual(openshift, ['kube-system', 'apiserver', 'etcd']);
    assert.deepEqual(places(namespaces), ['kube-system']);
  });

  it('are for locks in an old version, too, where that is served', () => {
    const of = (serverVersion: string) =>
      requests([], { cluster: { serverVersion } }).at(-1)?.versions;
    assert.deepEqual(of('v1.21.1'), ['v1', 'v1beta1']);
    assert.deepEqual(of('v1.22.0'), ['v1']);
  });
});

describe('heartbeatRequests', () => {
  const beats = (objects: readonly AnyObject[], given?: Given) => {
    const { artifacts, scope } = estate(objects, given);
    return heartbeatRequests(artifacts, scope);
  };

  it('renew the leases of nodes', () => {
    const [lease, ...others] = beats([]).leases;
    assert.deepEqual(others, []);
    assert.deepEqual(lease, {
      operation: 'UPDATE',
      group: 'coordination.k8s.io',
      versions: ['v1'],
      resource: 'leases',
      namespace: 'kube-node-lease',
      namespaceLabels: nameOf('kube-node-lease'),
      labels: {},
    });
  });

  it('create and update nodes, in no namespace and with their labels', () => {
    const { nodes } = beats([node('a', { metadata: { labels: { pool: 'x' } } }), node('b')]);
    assert.deepEqual(nodes.map(text), [
      'CREATE nodes',
      'CREATE nodes',
      'UPDATE nodes',
      'UPDATE nodes',
      'UPDATE nodes/status',
      'UPDATE nodes/status',
    ]);
    assert.deepEqual(nodes[0]?.labels, { pool: 'x' });
    assert.equal(nodes[0] && 'namespaceLabels' in nodes[0], false);
  });

  it('are about nodes without labels where none are known', () => {
    assert.deepEqual(beats([]).nodes[0]?.labels, {});
    const missing = { state: 'missing', cause: 'forbidden', detail: '403' } as const;
    const { nodes } = beats([node('a')], { listings: { nodes: missing } });
    assert.deepEqual(nodes[0]?.labels, {});
  });

  it('leave a version out that is not known to be served', () => {
    const { artifacts, scope } = estate([]);
    const { serverVersion: _, ...cluster } = scope.cluster;
    const { leases } = heartbeatRequests(artifacts, { ...scope, cluster });
    assert.deepEqual(leases[0]?.versions, ['v1']);
  });
});
