import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { didYouMean, nearest } from './nearest.ts';

const checks = ['pdb-presence', 'readiness-probes', 'liveness-probes', 'CM-01'];

describe('nearest', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['pdb-presense', 'pdb-presence'],
    ['PDB-PRESENCE', 'pdb-presence'],
    ['pdb-pressence', 'pdb-presence'],
    ['livness-probes', 'liveness-probes'],
    ['cm-1', 'CM-01'],
    ['something-else', undefined],
    ['', undefined],
    ['x'.repeat(1_000_000), undefined],
  ];
  for (const [word, expected] of cases) {
    it(`is ${expected ?? 'nothing'} for ${word.slice(0, 20) || 'no word'}`, () => {
      assert.equal(nearest(word, checks), expected);
    });
  }

  it('prefers the word that needs the fewest changes', () => {
    assert.equal(nearest('name', ['names', 'same', 'name']), 'name');
  });

  it('becomes the end of a message', () => {
    assert.equal(didYouMean('kin', ['kind']), ', did you mean "kind"?');
    assert.equal(didYouMean('other', ['kind']), '');
  });
});
