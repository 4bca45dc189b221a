import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import { configMap, estate, lease, node, ownedBy, pod, replicaSet } from '../test/objects.ts';
import { elections, holdersOf } from './locks.ts';

function holders(objects: readonly AnyObject[], given?: Given) {
  const { strong, weak } = holdersOf(estate(objects, given).artifacts);
  return {
    strong: Object.fromEntries([...strong].map(([{ metadata }, lock]) => [metadata.name, lock])),
    weak: [...weak].map(({ metadata }) => metadata.name),
  };
}

const nobody = { strong: {}, weak: [] };
const heldBy = (holderIdentity: string | undefined, metadata = {}) =>
  lease('lock', { metadata, spec: { holderIdentity } });
const cart = pod('cart-7c9-x2');

describe('a lease', () => {
  it('is held by the pod of that name', () => {
    const expected = { strong: { 'cart-7c9-x2': 'Lease shop/lock' }, weak: [] };
    assert.deepEqual(holders([cart, heldBy('cart-7c9-x2')]), expected);
    assert.deepEqual(holders([cart, heldBy('cart-7c9-x2_0b1c')]), expected);
    assert.deepEqual(holders([cart, heldBy('cart-7c9-x2_0b_1c')]), expected);
  });

  const strangers = ['cart', 'cart-7c9-x', 'cart-7c9-x22', 'my-cart-7c9-x2', '_cart-7c9-x2', ''];
  for (const holder of strangers) {
    it(`is not held by a pod for ${JSON.stringify(holder)}: names match as a whole`, () => {
      assert.deepEqual(holders([cart, heldBy(holder)]), nobody);
    });
  }

  it('is held by the operator, not by what the operator runs', () => {
    const operator = pod('csi-snapshot-controller-operator-6c-b2');
    const operand = pod('csi-snapshot-controller-5d-a1');
    const lock = lease('csi-snapshot-controller-operator-lock', {
      spec: { holderIdentity: 'csi-snapshot-controller-operator-6c-b2_9a7' },
    });
    assert.deepEqual(Object.keys(holders([operator, operand, lock]).strong), [
      'csi-snapshot-controller-operator-6c-b2',
    ]);
  });

  const ignored: readonly (readonly [string, AnyObject])[] = [
    ['is free', heldBy(undefined)],
    ['was released', heldBy('')],
    ['has no specification', lease('lock')],
    ['is the heartbeat of a node', heldBy('cart-7c9-x2', { namespace: 'kube-node-lease' })],
    [
      'is the identity of an API server',
      heldBy('cart-7c9-x2', { labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver' } }),
    ],
    ['is held by a bare UUID', heldBy('8c1d2f6e-3b7a-4c59-9e0f-2a6b1d4c7e55')],
  ];
  for (const [what, lock] of ignored) {
    it(`is held by nobody when it ${what}`, () => {
      assert.deepEqual(holders([cart, lock]), nobody);
    });
  }

  it('is held under a name that was cut at 63 characters', () => {
    const long = `${'a'.repeat(62)}-rest`;
    const found = holders([pod(long), heldBy(`${'a'.repeat(62)}_1`)]);
    assert.deepEqual(Object.keys(found.strong), [long]);
    const dotted = `${'b'.repeat(61)}.-rest`;
    assert.deepEqual(Object.keys(holders([pod(dotted), heldBy('b'.repeat(61))]).strong), [dotted]);
    assert.deepEqual(holders([pod(long), heldBy(long)]), nobody);
  });

  it('is held by no pod that is finished or on its way out', () => {
    const finished = pod('cart-7c9-x2', { status: { phase: 'Failed' } });
    const going = pod('cart-7c9-x2', { metadata: { deletionTimestamp: '2026-01-10T11:59:00Z' } });
    assert.deepEqual(holders([finished, heldBy('cart-7c9-x2')]), nobody);
    assert.deepEqual(holders([going, heldBy('cart-7c9-x2')]), nobody);
  });
});

describe('a lease elsewhere', () => {
  const other = (namespace: string) =>
    pod('cart-7c9-x2', { metadata: { namespace, uid: namespace } });
  const strongIn = (objects: readonly AnyObject[]) =>
    [...holdersOf(estate(objects).artifacts).strong.keys()].map(
      ({ metadata }) => metadata.namespace,
    );

  it('is held by the only pod of that name', () => {
    assert.deepEqual(strongIn([other('a'), heldBy('cart-7c9-x2')]), ['a']);
  });

  it('is held by the pod of its own namespace before others', () => {
    assert.deepEqual(strongIn([other('a'), cart, heldBy('cart-7c9-x2')]), ['shop']);
  });

  it('is held by nobody where several pods have the name', () => {
    assert.deepEqual(strongIn([other('a'), other('b'), heldBy('cart-7c9-x2')]), []);
  });
});

describe('several locks of a pod', () => {
  it('show the first by title, in whatever order they come', () => {
    const [a, b] = ['a', 'b'].map((name) =>
      lease(name, { spec: { holderIdentity: 'cart-7c9-x2' } }),
    ) as [AnyObject, AnyObject];
    const legacy = configMap('z', { metadata: { annotations: record('cart-7c9-x2') } });
    for (const order of [
      [a, b],
      [b, a],
    ]) {
      assert.deepEqual(holders([cart, ...order]).strong, { 'cart-7c9-x2': 'Lease shop/a' });
      const withLegacy = holders([cart, ...order, legacy]).strong;
      assert.deepEqual(withLegacy, { 'cart-7c9-x2': 'ConfigMap shop/z' });
    }
  });
});

const record = (holderIdentity: unknown) => ({
  'control-plane.alpha.kubernetes.io/leader': JSON.stringify({ holderIdentity }),
});

describe('a legacy lock', () => {
  const legacy = (annotations: object) => configMap('lock', { metadata: { annotations } });

  it('is held by the pod that its annotation names', () => {
    const expected = { strong: { 'cart-7c9-x2': 'ConfigMap shop/lock' }, weak: [] };
    assert.deepEqual(holders([cart, legacy(record('cart-7c9-x2_1'))]), expected);
  });

  const key = 'control-plane.alpha.kubernetes.io/leader';
  for (const text of ['', 'not JSON', 'null', '[]', '"cart-7c9-x2"', '{}']) {
    it(`is held by nobody with the annotation ${JSON.stringify(text)}`, () => {
      assert.deepEqual(holders([cart, legacy({ [key]: text })]), nobody);
    });
  }

  it('is held by nobody when it was released, or by what is no name', () => {
    assert.deepEqual(holders([cart, legacy(record(''))]), nobody);
    assert.deepEqual(holders([cart, legacy(record(7))]), nobody);
    assert.deepEqual(holders([cart, configMap('lock')]), nobody);
  });
});

describe('a lock for life', () => {
  const forLife = (name: string, uid: string | undefined) =>
    configMap(name, {
      metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'cart-7c9-x2', uid }] },
    });

  it('is held by the pod that owns it', () => {
    const expected = { strong: { 'cart-7c9-x2': 'ConfigMap shop/cart-lock' }, weak: [] };
    assert.deepEqual(holders([cart, forLife('cart-lock', 'Pod/cart-7c9-x2')]), expected);
  });

  it('is held by no later pod of the same name', () => {
    assert.deepEqual(holders([cart, forLife('cart-lock', 'another')]), nobody);
    assert.deepEqual(holders([cart, forLife('cart-lock', undefined)]), nobody);
  });

  it('is known by its name and by an owner that is a pod', () => {
    assert.deepEqual(holders([cart, forLife('cart-locks', 'Pod/cart-7c9-x2')]), nobody);
    const owner = { ...cart, kind: 'ReplicaSet' };
    const other = configMap('cart-lock', { metadata: ownedBy(owner) });
    assert.deepEqual(holders([cart, other]), nobody);
  });

  it('is held by no finished pod', () => {
    const finished = pod('cart-7c9-x2', { status: { phase: 'Failed' } });
    assert.deepEqual(holders([finished, forLife('cart-lock', 'Pod/cart-7c9-x2')]), nobody);
  });
});

describe('a lock held under the name of a node', () => {
  const worker = node('worker-1.example.org', {
    metadata: { labels: { 'kubernetes.io/hostname': 'w1' } },
  });
  const onHost = (name: string, spec: object = {}, fields: object = {}) =>
    pod(name, {
      spec: { hostNetwork: true, nodeName: 'worker-1.example.org', ...spec },
      ...fields,
    });
  const agent = onHost('agent');

  for (const holder of ['worker-1.example.org', 'worker-1', 'w1', 'w1_8c1d']) {
    it(`is held by the pod on the network of that node: ${holder}`, () => {
      const expected = { strong: { agent: 'Lease shop/lock' }, weak: [] };
      assert.deepEqual(holders([agent, worker, heldBy(holder)]), expected);
    });
  }

  for (const holder of ['worker', 'worker-2', 'example', 'worker-1.example']) {
    it(`is held by nobody for ${holder}: names match as a whole`, () => {
      assert.deepEqual(holders([agent, worker, heldBy(holder)]), nobody);
    });
  }

  it('is held by nobody outside its namespace', () => {
    assert.deepEqual(holders([agent, worker, heldBy('w1', { namespace: 'other' })]), nobody);
  });

  const others: readonly (readonly [string, AnyObject])[] = [
    ['on a network of its own', onHost('agent', { hostNetwork: false })],
    ['not placed yet', onHost('agent', { nodeName: undefined })],
    ['that is finished', onHost('agent', {}, { status: { phase: 'Succeeded' } })],
    [
      'on its way out',
      onHost('agent', {}, { metadata: { deletionTimestamp: '2026-01-10T11:59:00Z' } }),
    ],
    ['of which nothing is known', pod('agent', { spec: undefined })],
  ];
  for (const [what, other] of others) {
    it(`is held by no pod ${what}`, () => {
      assert.deepEqual(holders([other, worker, heldBy('w1')]), nobody);
    });
  }

  it('is held by nobody for a bare UUID, be it the name of the node', () => {
    const name = '01234567-0abc-4c59-9e0f-0a6b1d4c7e55';
    const objects = [onHost('agent', { nodeName: name }), node(name)];
    assert.deepEqual(holders([...objects, heldBy(name)]), nobody);
    assert.deepEqual(holders([...objects, heldBy(`${name}_1`)]), nobody);
  });

  it('needs no node for its name', () => {
    const expected = { strong: { agent: 'Lease shop/lock' }, weak: [] };
    assert.deepEqual(holders([agent, heldBy('worker-1')]), expected);
    assert.deepEqual(holders([agent, node('worker-1.example.org'), heldBy('worker-1')]), expected);
  });

  it('is weak evidence where pods of several workloads may hold it', () => {
    const [a, b] = ['a', 'b'].map((name) =>
      onHost(name, {}, { metadata: ownedBy(replicaSet(name)) }),
    ) as [AnyObject, AnyObject];
    assert.deepEqual(holders([a, b, worker, heldBy('w1')]), { strong: {}, weak: ['a', 'b'] });
  });

  it('is weak evidence where bare pods may hold it, too', () => {
    const found = holders([agent, onHost('bare'), worker, heldBy('w1')]);
    assert.deepEqual(found, { strong: {}, weak: ['agent', 'bare'] });
  });

  it('is strong evidence for pods of two ReplicaSets of one Deployment', () => {
    const objects = ['5d9f', '7c8b'].map((hash) =>
      onHost(
        hash,
        {},
        {
          metadata: {
            ...ownedBy(replicaSet(`agent-${hash}`)),
            labels: { 'pod-template-hash': hash },
          },
        },
      ),
    );
    assert.deepEqual(Object.keys(holders([...objects, worker, heldBy('w1')]).strong), [
      '5d9f',
      '7c8b',
    ]);
  });

  it('is strong evidence for all pods of one workload', () => {
    const metadata = ownedBy(replicaSet('set'));
    const objects = ['a', 'b'].map((name) => onHost(name, {}, { metadata }));
    const { strong } = holders([...objects, worker, heldBy('w1')]);
    assert.deepEqual(Object.keys(strong), ['a', 'b']);
  });

  it('is held by the pod of that name before those of the node', () => {
    const namesake = pod('w1');
    const { strong } = holders([agent, worker, namesake, heldBy('w1')]);
    assert.deepEqual(Object.keys(strong), ['w1']);
  });
});

describe('holdersOf', () => {
  const missing = { state: 'missing', cause: 'forbidden', detail: '403' } as const;

  it('finds no holders where locks could not be read', () => {
    const listings = { leases: missing, lockMetadata: missing };
    assert.deepEqual(holders([cart, heldBy('cart-7c9-x2')], { listings }), nobody);
  });

  it('finds them in what could be read', () => {
    const given = { listings: { lockMetadata: missing } };
    assert.equal(Object.keys(holders([cart, heldBy('cart-7c9-x2')], given).strong).length, 1);
  });
});

describe('elections', () => {
  const renewTime = '2026-01-10T11:59:50Z';
  const annotated = (record: object) =>
    configMap('lock', {
      metadata: {
        annotations: { 'control-plane.alpha.kubernetes.io/leader': JSON.stringify(record) },
      },
    });

  it('say of a lease who holds it, for how long and since when', () => {
    const lock = lease('lock', {
      spec: { holderIdentity: 'cart_1', leaseDurationSeconds: 15, renewTime },
    });
    const [election] = elections([lock], []);
    assert.deepEqual(election, {
      lock,
      holderIdentity: 'cart_1',
      leaseDurationSeconds: 15,
      renewTime,
    });
  });

  it('say the same of an annotation', () => {
    const record = { holderIdentity: 'cart_1', leaseDurationSeconds: 15, renewTime };
    const lock = annotated({ ...record, leaderTransitions: 5 });
    assert.deepEqual(elections([], [lock]), [{ lock, ...record }]);
  });

  it('leave out what an annotation has in another form', () => {
    const lock = annotated({ holderIdentity: 'cart', leaseDurationSeconds: '15', renewTime: 7 });
    assert.deepEqual(elections([], [lock]), [{ lock, holderIdentity: 'cart' }]);
  });

  it('are not heartbeats, identities, what was released or what was no election', () => {
    const identity = { 'apiserver.kubernetes.io/identity': 'kube-apiserver' };
    const leases = [
      heldBy('node-1', { namespace: 'kube-node-lease' }),
      heldBy('kube-apiserver-x', { labels: identity }),
      heldBy(undefined),
      lease('lock'),
    ];
    const owner = { kind: 'Pod', name: 'cart', uid: '1' };
    const forLife = configMap('cart-lock', { metadata: { ownerReferences: [owner] } });
    assert.deepEqual(elections(leases, [forLife, annotated({ holderIdentity: '' })]), []);
  });
});
