import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { asWritten, interner } from './intern.ts';

describe('an interner', () => {
  it('gives what is written, whatever came before', () => {
    const { text } = interner();
    const written = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(written, fc.string(), (value, around) => {
        const bytes = Buffer.from(`${around}${value}${around}`);
        const start = Buffer.byteLength(around);
        const end = start + Buffer.byteLength(value);
        for (let time = 0; time < 2; time++) {
          assert.equal(text(bytes, start, end), asWritten.text(bytes, start, end));
        }
      }),
    );
  });

  it('tells strings apart whose characters are the bytes of others', () => {
    const { text } = interner();
    for (const value of ['\u00c3\u00a9', '\u00e9']) {
      assert.equal(text(Buffer.from(value), 0, Buffer.byteLength(value)), value);
    }
  });

  it('gives the time of any second', () => {
    const { time } = interner();
    for (const seconds of [1, 1_767_600_000, 1]) {
      assert.equal(Date.parse(time(seconds)), seconds * 1000);
      assert.match(time(seconds), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }
  });
});
