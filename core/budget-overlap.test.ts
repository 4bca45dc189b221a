import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject } from '../test/objects.ts';
import { budget, deployment, estate, job, ownedBy, pod, running } from '../test/objects.ts';
import { guardedPods, isOverlapping } from './budget-overlap.ts';

const of = (name: string, matchLabels: object) =>
  budget(name, { spec: { selector: { matchLabels } } });
const web = (replicas: number) =>
  deployment('web', { spec: { replicas, template: { metadata: { labels: { app: 'web' } } } } });
const byApp = of('by-app', { app: 'web' });
const other = of('other', { app: 'api' });
const all = of('all', {});
const labels = { app: 'web' };

describe('guardedPods', () => {
  const guarded = (...objects: AnyObject[]) => {
    const { artifacts, scope } = estate([byApp, other, all, ...objects]);
    return guardedPods(artifacts, scope).map(({ owner, budgets }) =>
      [owner, ...budgets.map(({ metadata }) => metadata.name)].join(' '),
    );
  };

  it('are living pods, with the budgets that select them, by name', () => {
    const done = pod('done', { metadata: { labels }, status: { phase: 'Failed' } });
    assert.deepEqual(guarded(...running(web(1)), done), ['Deployment web all by-app']);
  });

  it('are those of Jobs and bare ones, too', () => {
    const backup = job('backup');
    const own = pod('backup-x', { metadata: ownedBy(backup) });
    const bare = pod('bare', { metadata: { labels } });
    assert.deepEqual(guarded(backup, own, bare), ['Job backup all', 'Pod bare all by-app']);
  });

  it('are those that a workload without any will have, unless it is switched off', () => {
    assert.deepEqual(guarded(web(1)), ['Deployment web all by-app']);
    assert.deepEqual(guarded(web(0)), []);
  });
});

describe('isOverlapping', () => {
  const overlaps = (own: AnyObject, ...objects: AnyObject[]) => {
    const { artifacts, scope } = estate([...running(web(2)), ...objects]);
    return isOverlapping(own as typeof byApp, artifacts, scope);
  };

  it('is true of each of two budgets of a pod', () => {
    assert.equal(overlaps(byApp, byApp, all), true);
    assert.equal(overlaps(all, byApp, all), true);
  });

  it('is false of a budget that shares no pod', () => {
    assert.equal(overlaps(byApp, byApp, other), false);
    assert.equal(overlaps(other, byApp, all, of('third', { app: 'cron' })), false);
    assert.equal(overlaps(byApp, byApp), false);
  });
});
