import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Result } from '../core/result.ts';
import { finding, result } from '../test/sample-report.ts';
import { junitName, resultPerName } from './junit-names.ts';

describe('junitName', () => {
  it('is one clean line of at most 200 characters', () => {
    assert.equal(junitName(' pods\u001B[1m in\nns/a '), 'pods in ns/a');
    assert.equal(junitName('x'.repeat(300)).length, 200);
    assert.equal(junitName(`${'x'.repeat(199)}🚀`), 'x'.repeat(199));
    assert.equal(junitName(`${'x'.repeat(199)} y`), 'x'.repeat(199));
  });
});

describe('resultPerName', () => {
  const on = (cluster: string, changes: Partial<Result>) =>
    result('pdb-presence', 'shop', { cluster, ...changes });
  const verdictOf = (...changes: readonly Partial<Result>[]) =>
    resultPerName(changes.map((change, n) => on(`c${n}`, change))).map(({ verdict }) => verdict);

  it('leaves a single result as it is', () => {
    const one = on('a', { notes: ['quiet'] });
    assert.deepEqual(resultPerName([one]), [one]);
  });

  it('lets the worst of several clusters speak, what was judged before what was not', () => {
    assert.deepEqual(verdictOf({ verdict: 'flake' }, { verdict: 'fail' }, {}), ['fail']);
    assert.deepEqual(verdictOf({}, { verdict: 'flake' }, { verdict: 'error' }), ['flake']);
    assert.deepEqual(verdictOf({ verdict: 'error' }, {}), ['pass']);
    assert.deepEqual(verdictOf({ verdict: 'skip' }, { verdict: 'error' }), ['error']);
    assert.deepEqual(verdictOf({ verdict: 'skip' }, { verdict: 'skip' }), ['skip']);
  });

  it('takes a guarded failure for the flake that it is in JUnit', () => {
    const [merged] = resultPerName([
      on('a', { verdict: 'fail', guarded: true }),
      on('b', { verdict: 'fail' }),
    ]);
    assert.equal(merged?.guarded, undefined);
  });

  it('names the clusters in findings and notes', () => {
    const [merged] = resultPerName([
      on('a', { findings: [finding('seen')], notes: ['observed only'] }),
      on('b', { verdict: 'fail', findings: [finding('web')] }),
      on('c', { verdict: 'error', cause: 'forbidden', reason: 'pods' }),
    ]);
    assert.deepEqual(
      merged?.findings.map(({ message }) => message),
      ['keeps 1 replica (spec.replicas 1); needs 2 (cluster b)'],
    );
    assert.deepEqual(merged?.notes, [
      'cluster a: pass',
      'cluster a: observed only',
      'cluster b: fail',
      'cluster c: error forbidden pods',
    ]);
    assert.equal(merged?.examined, 12);
  });

  it('keeps what was only observed where nothing is worse', () => {
    const [merged] = resultPerName([on('a', { findings: [finding('seen')] }), on('b', {})]);
    assert.equal(merged?.findings.length, 1);
  });

  it('names the results where there is one cluster', () => {
    const [merged] = resultPerName([result('x', 'shop'), result('x', 'shop')]);
    assert.deepEqual(merged?.notes, ['x/shop: pass', 'x/shop: pass']);
  });
});
