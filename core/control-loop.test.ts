import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import {
  deployment,
  estate,
  lease,
  make,
  node,
  ownedByKind,
  pod,
  running,
  service,
  workload,
} from '../test/objects.ts';
import { controlLoopNote } from './control-loop.ts';
import { defaultOptions } from './scope.ts';

const singleton = (name: string, spec: object = {}, metadata: object = {}) =>
  deployment(name, {
    metadata,
    spec: { replicas: 1, template: { metadata: { labels: { app: name } }, spec } },
  });
const lockOf = (name: string, lock = 'lock') =>
  lease(lock, { spec: { holderIdentity: `${name}-h1-0_8c1d` } });
const serviceOf = (name: string, spec: object = {}) =>
  service(name, { spec: { selector: { app: name }, ...spec } });
const strict: Given = { cluster: { options: { ...defaultOptions, strictSingletons: true } } };

function note(name: string, objects: readonly AnyObject[], given?: Given) {
  const found = estate(objects, given);
  return controlLoopNote(workload(name, found), found.artifacts, found.scope);
}

const pause = 'a lost node pauses it for 350 s and its start';
const elected = (name: string) =>
  `Deployment shop/${name}: leader-elected by Lease shop/lock; ${pause}`;
const named = (name: string) =>
  `Deployment shop/${name}: taken for a control loop by name; ${pause}`;

describe('strong evidence', () => {
  const sync = [...running(singleton('sync')), lockOf('sync')];

  it('excuses what nobody calls', () => {
    assert.equal(note('sync', sync), elected('sync'));
  });

  it('excuses what serves within its own application', () => {
    assert.equal(note('sync', [...sync, serviceOf('sync')]), elected('sync'));
  });

  it('does not excuse a front door', () => {
    assert.equal(note('sync', [...sync, serviceOf('sync', { type: 'LoadBalancer' })]), undefined);
  });

  it('is not touched by strictSingletons', () => {
    assert.equal(note('sync', sync, strict), elected('sync'));
  });

  it('names the first of several locks', () => {
    const others = [lockOf('sync', 'z'), lockOf('sync', 'a')];
    assert.match(note('sync', [...sync, ...others]) ?? '', /by Lease shop\/a;/);
  });

  it('names the first lock of several pods', () => {
    const two = deployment('sync', { spec: { replicas: 2 } });
    const [z, a] = ['z', 'a'].map((lock, i) =>
      lease(lock, { spec: { holderIdentity: `sync-h1-${i}` } }),
    ) as [AnyObject, AnyObject];
    assert.match(note('sync', [...running(two), z, a]) ?? '', /by Lease shop\/a;/);
  });

  it('is for nobody else', () => {
    assert.equal(note('web', [...sync, ...running(singleton('web'))]), undefined);
  });
});

describe('weak evidence', () => {
  const names = [
    'etcd-operator',
    'cart-controller',
    'cart-controllers',
    'cart-manager',
    'kube-controller-manager',
    'operator',
    'controller',
    'controllers',
    'manager',
    'controller-manager',
  ];
  for (const name of names) {
    it(`is the name ${name}`, () => assert.equal(note(name, [singleton(name)]), named(name)));
  }

  for (const name of ['operator-web', 'cartoperator', 'controller-2', 'managers', 'web']) {
    it(`is not the name ${name}`, () => assert.equal(note(name, [singleton(name)]), undefined));
  }

  it('is a ClusterServiceVersion as manager, though it is no controller', () => {
    const kind = 'ClusterServiceVersion';
    const { ownerReferences } = ownedByKind('operators.coreos.com/v1alpha1', kind, 'etcd.v1');
    const metadata = { ownerReferences: [{ ...ownerReferences[0], controller: false }] };
    assert.equal(note('web', [singleton('web', {}, metadata)]), named('web'));
  });

  it('is no other manager', () => {
    const metadata = ownedByKind('serving.knative.dev/v1', 'Revision', 'r');
    assert.equal(note('web', [singleton('web', {}, metadata)]), undefined);
  });

  it('is a lock that several workloads may hold', () => {
    const host = { hostNetwork: true, nodeName: 'worker-1' };
    const shared = lease('lock', { spec: { holderIdentity: 'worker-1_8c1d' } });
    const objects = ['sync', 'fetch'].flatMap((name) => running(singleton(name, host)));
    const all = [...objects, node('worker-1'), shared];
    assert.equal(note('sync', all), named('sync'));
    assert.equal(note('sync', [...all, serviceOf('sync')]), undefined);
  });

  it('excuses nothing that serves', () => {
    const objects = [singleton('cart-operator'), serviceOf('cart-operator')];
    assert.equal(note('cart-operator', objects), undefined);
  });

  it('excuses what is only scraped', () => {
    const metrics = service('metrics', { spec: { selector: { app: 'cart-operator' } } });
    const objects = [singleton('cart-operator'), metrics];
    assert.equal(note('cart-operator', objects), named('cart-operator'));
  });

  it('excuses nothing with strictSingletons', () => {
    assert.equal(note('cart-operator', [singleton('cart-operator')], strict), undefined);
  });
});

describe('real control loops', () => {
  it('csi-snapshot-controller is not excused by the lock of its operator', () => {
    const objects = [
      ...running(singleton('csi-snapshot-controller-operator')),
      ...running(singleton('csi-snapshot-driver')),
      lease('csi-snapshot-controller-operator-lock', {
        spec: { holderIdentity: 'csi-snapshot-controller-operator-h1-0_1b' },
      }),
    ];
    assert.match(
      note('csi-snapshot-controller-operator', objects) ?? '',
      /leader-elected by Lease shop\/csi-snapshot-controller-operator-lock/,
    );
    assert.equal(note('csi-snapshot-driver', objects), undefined);
  });

  it('cloud-credential-operator holds its lock by a bare UUID, which is weak evidence only', () => {
    const objects = [
      ...running(singleton('cloud-credential-operator')),
      lease('lock', { spec: { holderIdentity: '8c1d2f6e-3b7a-4c59-9e0f-2a6b1d4c7e55' } }),
    ];
    assert.equal(note('cloud-credential-operator', objects), named('cloud-credential-operator'));
    assert.equal(note('cloud-credential-operator', objects, strict), undefined);
  });

  it('machine-api-controllers holds four locks, and answers for mutating webhooks', () => {
    const objects = [
      ...running(singleton('machine-api-controllers')),
      ...['a', 'b', 'c', 'd'].map((name) => lockOf('machine-api-controllers', name)),
      serviceOf('machine-api-controllers'),
      make('mutatingWebhookConfigurations', 'machine-api', {
        webhooks: [
          { clientConfig: { service: { namespace: 'shop', name: 'machine-api-controllers' } } },
        ],
      }),
    ];
    assert.equal(note('machine-api-controllers', objects), undefined);
  });
});

describe('the pause', () => {
  const forever = [{ operator: 'Exists' }];

  it('follows the grace of the server', () => {
    const given = { cluster: { serverVersion: 'v1.31.4' } };
    assert.match(note('operator', [singleton('operator')], given) ?? '', /for 340 s and its start/);
  });

  it('has no end for a pod that is never evicted', () => {
    const found = note('operator', [singleton('operator', { tolerations: forever })]);
    assert.match(found ?? '', /; a lost node pauses it until the node is back$/);
  });

  it('is told of a workload without pods', () => {
    assert.equal(note('operator', [singleton('operator'), pod('other')]), named('operator'));
  });
});
