import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject } from '../test/objects.ts';
import {
  budget,
  deployment,
  estate,
  job,
  ownedBy,
  pod,
  replicaSet,
  running,
} from '../test/objects.ts';
import { matchOf } from './budget.ts';
import { oneAwayPatch, policyOf, policyText } from './budget-policy.ts';

const of = (spec: object) =>
  budget('web', { spec: { selector: { matchLabels: { app: 'web' } }, ...spec } });
const web = (replicas: number) =>
  deployment('web', { spec: { replicas, template: { metadata: { labels: { app: 'web' } } } } });

describe('policyOf', () => {
  it('is the field that is set, maxUnavailable before the other', () => {
    assert.deepEqual(policyOf(of({ minAvailable: 2 })), { field: 'minAvailable', value: 2 });
    const maxUnavailable = { field: 'maxUnavailable', value: '50%' };
    assert.deepEqual(policyOf(of({ maxUnavailable: '50%' })), maxUnavailable);
    assert.deepEqual(policyOf(of({ maxUnavailable: '50%', minAvailable: 1 })), maxUnavailable);
  });

  it('is a minAvailable of nothing where neither is', () => {
    assert.deepEqual(policyOf(of({})), { field: 'minAvailable', value: 0 });
    assert.deepEqual(policyOf(budget('web')), { field: 'minAvailable', value: 0 });
  });
});

describe('policyText', () => {
  it('is as a person would say it', () => {
    assert.equal(policyText({ field: 'minAvailable', value: 2 }), 'minAvailable 2');
    assert.equal(policyText({ field: 'maxUnavailable', value: '50%' }), 'maxUnavailable 50 %');
  });
});

describe('oneAwayPatch', () => {
  const patch = (...objects: AnyObject[]) => {
    const { artifacts, scope } = estate(objects);
    const own = of({ minAvailable: 0 });
    return oneAwayPatch(own, matchOf(own, artifacts, scope), artifacts, scope);
  };
  const labels = { app: 'web' };

  it('lets one pod go', () => {
    const expected = { spec: { minAvailable: null, maxUnavailable: 1 } };
    assert.deepEqual(patch(...running(web(1))), expected);
    assert.deepEqual(patch(...running(web(3))), expected);
  });

  it('is none where there is no scale to count by', () => {
    const backup = job('backup');
    const own = pod('backup-x', { metadata: { labels, ...ownedBy(backup) } });
    assert.equal(patch(...running(web(3)), backup, own), undefined);
    assert.equal(patch(pod('bare', { metadata: { labels } })), undefined);
    const off = replicaSet('off', { spec: { replicas: 0, template: { metadata: { labels } } } });
    assert.equal(patch(off), undefined);
  });
});
