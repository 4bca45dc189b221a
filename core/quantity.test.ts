import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { amountOf, lesser } from './quantity.ts';

describe('amountOf', () => {
  const table: readonly (readonly [string, number])[] = [
    ['0', 0],
    ['0.5', 0.5],
    ['10m', 0.01],
    ['5u', 5e-6],
    ['7n', 7e-9],
    ['1k', 1000],
    ['1M', 1e6],
    ['1Ki', 1024],
    ['50Mi', 52428800],
    ['2Gi', 2147483648],
    ['1e3', 1000],
    ['1E3', 1000],
    ['1E', 1e18],
    ['-1', -1],
  ];
  for (const [text, amount] of table) {
    it(`of ${text} is ${amount}`, () => {
      assert.ok(Math.abs(amountOf(text) - amount) <= Math.abs(amount) * 1e-12);
    });
  }

  it('of anything else is none', () => {
    for (const text of ['', 'Mi', '1Xi', 'lots', '1 Gi']) assert.ok(Number.isNaN(amountOf(text)));
  });
});

describe('lesser', () => {
  it('is the smaller amount, whatever its unit', () => {
    assert.equal(lesser('50Mi', '20M'), '20M');
    assert.equal(lesser('10m', '1'), '10m');
    assert.equal(lesser('10m', '0.01'), '10m');
    assert.equal(lesser('10m', undefined), '10m');
  });
});
