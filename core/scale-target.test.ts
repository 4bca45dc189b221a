import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Given } from '../test/objects.ts';
import { deployment, estate, make } from '../test/objects.ts';
import { faultOf } from './scale-target.ts';

const objects = [deployment('cart'), make('deploymentConfigs', 'search')];
const unread = { state: 'missing', cause: 'forbidden', detail: '403' } as const;

function fault(target: object, given?: Given) {
  const { artifacts, scope } = estate(objects, given);
  return faultOf(target, artifacts, scope);
}

const toCart = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart' };
const wrong = (message: string) => ({ kind: 'wrong', message });

describe('faultOf', () => {
  it('is none where the target exists, in whatever version', () => {
    assert.equal(fault(toCart), undefined);
    assert.equal(fault({ ...toCart, apiVersion: 'apps/v1beta1' }), undefined);
  });

  it('says that the target is not there, or not all of its name', () => {
    const gone = wrong('targets StatefulSet shop/cart, which does not exist');
    assert.deepEqual(fault({ ...toCart, kind: 'StatefulSet' }), gone);
    const nothing = wrong('scaleTargetRef names no workload');
    assert.deepEqual(fault({}), nothing);
    assert.deepEqual(fault({ apiVersion: 'apps/v1', kind: 'Deployment' }), nothing);
    assert.deepEqual(fault({ apiVersion: 'apps/v1', name: 'cart' }), nothing);
  });

  const unscaled = [
    ['apps/v1', 'DaemonSet'],
    ['v1', 'Pod'],
    ['batch/v1', 'Job'],
    ['batch/v1', 'CronJob'],
  ] as const;
  for (const [apiVersion, kind] of unscaled) {
    it(`says that a ${kind} has no scale`, () => {
      const message = `targets ${kind} shop/cart, which cannot be scaled`;
      assert.deepEqual(fault({ apiVersion, kind, name: 'cart' }), wrong(message));
    });
  }

  it('knows what was meant by a target in the core group', () => {
    const { kind, name } = toCart;
    assert.deepEqual(fault({ kind, name }), {
      ...wrong('scaleTargetRef has no apiVersion: group "" has no Deployment'),
      right: toCart,
    });
    const old = { apiVersion: 'v1', kind: 'DeploymentConfig', name: 'search' };
    assert.deepEqual(fault(old), {
      ...wrong('scaleTargetRef has apiVersion v1: group "" has no DeploymentConfig'),
      right: { ...old, apiVersion: 'apps.openshift.io/v1' },
    });
  });

  it('guesses nothing where no workload has that kind and name', () => {
    const message = 'scaleTargetRef has no apiVersion: group "" has no Rollout';
    const target = { kind: 'Rollout', name: 'cart' };
    assert.deepEqual(fault(target), wrong(message));
    assert.deepEqual(fault(target, { listings: { rollouts: unread } }), wrong(message));
  });

  it('leaves open what nobody looked for', () => {
    const pool = { apiVersion: 'pool.kubevirt.io/v1beta1', kind: 'VirtualMachinePool', name: 'a' };
    const message = 'targets VirtualMachinePool shop/a, a kind that is not read';
    assert.deepEqual(fault(pool), { kind: 'unread', message });
    const rollout = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'a' };
    assert.deepEqual(fault(rollout, { listings: { rollouts: unread } }), {
      kind: 'unread',
      message: 'targets Rollout shop/a, a kind that is not read',
    });
  });
});
