import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  describe as described,
  errorCauses,
  errorCodes,
  KnownError,
  MalformedError,
  MissingError,
} from './errors.ts';

describe('the table of errors', () => {
  it('has six codes', () => assert.equal(errorCodes.length, 6));

  for (const code of errorCodes) {
    it(`ends the command with status 2 for ${code}`, () => {
      const cause = new Error('why');
      const error = new KnownError(code, 'what', { cause });
      assert.deepEqual(
        [error.name, error.code, error.exitStatus, error.message, error.cause],
        ['KnownError', code, 2, 'what', cause],
      );
    });
  }

  it('has the causes of section 2.4 of the specification', () => {
    assert.deepEqual(errorCauses, [
      'forbidden',
      'timeout',
      'throttled',
      'expired',
      'not collected',
      'partial',
      'malformed',
      'unavailable',
      'exception',
    ]);
  });
});

describe('MissingError', () => {
  it('says what kind of failure it was, and keeps its cause', () => {
    const cause = new Error('socket hang up');
    const error = new MissingError('unavailable', 'pods: connection lost', { cause });
    assert.deepEqual(
      [error.name, error.missing, error.message, error.cause],
      ['MissingError', 'unavailable', 'pods: connection lost', cause],
    );
  });
});

describe('MalformedError', () => {
  it('names the place, what was expected and what was found', () => {
    const error = new MalformedError('spec.replicas', 'an integer', '3');
    assert.equal(error.name, 'MalformedError');
    assert.equal(error.message, 'spec.replicas: expected an integer, found "3"');
  });
});

describe('describe', () => {
  const table = [
    ['x', '"x"'],
    ['', '""'],
    ['a"b\n', String.raw`"a\"b\n"`],
    ['x'.repeat(40), `"${'x'.repeat(40)}"`],
    [`${'x'.repeat(40)}secret`, `"${'x'.repeat(40)}…"`],
    [7, '7'],
    [true, 'true'],
    [undefined, 'nothing'],
    [null, 'null'],
    [{ password: 'secret' }, 'a map'],
    [['secret'], 'a list'],
  ] as const;
  for (const [value, expected] of table) {
    it(`calls ${JSON.stringify(value)} ${expected}`, () => {
      assert.equal(described(value), expected);
    });
  }
});
