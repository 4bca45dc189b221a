import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { compareVersions, olderThan, parseVersion } from './version.ts';

describe('parseVersion', () => {
  const table = [
    ['v1.36.3', [1, 36, 3]],
    ['4.16.0-rc.1', [4, 16, 0]],
    ['1.27+', [1, 27]],
    ['v1.27.3-gke.100', [1, 27, 3]],
    ['v1.30.0+k3s1', [1, 30, 0]],
    ['4', [4]],
    ['1.', [1]],
    ['', undefined],
    ['v', undefined],
    ['unknown', undefined],
    [' 1.2', undefined],
    ['version 4.16', undefined],
  ] as const;
  for (const [version, expected] of table) {
    it(`reads ${JSON.stringify(version)} as ${expected}`, () => {
      assert.deepEqual(parseVersion(version), expected);
    });
  }
});

describe('compareVersions', () => {
  const table = [
    ['4.10', '4.9', 1],
    ['4.9', '4.10', -1],
    ['v1.9.0', '1.27', -1],
    ['4.16.3', '4.16', 0],
    ['4.16', '4.16.3', 0],
    ['5', '4.16', 1],
    ['4.16.0-rc.1', '4.16.0', 0],
    ['v1.36.3', '1.36.3', 0],
    ['unknown', '4.16', undefined],
    ['4.16', '', undefined],
  ] as const;
  for (const [a, b, expected] of table) {
    it(`of ${a} and ${b || 'nothing'} is ${expected}`, () => {
      assert.equal(compareVersions(a, b), expected);
    });
  }

  it('turns its sign when the versions change places', () => {
    const version = fc
      .array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('.'));
    fc.assert(
      fc.property(version, version, (a, b) => {
        const [there, back] = [compareVersions(a, b), compareVersions(b, a)];
        assert.equal((there ?? Number.NaN) + (back ?? Number.NaN), 0);
      }),
    );
  });
});

describe('olderThan', () => {
  it('is true of older versions only', () => {
    assert.equal(olderThan('v1.26.15', '1.27'), true);
    assert.equal(olderThan('v1.27.0', '1.27'), false);
    assert.equal(olderThan('v1.28.0', '1.27'), false);
  });

  it('is false of what is no version: nothing is known then', () => {
    assert.equal(olderThan('unknown', '1.27'), false);
  });
});
