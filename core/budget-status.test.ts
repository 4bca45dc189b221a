import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { budget } from '../test/objects.ts';
import { isBehind, syncFailure } from './budget-status.ts';

describe('isBehind', () => {
  const table = [
    [2, 1, true],
    [1, 1, false],
    [1, 2, false],
    [1, undefined, true],
    [undefined, undefined, false],
  ] as const;
  for (const [generation, observedGeneration, expected] of table) {
    it(`is ${expected} of generation ${generation} with a status of ${observedGeneration}`, () => {
      const status = { observedGeneration };
      assert.equal(isBehind(budget('web', { metadata: { generation }, status })), expected);
    });
  }

  it('is true where there is no status yet', () => {
    assert.equal(isBehind(budget('web', { metadata: { generation: 1 } })), true);
  });
});

describe('syncFailure', () => {
  const failure = { type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed' };
  const found = (...conditions: object[]) => syncFailure(budget('web', { status: { conditions } }));

  it('is the condition that says so', () => {
    const other = { type: 'Other', status: 'True' };
    const said = { ...failure, message: 'found no controller' };
    assert.deepEqual(found(other, said), said);
  });

  for (const field of ['type', 'status', 'reason']) {
    it(`is none with another ${field}`, () => {
      assert.equal(found({ ...failure, [field]: 'Other' }), undefined);
    });
  }

  it('is none without conditions, and without a status', () => {
    assert.equal(found(), undefined);
    assert.equal(syncFailure(budget('web')), undefined);
  });
});
