import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { fingerprint, onlySleep } from './hidden.ts';

describe('fingerprint', () => {
  it('tells texts apart, and gives nothing of them away', () => {
    assert.notEqual(fingerprint('/ready'), fingerprint('/live'));
    assert.match(fingerprint('Bearer s3cret'), /^#[0-9a-f]{4}$/);
  });

  it('is the same of itself', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const once = fingerprint(value);
        assert.equal(fingerprint(once), once);
      }),
    );
  });
});

describe('onlySleep', () => {
  const cases = [
    [
      ['sleep', '10'],
      ['sleep', '10'],
    ],
    [
      ['/bin/sh', '-c', 'sleep 15'],
      ['/bin/sh', '-c', 'sleep 15'],
    ],
    [
      ['bash', '-ec', 'sleep 5s && curl -u a:b http://x'],
      ['bash', '-ec', 'sleep 5s; …'],
    ],
    [
      ['sh', '-c', 'sleep 5;kill 1'],
      ['sh', '-c', 'sleep 5; …'],
    ],
    [
      ['sh', '-c', 'curl -u a:b x; sleep 5'],
      ['sh', '-c', '…'],
    ],
    [
      ['sh', '-c', 'sleep 5 10'],
      ['sh', '-c', '…'],
    ],
    [
      ['/stop', '--password', 's3cret'],
      ['…', '…', '…'],
    ],
  ] as const;
  for (const [command, kept] of cases) {
    it(`keeps of ${command.join(' ')}: ${kept.join(' ')}`, () => {
      assert.deepEqual(command.map(onlySleep), kept);
      assert.deepEqual(kept.map(onlySleep), kept);
    });
  }
});
