import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { budget, pod } from '../test/objects.ts';
import { evictionOf, evictionStatus } from './eviction.ts';

const labels = { app: 'web' };
const running = (ready: boolean, fields: object = {}) =>
  pod('web-0', {
    metadata: { labels },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
    ...fields,
  });
const guarding = (status: object, spec: object = {}, name = 'web') =>
  budget(name, {
    metadata: { generation: 2 },
    spec: { selector: { matchLabels: labels }, ...spec },
    status: { observedGeneration: 2, ...status },
  });
const full = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2 };
const answer = (...given: Parameters<typeof evictionOf>) => evictionOf(...given).answer;

describe('evictionOf', () => {
  it('asks no budget for what has ended, is ending, or never started', () => {
    const refusing = [guarding(full)];
    for (const phase of ['Succeeded', 'Failed', 'Pending']) {
      assert.equal(answer(running(false, { status: { phase } }), refusing), 'allowed');
    }
    const leaving = { metadata: { labels, deletionTimestamp: '2026-01-10T12:00:00Z' } };
    assert.equal(answer(running(true, leaving), refusing), 'allowed');
  });

  it('is allowed where no budget selects the pod', () => {
    assert.equal(answer(running(true), []), 'allowed');
    assert.equal(
      answer(running(true), [guarding(full, { selector: { matchLabels: { app: 'x' } } })]),
      'allowed',
    );
  });

  it('is an error below two budgets', () => {
    const two = [
      guarding({ disruptionsAllowed: 1 }),
      guarding({ disruptionsAllowed: 1 }, {}, 'all'),
    ];
    assert.equal(answer(running(true), two), 'several budgets');
    assert.equal(evictionStatus['several budgets'], 500);
    assert.equal(evictionOf(running(true), two).budgets.length, 2);
  });

  it('is up to the budget', () => {
    assert.equal(answer(running(true), [guarding({ disruptionsAllowed: 1 })]), 'allowed');
    assert.equal(answer(running(true), [guarding(full)]), 'not now');
    assert.equal(answer(running(true), [guarding({})]), 'not now');
    assert.equal(answer(running(true), [budget('web', { spec: { selector: {} } })]), 'not now');
  });

  it('waits for a status that is current', () => {
    const stale = guarding({ disruptionsAllowed: 1, observedGeneration: 1 });
    assert.equal(answer(running(true), [stale]), 'not now');
    const unseen = budget('web', { metadata: { generation: 1 }, spec: { selector: {} } });
    assert.equal(answer(running(true), [unseen]), 'not now');
  });

  it('goes for an unready pod where its policy says so', () => {
    const always = guarding(full, { unhealthyPodEvictionPolicy: 'AlwaysAllow' });
    assert.equal(answer(running(false), [always]), 'allowed');
    assert.equal(answer(running(true), [always]), 'not now');
  });

  it('goes for an unready pod where enough others are healthy, and some have to be', () => {
    const healthy = { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 };
    assert.equal(answer(running(false), [guarding(healthy)]), 'allowed');
    assert.equal(answer(running(false), [guarding({ ...healthy, currentHealthy: 1 })]), 'not now');
    assert.equal(answer(running(false), [guarding({ ...healthy, desiredHealthy: 0 })]), 'not now');
    assert.equal(answer(running(false), [guarding({ disruptionsAllowed: 0 })]), 'not now');
  });

  it('is refused where thousands are under way', () => {
    const names = Array.from({ length: 2001 }, (_, i) => [`web-${i}`, '2026-01-10T12:00:00Z']);
    const many = (length: number) =>
      guarding({
        disruptionsAllowed: 1,
        disruptedPods: Object.fromEntries(names.slice(0, length)),
      });
    assert.equal(answer(running(true), [many(2000)]), 'allowed');
    assert.equal(answer(running(true), [many(2001)]), 'too many disrupted pods');
  });
});
