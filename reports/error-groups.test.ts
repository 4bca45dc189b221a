import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Result } from '../core/result.ts';
import { result } from '../test/sample-report.ts';
import { errorGroups } from './error-groups.ts';

const error = (check: string, namespace: string, changes: Partial<Result>) =>
  result(check, namespace, { verdict: 'error', ...changes });

describe('errorGroups', () => {
  it('groups by cause and kind, the most costly first', () => {
    const groups = errorGroups([
      error('a', 'x', { cause: 'forbidden', reason: 'leases list refused' }),
      error('a', 'y', { cause: 'not collected', reason: 'pods in ns/y' }),
      error('b', 'z', { cause: 'not collected', reason: 'pods in ns/z' }),
      error('b', 'x', { cause: 'forbidden', reason: 'pods list refused' }),
      error('c', 'x', { cause: 'malformed', reason: 'topology: unknown value' }),
      result('c', 'y'),
    ]);
    assert.deepEqual(
      groups.map(({ cause, subject, reason, results }) => [cause, subject, reason, results.length]),
      [
        ['not collected', 'pods', 'pods in ns/y', 2],
        ['forbidden', 'leases', 'leases list refused', 1],
        ['forbidden', 'pods', 'pods list refused', 1],
        ['malformed', 'topology', 'topology: unknown value', 1],
      ],
    );
  });

  it('groups what threw by check', () => {
    const [group] = errorGroups([
      error('a', 'x', { cause: 'exception', reason: 'TypeError: x' }),
      error('a', 'y', { cause: 'exception', reason: 'RangeError: y' }),
    ]);
    assert.equal(group?.subject, 'a');
    assert.equal(group?.results.length, 2);
  });

  it('does without cause and reason', () => {
    const [group] = errorGroups([error('a', 'x', {})]);
    assert.deepEqual([group?.cause, group?.subject, group?.reason], ['unknown', '', '']);
  });
});
