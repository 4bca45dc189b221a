import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { cut, plain, width, wrap } from './width.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 60 }).map(plain);

describe('width', () => {
  it('counts what is seen', () => {
    assert.equal(width('web-1'), 5);
    assert.equal(width('naïve e\u0301…'), 8);
    assert.equal(width('容器'), 4);
    assert.equal(width('🚀 ❤️'), 5);
  });
});

describe('plain', () => {
  it('removes what has no width or turns the writing around', () => {
    assert.equal(plain('a\u200Bb\u202Ec\u00AD'), 'abc');
  });
});

describe('cut', () => {
  it('leaves what fits', () => {
    assert.equal(cut('twelve chars', 12), 'twelve chars');
  });

  it('marks what it leaves out, never in the middle of a character', () => {
    assert.equal(cut('twelve chars', 8), 'twelve…');
    assert.equal(cut('容器容器', 6), '容器…');
  });

  it('never exceeds the columns', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 3, max: 40 }), (one, columns) => {
        assert.ok(width(cut(one, columns)) <= columns);
      }),
    );
  });
});

describe('wrap', () => {
  it('breaks at spaces', () => {
    assert.deepEqual(wrap('one two three', 7), ['one two', 'three']);
  });

  it('goes on with a long word in the next line', () => {
    assert.deepEqual(wrap('see https://example.org/x now', 10), [
      'see',
      'https://ex',
      'ample.org/',
      'x now',
    ]);
  });

  it('makes one empty line of nothing', () => {
    assert.deepEqual(wrap('', 10), ['']);
  });

  it('never exceeds the columns and loses only spaces', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 40 }), (one, columns) => {
        const lines = wrap(one, columns);
        assert.ok(lines.every((line) => width(line) <= columns));
        assert.equal(lines.join('').replaceAll(' ', ''), one.replaceAll(' ', ''));
      }),
    );
  });
});
