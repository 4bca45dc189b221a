import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { durationOf } from './duration.ts';

describe('durationOf', () => {
  const durations: readonly (readonly [string, number])[] = [
    ['90s', 90_000],
    ['10m', 600_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['250ms', 250],
    ['1m0.5s', 60_500],
    ['0', 0],
    ['0s', 0],
    ['576h', 2_073_600_000],
  ];
  for (const [text, expected] of durations) {
    it(`reads ${text} as ${expected} ms`, () => assert.equal(durationOf(text), expected));
  }

  for (const text of [
    '',
    '10',
    's',
    '1d',
    '-1s',
    '1 h',
    '1h ',
    '.5s',
    '1e3s',
    '577h',
    '999999999h',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(durationOf(text), undefined));
  }

  it('is quick also with a long text', () => {
    assert.equal(durationOf(`${'1m'.repeat(500_000)}x`), undefined);
  });
});
