import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pod, scopeOf } from '../test/objects.ts';
import { isYoung, secondsSince } from './age.ts';
import { defaultThresholds } from './thresholds.ts';

const madeAt = (creationTimestamp: string | undefined) =>
  pod('a', { metadata: { creationTimestamp } });

describe('isYoung', () => {
  it('is true until the settling time is over', () => {
    assert.equal(isYoung(madeAt('2026-01-10T11:59:01Z'), scopeOf()), true);
    assert.equal(isYoung(madeAt('2026-01-10T11:59:00Z'), scopeOf()), false);
  });

  it('is true of what was made after the snapshot began', () => {
    assert.equal(isYoung(madeAt('2026-01-10T12:00:05Z'), scopeOf()), true);
  });

  it('asks the threshold', () => {
    const thresholds = { ...defaultThresholds, workloads: [], settle: 0 };
    assert.equal(
      isYoung(madeAt('2026-01-10T12:00:00Z'), scopeOf({ cluster: { thresholds } })),
      false,
    );
  });

  it('is true where no age is known: nothing is judged then', () => {
    assert.equal(isYoung(madeAt(undefined), scopeOf()), true);
    const scope = scopeOf();
    const { takenAt: _, ...cluster } = scope.cluster;
    assert.equal(isYoung(madeAt('2020-01-01T00:00:00Z'), { ...scope, cluster }), true);
  });
});

describe('secondsSince', () => {
  it('counts to the time of the snapshot', () => {
    assert.equal(secondsSince('2026-01-10T11:58:30Z', scopeOf()), 90);
    assert.equal(secondsSince('2026-01-10T12:00:05Z', scopeOf()), -5);
  });

  it('is unknown without a moment or a time of the snapshot', () => {
    assert.equal(secondsSince(undefined, scopeOf()), undefined);
    const scope = scopeOf();
    const { takenAt: _, ...cluster } = scope.cluster;
    assert.equal(secondsSince('2020-01-01T00:00:00Z', { ...scope, cluster }), undefined);
  });
});
