import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { estate, pod } from '../test/objects.ts';
import type { Gap, Listing } from './snapshot.ts';
import { listing, missing, objectsOf } from './snapshot.ts';

const forbidden = { state: 'missing', cause: 'forbidden', detail: 'list answered 403' } as const;
const podsAre = (pods: Listing<'pods'>) => estate([], { listings: { pods } }).snapshot;
const withGaps = (...gaps: Gap[]) => podsAre({ state: 'read', objects: [pod('a')], gaps });

describe('listing', () => {
  it('is what was gathered of a kind', () => {
    assert.equal(listing(podsAre(forbidden), 'pods'), forbidden);
  });

  it('is missing for a kind that nobody gathered', () => {
    assert.deepEqual(listing({ ...podsAre(forbidden), listings: {} }, 'pods'), {
      state: 'missing',
      cause: 'not collected',
      detail: 'was not gathered',
    });
  });
});

describe('objectsOf', () => {
  it('are the objects that could be read, whatever is missing beside them', () => {
    const gap = { namespace: 'shop', cause: 'forbidden', detail: 'x' } as const;
    assert.deepEqual(objectsOf(withGaps(gap), 'pods'), [pod('a')]);
  });

  it('are none in every other case', () => {
    const others = [forbidden, { state: 'not served' }, { state: 'unknown' }] as const;
    for (const other of others) assert.deepEqual(objectsOf(podsAre(other), 'pods'), []);
  });
});

describe('missing', () => {
  it('says why a kind is missing, everywhere', () => {
    assert.equal(missing(podsAre(forbidden), 'pods', 'shop'), forbidden);
    assert.equal(missing(podsAre(forbidden), 'pods'), forbidden);
  });

  it('is undefined for what was read, is not served or is not known', () => {
    for (const state of ['not served', 'unknown'] as const) {
      assert.equal(missing(podsAre({ state }), 'pods', 'shop'), undefined);
    }
    assert.equal(missing(withGaps(), 'pods', 'shop'), undefined);
  });

  it('says why a namespace is missing, and that only', () => {
    const gap = { namespace: 'shop', cause: 'forbidden', detail: 'x' } as const;
    assert.equal(missing(withGaps(gap), 'pods', 'shop'), gap);
    assert.equal(missing(withGaps(gap), 'pods', 'other'), undefined);
    assert.equal(missing(withGaps(gap), 'pods'), undefined);
  });

  it('says why an unknown part is missing, everywhere', () => {
    const gap = { cause: 'partial', detail: 'x' } as const;
    assert.equal(missing(withGaps(gap), 'pods', 'shop'), gap);
    assert.equal(missing(withGaps(gap), 'pods'), gap);
  });
});
