import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Fields } from '../test/objects.ts';
import { budget, pod } from '../test/objects.ts';
import { collection } from './artifacts.ts';
import { etcdGuards, etcdMembers, guardBudget } from './etcd.ts';

const podOf = (name: string, namespace: string, labels: object, fields: Fields = {}) =>
  pod(name, { ...fields, metadata: { namespace, labels } });
const namesOf = (pods: readonly { readonly metadata: { readonly name: string } }[]) =>
  pods.map(({ metadata }) => metadata.name);

describe('etcdMembers', () => {
  const member = (name: string, fields?: Fields) =>
    podOf(name, 'openshift-etcd', { etcd: 'true' }, fields);
  const stacked = podOf('etcd-a', 'kube-system', { component: 'etcd' });

  it('are those of OpenShift, or else those of Kubernetes', () => {
    assert.deepEqual(namesOf(etcdMembers(collection([stacked, member('b')]))), ['b']);
    assert.deepEqual(namesOf(etcdMembers(collection([stacked]))), ['etcd-a']);
  });

  it('are none that finished, and none of anybody else', () => {
    const finished = member('b', { status: { phase: 'Failed' } });
    const others = [
      podOf('c', 'openshift-etcd', { etcd: 'false' }),
      podOf('d', 'openshift-etcd', { component: 'etcd' }),
      podOf('e', 'kube-system', { etcd: 'true' }),
      podOf('f', 'shop', { etcd: 'true', component: 'etcd' }),
    ];
    assert.deepEqual(etcdMembers(collection([finished, ...others])), []);
  });
});

describe('etcdGuards', () => {
  const operator = 'openshift-machine-config-operator';

  it('are known by either label', () => {
    const a = podOf('a', 'openshift-etcd', { app: 'guard' });
    const b = podOf('b', 'openshift-etcd', { 'k8s-app': 'etcd-quorum-guard' });
    const c = podOf('c', 'openshift-etcd', { app: 'etcd' });
    const unlabelled = pod('d', { metadata: { namespace: 'openshift-etcd' } });
    assert.deepEqual(namesOf(etcdGuards(collection([a, b, c, unlabelled]))), ['a', 'b']);
  });

  it('were in another namespace once', () => {
    const old = podOf('a', operator, { 'k8s-app': 'etcd-quorum-guard' });
    assert.deepEqual(namesOf(etcdGuards(collection([old]))), ['a']);
    const now = podOf('b', 'openshift-etcd', { app: 'guard' });
    assert.deepEqual(namesOf(etcdGuards(collection([old, now]))), ['b']);
  });

  it('may be none', () => {
    const elsewhere = podOf('a', 'openshift-kube-apiserver', { app: 'guard' });
    const gone = podOf('b', 'openshift-etcd', { app: 'guard' }, { status: { phase: 'Succeeded' } });
    assert.deepEqual(etcdGuards(collection([elsewhere, gone])), []);
  });
});

describe('guardBudget', () => {
  const labels = { app: 'guard' };
  const guards = ['a', 'b', 'c'].map((name) =>
    pod(name, { metadata: { labels: { ...labels, name } } }),
  );
  const of = (name: string, spec: object, namespace = 'shop') =>
    budget(name, {
      metadata: { namespace },
      spec: { selector: { matchLabels: labels }, ...spec },
    });
  const allowed = (spec: object) => guardBudget(guards, collection([of('x', spec)]))?.allowed;

  it('says how many of the guards may go', () => {
    assert.equal(allowed({ minAvailable: 2 }), 1);
    assert.equal(allowed({ maxUnavailable: 2 }), 2);
    assert.equal(allowed({ minAvailable: 5 }), 0);
  });

  it('lets none go where the controller cannot tell', () => {
    assert.equal(allowed({}), 0);
    assert.equal(allowed({ minAvailable: 'half' }), 0);
    const bare = budget('x');
    assert.equal(guardBudget(guards, collection([bare])), undefined);
  });

  it('is the strictest of those that select all of them', () => {
    const loose = of('a', { minAvailable: 0 });
    const strict = of('b', { minAvailable: 2 });
    const partly = of('c', { minAvailable: 3, selector: { matchLabels: { name: 'a' } } });
    const elsewhere = of('d', { minAvailable: 3 }, 'other');
    const found = guardBudget(guards, collection([loose, strict, partly, elsewhere]));
    assert.equal(found?.budget.metadata.name, 'b');
  });

  it('is none without guards', () => {
    assert.equal(guardBudget([], collection([of('x', { minAvailable: 2 })])), undefined);
  });
});
