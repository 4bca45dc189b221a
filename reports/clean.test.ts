import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { clean, oneLine } from './clean.ts';

describe('clean', () => {
  it('removes escape sequences and control characters', () => {
    assert.equal(clean('\u001B[31mred\u001B[0m \u0000\u0007\uFFFE\u009B1mbold'), 'red bold');
  });

  it('leaves no escape sequence that only the removal has made', () => {
    assert.equal(clean('\u009B\u000131m'), '31m');
  });

  it('keeps lines, whatever ends them, and tabs', () => {
    assert.equal(clean('a\r\nb\rc\n\td'), 'a\nb\nc\n\td');
  });

  it('keeps emoji and replaces half of one', () => {
    assert.equal(clean('🚀 \uD83D'), '🚀 \uFFFD');
  });
});

describe('oneLine', () => {
  it('joins lines', () => {
    assert.equal(oneLine(' a\n\n\tb '), 'a b');
  });
});
