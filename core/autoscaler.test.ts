import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import {
  deployment,
  estate,
  hpa,
  make,
  ownedBy,
  replicaSet,
  scaledObject,
  statefulSet,
  workload,
} from '../test/objects.ts';
import {
  ceilingOf,
  floorOf,
  isFrozen,
  isScaledObject,
  mostReplicas,
  raisedFloor,
} from './autoscaler.ts';

const cart = (replicas?: number) => deployment('cart', { spec: { replicas } });
const toCart = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart' };
const hpaOf = (spec: object, name = 'cart', fields = {}) =>
  hpa(name, { ...fields, spec: { scaleTargetRef: toCart, maxReplicas: 9, ...spec } });
const keda = (spec: object, annotations: object = {}, name = 'cart') =>
  scaledObject(name, {
    metadata: { annotations },
    spec: { scaleTargetRef: { name: 'cart' }, ...spec },
  });

function floor(objects: readonly AnyObject[], given?: Given) {
  const found = estate(objects, given);
  const { replicas, scaler } = floorOf(workload('cart', found), found.artifacts, found.scope);
  return { replicas, scaler: scaler && `${scaler.kind} ${scaler.metadata.name}` };
}

const alone = (replicas: number) => ({ replicas, scaler: undefined });
const byHpa = (replicas: number) => ({ replicas, scaler: 'HorizontalPodAutoscaler cart' });
const byKeda = (replicas: number) => ({ replicas, scaler: 'ScaledObject cart' });

describe('floorOf', () => {
  const onStatefulSet = { scaleTargetRef: { ...toCart, kind: 'StatefulSet' }, minReplicas: 1 };
  const table: readonly (readonly [string, readonly AnyObject[], object])[] = [
    ['1 for a Deployment that says nothing', [cart()], alone(1)],
    ['what is asked for without a scaler', [cart(3)], alone(3)],
    ['1 under an HPA without minReplicas', [cart(5), hpaOf({})], byHpa(1)],
    ['minReplicas above unset replicas', [cart(), hpaOf({ minReplicas: 3 })], byHpa(3)],
    ['minReplicas below the replicas of now', [cart(5), hpaOf({ minReplicas: 2 })], byHpa(2)],
    ['0 under an HPA that may scale to zero', [cart(2), hpaOf({ minReplicas: 0 })], byHpa(0)],
    ['not that of a StatefulSet of the same name', [cart(3), hpaOf(onStatefulSet)], alone(3)],
    ['0 under a ScaledObject without minReplicaCount', [cart(2), keda({})], byKeda(0)],
    ['minReplicaCount of a ScaledObject', [cart(2), keda({ minReplicaCount: 2 })], byKeda(2)],
    [
      'idleReplicaCount before minReplicaCount',
      [cart(2), keda({ minReplicaCount: 2, idleReplicaCount: 0 })],
      byKeda(0),
    ],
  ];
  for (const [what, objects, expected] of table) {
    it(`is ${what}`, () => assert.deepEqual(floor(objects), expected));
  }

  it('does not ask for the version of the target', () => {
    const older = { scaleTargetRef: { ...toCart, apiVersion: 'apps/v1beta1' }, minReplicas: 2 };
    assert.deepEqual(floor([cart(5), hpaOf(older)]), byHpa(2));
  });

  const strangers = {
    'another group': { ...toCart, apiVersion: 'apps.kruise.io/v1' },
    'the core group, for want of an apiVersion': { kind: 'Deployment', name: 'cart' },
    'another name': { ...toCart, name: 'cart-2' },
    'no name': { apiVersion: 'apps/v1', kind: 'Deployment' },
    nothing: {},
  };
  for (const [what, scaleTargetRef] of Object.entries(strangers)) {
    it(`is not set by an HPA that targets ${what}`, () => {
      assert.deepEqual(floor([cart(5), hpaOf({ scaleTargetRef, minReplicas: 2 })]), alone(5));
    });
  }

  it('is not set by an HPA without a specification', () => {
    assert.deepEqual(floor([cart(5), hpa('cart')]), alone(5));
  });

  it('is not set from another namespace', () => {
    const metadata = { namespace: 'other' };
    assert.deepEqual(floor([cart(5), hpaOf({}, 'cart', { metadata })]), alone(5));
  });

  it('finds a ReplicationController in the core group', () => {
    const controller = make('replicationControllers', 'cart', { spec: { replicas: 5 } });
    const scaleTargetRef = { kind: 'ReplicationController', name: 'cart' };
    assert.deepEqual(floor([controller, hpaOf({ scaleTargetRef })]), byHpa(1));
  });

  it('finds a custom kind by group and kind', () => {
    const rollout = make('rollouts', 'cart', { spec: { replicas: 5 } });
    const scaleTargetRef = { ...toCart, apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout' };
    assert.deepEqual(floor([rollout, hpaOf({ scaleTargetRef })]), byHpa(1));
  });

  it('is what is asked for where the HPAs could not be read', () => {
    const gap = { cause: 'forbidden', detail: 'could not be listed' } as const;
    const listings = { horizontalPodAutoscalers: { state: 'missing', ...gap } } as const;
    assert.deepEqual(floor([cart(5)], { listings }), alone(5));
  });

  it('reads an HPA of the old version', () => {
    const old = hpaOf({ minReplicas: 2 }, 'cart', { apiVersion: 'autoscaling/v1' });
    assert.deepEqual(floor([cart(5), old]), byHpa(2));
  });
});

describe('floorOf with KEDA', () => {
  const paused = 'autoscaling.keda.sh/paused';
  const frozen = 'autoscaling.keda.sh/paused-replicas';
  const annotated: readonly (readonly [object, number])[] = [
    [{ [frozen]: '3' }, 3],
    [{ [frozen]: '0' }, 0],
    [{ [frozen]: 'three' }, 1],
    [{ [frozen]: '-1' }, 1],
    [{ [frozen]: '' }, 1],
    [{ [paused]: 'true' }, 5],
    [{ [paused]: 'false' }, 1],
    [{ [paused]: 'true', [frozen]: '2' }, 2],
  ];
  for (const [annotations, replicas] of annotated) {
    it(`is ${replicas} of 5 with minReplicaCount 1 and ${JSON.stringify(annotations)}`, () => {
      assert.deepEqual(
        floor([cart(5), keda({ minReplicaCount: 1 }, annotations)]),
        byKeda(replicas),
      );
    });
  }

  it('is not set by the HPA that KEDA made', () => {
    const owner = keda({ minReplicaCount: 0 });
    const made = hpaOf({ minReplicas: 1 }, 'keda-hpa-cart', { metadata: ownedBy(owner) });
    assert.deepEqual(floor([cart(5), owner, made]), byKeda(0));
    assert.deepEqual(floor([cart(5), made]), alone(5));
  });

  it('is set by an HPA of somebody else’s ScaledObject', () => {
    const stranger = { ...keda({}), apiVersion: 'example.org/v1' };
    const made = hpaOf({ minReplicas: 1 }, 'cart', { metadata: ownedBy(stranger) });
    assert.deepEqual(floor([cart(5), made]), byHpa(1));
  });

  it('is set by the ScaledObject where an HPA of its own acts, too', () => {
    const objects = [cart(5), keda({ minReplicaCount: 2 }), hpaOf({ minReplicas: 1 })];
    assert.deepEqual(floor(objects), byKeda(2));
  });

  it('takes a target without kind for a Deployment, and no other', () => {
    const db = statefulSet('cart', { spec: { replicas: 3 } });
    assert.deepEqual(floor([db, keda({ minReplicaCount: 1 })]), alone(3));
    const scaleTargetRef = { name: 'cart', kind: 'StatefulSet' };
    assert.deepEqual(floor([db, keda({ scaleTargetRef, minReplicaCount: 1 })]), byKeda(1));
  });

  it('is not set by a ScaledObject without a target', () => {
    assert.deepEqual(floor([cart(3), scaledObject('cart')]), alone(3));
    assert.deepEqual(floor([cart(3), keda({ scaleTargetRef: {} })]), alone(3));
  });

  it('is what HPAs say where ScaledObjects could not be read', () => {
    const scaledObjects = { state: 'missing', cause: 'forbidden', detail: '403' } as const;
    const objects = [cart(5), keda({}), hpaOf({ minReplicas: 2 })];
    assert.deepEqual(floor(objects, { listings: { scaledObjects } }), byHpa(2));
  });
});

describe('floorOf with several scalers', () => {
  const [low, high] = [hpaOf({ minReplicas: 1 }, 'low'), hpaOf({ minReplicas: 4 }, 'high')];

  it('is the smallest floor, in whatever order they come', () => {
    const expected = { replicas: 1, scaler: 'HorizontalPodAutoscaler low' };
    assert.deepEqual(floor([cart(5), low, high]), expected);
    assert.deepEqual(floor([cart(5), high, low]), expected);
  });

  it('blames the first by name of those with the smallest floor', () => {
    const expected = { replicas: 1, scaler: 'HorizontalPodAutoscaler a' };
    const [a, b] = [hpaOf({}, 'a'), hpaOf({}, 'b')];
    assert.deepEqual(floor([cart(5), b, a, high]), expected);
    assert.deepEqual(floor([cart(5), a, b, high]), expected);
  });

  it('may lie above the replicas of now', () => {
    const expected = { replicas: 4, scaler: 'HorizontalPodAutoscaler high' };
    assert.deepEqual(floor([cart(1), high]), expected);
  });
});

describe('the words for a floor', () => {
  const frozen = { 'autoscaling.keda.sh/paused-replicas': '3' };
  const paused = { 'autoscaling.keda.sh/paused': 'true' };
  const table: readonly (readonly [string, string, AnyObject])[] = [
    ['spec.minReplicas', 'minReplicas unset, default 1', hpaOf({})],
    ['spec.minReplicas', 'minReplicas 0', hpaOf({ minReplicas: 0 })],
    ['spec.minReplicaCount', 'minReplicaCount unset, default 0', keda({})],
    ['spec.minReplicaCount', 'minReplicaCount 2', keda({ minReplicaCount: 2 })],
    ['spec.idleReplicaCount', 'idleReplicaCount 0', keda({ idleReplicaCount: 0 })],
    ['metadata.annotations', 'annotation autoscaling.keda.sh/paused-replicas 3', keda({}, frozen)],
    ['metadata.annotations', 'annotation autoscaling.keda.sh/paused true', keda({}, paused)],
  ];
  for (const [path, found, scaler] of table) {
    it(`are ${path}: ${found}`, () => {
      const { artifacts, scope, ...rest } = estate([cart(5), scaler]);
      const own = workload('cart', { artifacts, scope, ...rest });
      const floor = floorOf(own, artifacts, scope);
      assert.deepEqual([floor.path, floor.found], [path, found]);
    });
  }
});

describe('mostReplicas', () => {
  const most = (...objects: AnyObject[]) => {
    const found = estate(objects);
    return mostReplicas(workload('cart', found), found.artifacts, found.scope);
  };

  it('are those of now without a scaler', () => {
    assert.equal(most(cart(5)), 5);
  });

  it('are the upper limit of a scaler, if that is above', () => {
    assert.equal(most(cart(5), hpaOf({ maxReplicas: 7 })), 7);
    assert.equal(most(cart(5), hpaOf({ maxReplicas: 3 })), 5);
    assert.equal(most(cart(5), hpaOf({ maxReplicas: undefined })), 5);
    assert.equal(most(cart(5), keda({ maxReplicaCount: 8 })), 8);
    assert.equal(most(cart(5), keda({})), 100);
  });

  it('are the highest of several', () => {
    const high = hpa('high', { spec: { scaleTargetRef: toCart, maxReplicas: 9 } });
    assert.equal(most(cart(5), high, hpaOf({ maxReplicas: 7 })), 9);
  });
});

describe('isScaledObject', () => {
  it('goes by the kind', () => {
    assert.equal(isScaledObject(keda({})), true);
    assert.equal(isScaledObject(hpaOf({})), false);
  });
});

describe('a bare ReplicaSet', () => {
  it('is scaled like any other', () => {
    const scaleTargetRef = { ...toCart, kind: 'ReplicaSet' };
    const objects = [replicaSet('cart', { spec: { replicas: 5 } }), hpaOf({ scaleTargetRef })];
    assert.deepEqual(floor(objects), byHpa(1));
  });
});

describe('ceilingOf', () => {
  const ceiling = (object: AnyObject) => {
    const found = estate([cart(5), object]);
    const { scaler } = floorOf(workload('cart', found), found.artifacts, found.scope);
    return scaler && ceilingOf(scaler);
  };

  it('is what an HPA says, which must say it', () => {
    assert.equal(ceiling(hpaOf({ maxReplicas: 7 })), 7);
    assert.equal(ceiling(hpaOf({ maxReplicas: undefined })), 0);
  });

  it('is what a ScaledObject says, or 100', () => {
    assert.equal(ceiling(keda({ maxReplicaCount: 7 })), 7);
    assert.equal(ceiling(keda({})), 100);
  });
});

describe('raisedFloor', () => {
  const patch = (object: AnyObject, minimum = 3) => {
    const found = estate([cart(5), object]);
    const own = floorOf(workload('cart', found), found.artifacts, found.scope);
    assert.ok(own.scaler);
    return { frozen: isFrozen(own), spec: raisedFloor(own, minimum)?.spec };
  };
  const to = (spec: object) => ({ frozen: false, spec });

  it('raises the floor of an HPA, and a ceiling below it', () => {
    assert.deepEqual(patch(hpaOf({ minReplicas: 1, maxReplicas: 3 })), to({ minReplicas: 3 }));
    const both = { minReplicas: 3, maxReplicas: 3 };
    assert.deepEqual(patch(hpaOf({ minReplicas: 1, maxReplicas: 2 })), to(both));
  });

  it('raises the floor of a ScaledObject, and a ceiling below it', () => {
    const floor3 = { minReplicaCount: 3 };
    assert.deepEqual(patch(keda({})), to(floor3));
    assert.deepEqual(patch(keda({ maxReplicaCount: 3 })), to(floor3));
    assert.deepEqual(patch(keda({ maxReplicaCount: 2 })), to({ ...floor3, maxReplicaCount: 3 }));
  });

  it('takes the number for idle hours away, and keeps a higher floor', () => {
    const idle = { minReplicaCount: 4, idleReplicaCount: 0 };
    assert.deepEqual(patch(keda(idle)), to({ minReplicaCount: 4, idleReplicaCount: null }));
  });

  it('leaves to others what is frozen', () => {
    const annotations = { 'autoscaling.keda.sh/paused-replicas': '1' };
    assert.deepEqual(patch(keda({}, annotations)), { frozen: true, spec: undefined });
  });
});
