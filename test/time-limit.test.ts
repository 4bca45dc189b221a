import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { within } from '../suites/time-limit.ts';

describe('a time limit', () => {
  it('ends a regular expression that backtracks', () => {
    const search = () => /^(a+)+$/.test(`${'a'.repeat(60)}!`);
    assert.throws(
      () => within(50, 'the search', search),
      /^Error: the search takes more than 0.05 s$/,
    );
  });

  it('leaves results and errors as they are', () => {
    assert.equal(
      within(1000, 'adding', () => 1 + 1),
      2,
    );
    const wrong = new TypeError('wrong');
    const work = () => {
      throw wrong;
    };
    assert.throws(
      () => within(1000, 'work', work),
      (error) => error === wrong,
    );
  });
});
