import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deployment, estate } from '../test/objects.ts';
import { nearestWorkload } from './nearest.ts';
import { workloadsOf } from './workload.ts';

const labelled = (name: string, labels: object) =>
  deployment(name, { spec: { template: { metadata: { labels } } } });

function nearest(
  labels: Readonly<Record<string, string>>,
  ...workloads: ReturnType<typeof labelled>[]
) {
  const { artifacts, scope } = estate(workloads);
  const found = nearestWorkload({ name: 'web', labels }, workloadsOf(artifacts, scope).all);
  return found && `${found.workload.name} ${found.sharesLabel ? 'shares a label' : 'is alike'}`;
}

describe('nearestWorkload', () => {
  it('is the one that has most of the labels', () => {
    const one = labelled('a', { app: 'web' });
    const two = labelled('b', { app: 'web', tier: 'front' });
    assert.equal(nearest({ app: 'web', tier: 'front', rev: '1' }, one, two), 'b shares a label');
  });

  it('has a label rather than keys and the name', () => {
    const alike = labelled('web', { app: 'web', tier: 'back' });
    const sharing = labelled('z', { app: 'web-v1' });
    const asked = { app: 'web-v1', tier: 'front' };
    assert.equal(nearest(asked, labelled('web', { app: 'x' }), sharing), 'z shares a label');
    assert.equal(nearest({ app: 'web-v1' }, alike, sharing), 'z shares a label');
  });

  it('is else the one that has the keys, then the one of the name', () => {
    const other = labelled('a', { k8s: 'x' });
    assert.equal(nearest({ app: 'web-v1' }, other, labelled('b', { app: 'b' })), 'b is alike');
    const same = labelled('web', { app: 'web' });
    assert.equal(nearest({ app: 'web-v1' }, labelled('a', { app: 'a' }), same), 'web is alike');
    assert.equal(nearest({}, other, labelled('web', {})), 'web is alike');
    const keyed = labelled('z', { app: 'z' });
    assert.equal(nearest({ app: 'web-v1' }, keyed, labelled('web', {})), 'z is alike');
  });

  it('knows whether another one is as near', () => {
    const { artifacts, scope } = estate([
      labelled('a', { app: 'web' }),
      labelled('b', { app: 'web' }),
    ]);
    const { all } = workloadsOf(artifacts, scope);
    const asked = { name: 'x', labels: { app: 'web' } };
    assert.equal(nearestWorkload(asked, all)?.isOnly, false);
    assert.equal(nearestWorkload({ ...asked, name: 'b' }, all)?.isOnly, true);
    assert.equal(nearestWorkload(asked, all.slice(1))?.isOnly, true);
  });

  it('is none that has nothing in common', () => {
    assert.equal(nearest({ app: 'web' }, labelled('a', { k8s: 'x' })), undefined);
    assert.equal(nearest({ toString: 'web' }, labelled('a', {})), undefined);
    assert.equal(nearest({ app: 'web' }), undefined);
  });
});
