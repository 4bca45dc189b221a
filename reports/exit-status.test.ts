import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { errorCauses } from '../core/errors.ts';
import { report, result } from '../test/sample-report.ts';
import { exitStatus } from './exit-status.ts';

const passing = result('pdb-presence', 'a');
const failing = result('pdb-presence', 'b', { verdict: 'fail' });
const recording = { input: { kind: 'must-gather', name: 'x.tar' } } as const;
const error = (cause: (typeof errorCauses)[number]) =>
  result('pdb-presence', 'c', { verdict: 'error', cause });

describe('exitStatus', () => {
  it('is 0 when nothing fails', () => {
    const flake = result('pdb-presence', 'd', { verdict: 'flake' });
    assert.equal(exitStatus(report([passing, flake])), 0);
  });

  it('is 1 when a result fails, guarded or not', () => {
    assert.equal(exitStatus(report([passing, failing])), 1);
    assert.equal(exitStatus(report([{ ...failing, guarded: true }])), 1);
  });

  it('is 2 when the run was cut short, whatever else', () => {
    assert.equal(exitStatus(report([failing], { complete: false })), 2);
  });

  it('is that of what was found when only the recording was cut short', () => {
    const damaged = { ...recording, complete: false };
    assert.equal(exitStatus(report([passing, error('partial')], damaged)), 0);
    assert.equal(exitStatus(report([failing, error('partial')], damaged)), 1);
    assert.equal(exitStatus(report([passing], { ...damaged, interrupted: true })), 2);
  });

  it('is 2 for any error of a live run', () => {
    for (const cause of errorCauses) assert.equal(exitStatus(report([failing, error(cause)])), 2);
  });

  it('forgives a recording what it does not hold, and only that', () => {
    const forgiven = errorCauses.filter(
      (cause) => exitStatus(report([error(cause)], recording)) === 0,
    );
    assert.deepEqual(forgiven, ['not collected', 'partial']);
    assert.equal(exitStatus(report([error('partial'), failing], recording)), 1);
    assert.equal(
      exitStatus(report([result('pdb-presence', 'c', { verdict: 'error' })], recording)),
      2,
    );
  });
});
