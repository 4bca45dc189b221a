import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { intOrPercentText, percentage, resolve } from './int-or-percent.ts';

describe('resolve', () => {
  const table = [
    ['25%', 2, 1, 0],
    ['25%', 3, 1, 0],
    ['25%', 4, 1, 1],
    ['25%', 10, 3, 2],
    ['70%', 3, 3, 2],
    ['50%', 3, 2, 1],
    ['10%', 3, 1, 0],
    ['33%', 3, 1, 0],
    ['33%', 6, 2, 1],
    ['10%', 11, 2, 1],
    ['50%', 1, 1, 0],
    ['0%', 3, 0, 0],
    ['100%', 3, 3, 3],
    ['200%', 3, 6, 6],
    ['007%', 100, 7, 7],
    ['7%', 100, 7, 7],
    ['29%', 100, 29, 29],
    ['50%', 0, 0, 0],
  ] as const;
  for (const [value, total, up, down] of table) {
    it(`makes of ${value} of ${total} ${up} upwards and ${down} downwards`, () => {
      assert.equal(resolve(value, total, 'up'), up);
      assert.equal(resolve(value, total, 'down'), down);
    });
  }

  it('leaves integers as they are', () => {
    for (const value of [0, 1, 7]) {
      assert.equal(resolve(value, 3, 'up'), value);
      assert.equal(resolve(value, 3, 'down'), value);
    }
  });

  it('rounds as exact arithmetic does', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1000 }), fc.nat({ max: 1_000_000 }), (percent, total) => {
        const product = BigInt(percent) * BigInt(total);
        assert.equal(resolve(`${percent}%`, total, 'down'), Number(product / 100n));
        assert.equal(resolve(`${percent}%`, total, 'up'), Number((product + 99n) / 100n));
      }),
    );
  });

  const malformed = ['', '%', '25', '25 %', ' 25%', '25%\n', '-5%', '+5%', '2.5%', '1e1%', '٢٥%'];
  for (const value of [...malformed, '0x10%', '25%%', 'half']) {
    it(`does not take ${JSON.stringify(value)} for a number`, () => {
      assert.equal(resolve(value, 100, 'up'), undefined);
      assert.equal(percentage(value), undefined);
    });
  }
});

describe('percentage', () => {
  it('is the number before the sign', () => {
    assert.equal(percentage('25%'), 25);
    assert.equal(percentage('0%'), 0);
  });

  it('is none for an integer', () => {
    assert.equal(percentage(25), undefined);
  });
});

describe('intOrPercentText', () => {
  it('sets a space before the sign, and leaves everything else alone', () => {
    assert.equal(intOrPercentText('25%'), '25 %');
    assert.equal(intOrPercentText(2), '2');
    assert.equal(intOrPercentText('x'), 'x');
  });
});
