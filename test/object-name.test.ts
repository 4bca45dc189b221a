import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findObject, objectName } from '../suites/object-name.ts';
import { deployment, estate, make, node } from './objects.ts';

const mistaken = (message: RegExp) => ({ name: 'KnownError', exitStatus: 2, message });

describe('objectName', () => {
  it('takes kinds by every name that kubectl takes', () => {
    for (const kind of ['deployment', 'Deployment', 'deployments', 'deploy', 'deployments.apps']) {
      assert.deepEqual(objectName(`shop/${kind}/cart`), {
        namespace: 'shop',
        kind: 'deployments',
        name: 'cart',
      });
    }
    assert.deepEqual(objectName('mcp/worker'), { kind: 'machineConfigPools', name: 'worker' });
    assert.equal(objectName('shop/hpa/a').kind, 'horizontalPodAutoscalers');
    assert.equal(objectName('shop/grpcroute/a').kind, 'gatewayRoutes');
  });

  it('says what is missing or too much', () => {
    for (const words of ['cart', 'a/b/c/d', '/deployment/cart', 'shop//cart', 'shop/deployment/']) {
      assert.throws(() => objectName(words), mistaken(/^expected NAMESPACE\/KIND\/NAME, or KIND/));
    }
    assert.throws(
      () => objectName('deployment/cart'),
      mistaken(/^a Deployment lives in a namespa/),
    );
    assert.throws(() => objectName('shop/node/a'), mistaken(/^a Node is an object of the cluster/));
  });

  it('names the nearest kind', () => {
    assert.throws(
      () => objectName('shop/deploymnt/cart'),
      mistaken(/^unknown kind "deploymnt", did you mean "Deployment"\?$/),
    );
  });
});

describe('findObject', () => {
  const route = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'GRPCRoute' };
  const { snapshot } = estate(
    [deployment('cart'), node('worker-1'), make('gatewayRoutes', 'cart', route)],
    {
      listings: {
        rollouts: { state: 'not served' },
        infrastructures: { state: 'unknown' },
        pods: { state: 'missing', cause: 'forbidden', detail: 'refused' },
        services: {
          state: 'read',
          objects: [],
          gaps: [{ namespace: 'shop', cause: 'not collected', detail: 'absent' }],
        },
      },
    },
  );
  const find = (words: string) => findObject(objectName(words), snapshot);

  it('finds it as it is', () => {
    const cart = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'cart' };
    assert.deepEqual(find('shop/deploy/cart'), cart);
    assert.deepEqual(find('node/worker-1'), { apiVersion: 'v1', kind: 'Node', name: 'worker-1' });
    assert.deepEqual(find('shop/grpcroute/cart'), { ...cart, ...route });
  });

  it('names the nearest there is', () => {
    assert.throws(
      () => find('shop/deploy/crat'),
      mistaken(/^there is no Deployment shop\/crat, did you mean "cart"\?$/),
    );
    assert.throws(
      () => find('search/deploy/cart'),
      mistaken(/^there is no Deployment search\/cart$/),
    );
    assert.throws(() => find('search/svc/cart'), mistaken(/^there is no Service search\/cart$/));
    assert.throws(() => find('shop/rollout/cart'), mistaken(/^the cluster serves no Rollout$/));
  });

  it('believes in what could not be read', () => {
    assert.deepEqual(find('shop/pod/cart-0'), {
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: 'shop',
      name: 'cart-0',
    });
    assert.equal(find('shop/svc/cart').name, 'cart');
    assert.deepEqual(find('infrastructure/cluster'), {
      apiVersion: 'config.openshift.io/v1',
      kind: 'Infrastructure',
      name: 'cluster',
    });
  });
});
