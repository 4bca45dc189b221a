import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { once } from './memo.ts';

describe('once', () => {
  function counting() {
    let calls = 0;
    const remembered = once((...args: readonly ({ n: number } | undefined)[]) => {
      calls += 1;
      return args.map((arg) => arg?.n);
    });
    return { remembered, calls: () => calls };
  }
  const [a, b] = [{ n: 1 }, { n: 2 }];

  it('computes once for the same objects', () => {
    const { remembered, calls } = counting();
    assert.equal(remembered(a, b), remembered(a, b));
    assert.equal(calls(), 1);
  });

  it('computes anew for others, and for equal ones', () => {
    const { remembered, calls } = counting();
    assert.deepEqual(
      [remembered(a, b), remembered(b, a)],
      [
        [1, 2],
        [2, 1],
      ],
    );
    remembered({ ...a }, b);
    assert.equal(calls(), 3);
  });

  it('tells absent arguments from present ones', () => {
    const { remembered, calls } = counting();
    assert.deepEqual(remembered(a, undefined), [1, undefined]);
    assert.deepEqual(remembered(undefined, a), [undefined, 1]);
    remembered(a, undefined);
    assert.equal(calls(), 2);
  });

  it('tells fewer arguments from more', () => {
    const { remembered } = counting();
    assert.deepEqual([remembered(a), remembered(a, b), remembered()], [[1], [1, 2], []]);
  });

  it('remembers that nothing came out', () => {
    let calls = 0;
    const nothing = once((_: object): undefined => {
      calls += 1;
    });
    nothing(a);
    nothing(a);
    assert.equal(calls, 1);
  });

  it('remembers no failure', () => {
    let calls = 0;
    const failing = once((_: object) => {
      calls += 1;
      if (calls === 1) throw new Error('no');
      return calls;
    });
    assert.throws(() => failing(a), /no/);
    assert.equal(failing(a), 2);
  });
});
