import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { AnyObject } from '../test/objects.ts';
import { daemonSet, deployment, estate, make, statefulSet, workload } from '../test/objects.ts';
import { boundText, daemonRolling, rolling, strategyOf } from './rolling.ts';

describe('rolling', () => {
  const table = [
    ['2 replicas with the defaults', undefined, 2, 1, 0],
    ['1 replica with the defaults', undefined, 1, 1, 0],
    ['4 replicas with the defaults', {}, 4, 1, 1],
    ['10 replicas with the defaults', {}, 10, 3, 2],
    ['2 replicas without surge', { maxSurge: 0 }, 2, 0, 1],
    ['3 replicas with 1 % and no surge', { maxUnavailable: '1%', maxSurge: 0 }, 3, 0, 1],
    ['two literal zeros', { maxUnavailable: 0, maxSurge: 0 }, 3, 0, 1],
    ['two zero percentages', { maxUnavailable: '0%', maxSurge: '0%' }, 3, 0, 1],
    ['more unavailable than there are', { maxUnavailable: 5, maxSurge: 0 }, 3, 0, 3],
    ['all unavailable', { maxUnavailable: '100%' }, 3, 1, 3],
    ['half of 2', { maxUnavailable: '50%' }, 2, 1, 1],
    ['none unavailable', { maxUnavailable: 0 }, 3, 1, 0],
    ['more surge than there are', { maxSurge: '200%' }, 3, 6, 0],
  ] as const;
  for (const [what, bounds, replicas, surge, unavailable] of table) {
    it(`makes of ${what} surge ${surge}, unavailable ${unavailable}`, () => {
      assert.deepEqual(rolling(bounds, replicas), { surge, unavailable });
    });
  }

  it('is undefined when a bound is neither an integer nor a percentage', () => {
    assert.equal(rolling({ maxUnavailable: '1' }, 3), undefined);
    assert.equal(rolling({ maxSurge: 'x' }, 3), undefined);
  });

  it('always moves, and never takes away more than there is', () => {
    const bound = fc.oneof(
      fc.nat({ max: 20 }),
      fc.nat({ max: 200 }).map((percent) => `${percent}%`),
    );
    fc.assert(
      fc.property(bound, bound, fc.integer({ min: 1, max: 50 }), (most, surge, replicas) => {
        const found = rolling({ maxUnavailable: most, maxSurge: surge }, replicas);
        assert.ok(found && found.surge + found.unavailable > 0);
        assert.ok(found.unavailable <= replicas);
      }),
    );
  });
});

describe('daemonRolling', () => {
  const table = [
    ['the defaults', undefined, 3, 0, 1],
    ['10 % of 3', { maxUnavailable: '10%' }, 3, 0, 1],
    ['10 % of 11', { maxUnavailable: '10%' }, 11, 0, 2],
    ['a surge of 10 % of 11', { maxUnavailable: 0, maxSurge: '10%' }, 11, 2, 0],
    ['two literal zeros', { maxUnavailable: 0, maxSurge: 0 }, 3, 0, 1],
    ['two zero percentages', { maxUnavailable: '0%', maxSurge: '0%' }, 3, 0, 1],
    ['more than there are', { maxUnavailable: 5 }, 3, 0, 5],
  ] as const;
  for (const [what, bounds, nodes, surge, unavailable] of table) {
    it(`makes of ${what} surge ${surge}, unavailable ${unavailable}`, () => {
      assert.deepEqual(daemonRolling(bounds, nodes), { surge, unavailable });
    });
  }

  it('is undefined when a bound is neither an integer nor a percentage', () => {
    assert.equal(daemonRolling({ maxUnavailable: 'x' }, 3), undefined);
    assert.equal(daemonRolling({ maxSurge: '1' }, 3), undefined);
  });
});

describe('boundText', () => {
  it('shows what a percentage comes to', () => {
    assert.equal(boundText('maxSurge', '25%', 1), 'maxSurge 25 % → 1');
    assert.equal(boundText('maxUnavailable', 0, 0), 'maxUnavailable 0');
  });
});

describe('strategyOf', () => {
  const of = (object: AnyObject, replicas: number) =>
    strategyOf(workload(object.metadata.name, estate([object])), replicas);
  const withStrategy = (strategy?: object) => deployment('web', { spec: { strategy } });
  const withUpdate = (updateStrategy?: object, metadata = {}) =>
    statefulSet('db', { metadata, spec: { updateStrategy } });
  const withParams = (strategy?: object) =>
    make('deploymentConfigs', 'old', { spec: { strategy } });

  it('keeps of a Deployment what the bounds leave', () => {
    const found = of(withStrategy({ rollingUpdate: { maxUnavailable: 2 } }), 3);
    assert.deepEqual(found, { keeps: 1, text: 'keeps 1 of 3 (maxUnavailable 2)' });
  });

  it('takes 25 % of a Deployment that says nothing', () => {
    const expected = { keeps: 3, text: 'keeps 3 of 4 (maxUnavailable 25 %)' };
    assert.deepEqual(of(deployment('web'), 4), expected);
    assert.deepEqual(of(withStrategy({ type: 'RollingUpdate' }), 4), expected);
  });

  it('keeps nothing of what is recreated', () => {
    const recreate = { type: 'Recreate' };
    const all = { keeps: 0, text: 'strategy Recreate stops all 3 replicas at once' };
    assert.deepEqual(of(withStrategy(recreate), 3), all);
    assert.deepEqual(of(withParams(recreate), 3), all);
    const one = { keeps: 0, text: 'strategy Recreate stops the only replica' };
    assert.deepEqual(of(withStrategy(recreate), 1), one);
  });

  it('keeps nothing for sure where a bound cannot be read', () => {
    assert.deepEqual(of(withStrategy({ rollingUpdate: { maxUnavailable: 'some' } }), 3), {
      keeps: 0,
      text: 'maxUnavailable "some", maxSurge "25%": not integers or percentages',
    });
    assert.deepEqual(of(withUpdate({ rollingUpdate: { maxUnavailable: 'some' } }), 3), {
      keeps: 0,
      text: 'maxUnavailable "some": not integers or percentages',
    });
  });

  it('reads the bounds of a DeploymentConfig from its own field', () => {
    const params = { type: 'Rolling', rollingParams: { maxUnavailable: '50%' } };
    const half = { keeps: 2, text: 'keeps 2 of 4 (maxUnavailable 50 %)' };
    assert.deepEqual(of(withParams(params), 4), half);
    const unsaid = { keeps: 3, text: 'keeps 3 of 4 (maxUnavailable 25 %)' };
    assert.deepEqual(of(make('deploymentConfigs', 'old'), 4), unsaid);
  });

  it('takes one pod after the other of a StatefulSet that says nothing', () => {
    const expected = { keeps: 2, text: 'keeps 2 of 3 (maxUnavailable 1)' };
    assert.deepEqual(of(statefulSet('db'), 3), expected);
    assert.deepEqual(of(withUpdate({ rollingUpdate: { partition: 1 } }), 3), expected);
  });

  const stored = [
    ['50%', 4, 2],
    ['50%', 3, 2],
    ['10%', 3, 2],
    [0, 3, 2],
    [2, 3, 1],
    [5, 3, 0],
  ] as const;
  for (const [maxUnavailable, replicas, keeps] of stored) {
    it(`keeps ${keeps} of a StatefulSet of ${replicas} with ${maxUnavailable} stored`, () => {
      const object = withUpdate({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable } });
      assert.equal(of(object, replicas)?.keeps, keeps);
    });
  }

  it('counts the bound of a StatefulSet in a manifest as 1: most servers drop the field', () => {
    const object = withUpdate({ rollingUpdate: { maxUnavailable: 3 } }, { uid: undefined });
    assert.deepEqual(of(object, 3), { keeps: 2, text: 'keeps 2 of 3 (maxUnavailable 1)' });
  });

  it('knows nothing of what no controller replaces by a strategy of these', () => {
    assert.equal(of(withUpdate({ type: 'OnDelete' }), 3), undefined);
    assert.equal(of(withParams({ type: 'Custom' }), 3), undefined);
    assert.equal(of(daemonSet('agent', { metadata: { uid: undefined } }), 3), undefined);
  });
});
