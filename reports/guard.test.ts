import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Result } from '../core/result.ts';
import { finding, pending, result } from '../test/sample-report.ts';
import { guard } from './guard.ts';

const failing = (namespace: string, changes: Partial<Result> = {}) =>
  result('pdb-presence', namespace, { verdict: 'fail', findings: [finding('web')], ...changes });

const guarded = (results: readonly Result[]) =>
  results.filter((one) => one.guarded).map(({ namespace }) => namespace);

describe('guard', () => {
  it('leaves as many failures as the limit allows', () => {
    const results = Array.from({ length: 10 }, (_, n) => failing(`ns-${n}`));
    assert.deepEqual(guard(results), results);
    assert.deepEqual(guarded(guard([...results, failing('ns-x')])), ['ns-x']);
  });

  it('keeps the severe, then those with more that is not covered, then by id', () => {
    const covered = finding('old', { exception: pending });
    const results = [
      failing('a', { severity: 'minor', findings: [finding('web'), finding('api')] }),
      failing('d'),
      failing('c'),
      failing('b', { findings: [finding('web'), covered, covered] }),
      failing('e', { findings: [finding('web'), finding('api')] }),
      failing('f', { severity: 'critical' }),
    ];
    assert.deepEqual(guarded(guard(results, 1)), ['a', 'd', 'c', 'b', 'e']);
    assert.deepEqual(guarded(guard(results, 2)), ['a', 'd', 'c', 'b']);
    assert.deepEqual(guarded(guard(results, 3)), ['a', 'd', 'c']);
    assert.deepEqual(guarded(guard(results, 5)), ['a']);
  });

  it('changes neither the verdict nor the order', () => {
    const results = guard([failing('b'), result('pdb-presence', 'c'), failing('a')], 0);
    assert.deepEqual(
      results.map(({ namespace, verdict }) => [namespace, verdict]),
      [
        ['b', 'fail'],
        ['c', 'pass'],
        ['a', 'fail'],
      ],
    );
  });

  it('decides anew when it is asked again', () => {
    const results = [failing('a'), failing('b')];
    assert.deepEqual(guard(guard(results, 0), 1), guard(results, 1));
  });
});
