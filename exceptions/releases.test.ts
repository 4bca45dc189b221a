import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { includesRelease, releasesSyntax } from './releases.ts';

describe('a range of releases', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['>=4.20 <5.1', '4.20.0', true],
    ['>=4.20 <5.1', '4.20.0-rc.1', true],
    ['>=4.20 <5.1', '5.0.7', true],
    ['>=4.20 <5.1', '5.1.0', false],
    ['>=4.20 <5.1', '4.19.9', false],
    ['>=4.1', '4.10.3', true],
    ['=4.1', '4.10.3', false],
    ['4.1', '4.1.7', true],
    ['4', '4.20.1', true],
    ['<4.9', '4.10.0', false],
    ['<=4.20', '4.20.9', true],
    ['>4.20', '4.20.9', false],
    ['>4.20', '4.21.0', true],
    ['<1.36.3', 'v1.36.2', true],
    ['>=4.20', 'unknown', false],
    ['<5', 'unknown', false],
  ];
  for (const [range, release, expected] of cases) {
    it(`${range} ${expected ? 'has' : 'has not'} ${release}`, () => {
      assert.equal(includesRelease(range, release), expected);
    });
  }

  it('and its opposite never agree', () => {
    const version = fc
      .array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 3 })
      .map((numbers) => numbers.join('.'));
    const opposites = fc.constantFrom(['>=', '<'] as const, ['>', '<='] as const);
    fc.assert(
      fc.property(version, version, opposites, (bound, release, [one, other]) => {
        const agree =
          includesRelease(one + bound, release) && includesRelease(other + bound, release);
        const either =
          includesRelease(one + bound, release) || includesRelease(other + bound, release);
        assert.deepEqual({ agree, either }, { agree: false, either: true });
      }),
    );
  });

  for (const text of [
    '',
    ' ',
    '4.20 ',
    '>= 4.20',
    '~4.20',
    '4.20 || 5',
    '4.20.1.1',
    '4.x',
    '>=',
    'v4',
  ]) {
    it(`cannot be written as ${JSON.stringify(text)}`, () => assert(!releasesSyntax.test(text)));
  }
});
