import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject } from '../test/objects.ts';
import { deployment, estate, node, pod } from '../test/objects.ts';
import { artifactsOf, collection } from './artifacts.ts';
import type { ErrorCause } from './errors.ts';
import type { Gap, Listing } from './snapshot.ts';

const names = (objects: readonly AnyObject[] | undefined) =>
  objects?.map(({ metadata }) => metadata.name);
const elsewhere = pod('a', { metadata: { namespace: 'other' } });

describe('collection', () => {
  const { all, in: inNamespace, get, known } = collection([pod('b'), pod('a'), elsewhere]);

  it('sorts by namespace and name, whatever order the objects came in', () => {
    assert.deepEqual(all, [elsewhere, pod('a'), pod('b')]);
    assert.deepEqual(names(collection([node('b'), node('a')]).all), ['a', 'b']);
  });

  it('finds the objects of a namespace', () => {
    assert.deepEqual(names(inNamespace('shop')), ['a', 'b']);
    assert.deepEqual(inNamespace('empty'), []);
    assert.deepEqual(inNamespace(undefined), []);
  });

  it('finds what is in no namespace', () => {
    assert.deepEqual(names(collection([node('a')]).in(undefined)), ['a']);
    assert.equal(collection([node('a')]).get(undefined, 'a')?.metadata.name, 'a');
  });

  it('finds an object by namespace and name', () => {
    assert.equal(get('other', 'a'), elsewhere);
    assert.equal(get('other', 'b'), undefined);
    assert.equal(get('empty', 'a'), undefined);
  });

  it('is known unless the input says nothing of the kind', () => {
    assert.equal(known, true);
    assert.equal(collection([], false).known, false);
  });
});

describe('artifactsOf', () => {
  const podsIn = (namespace: string | undefined, listing: Listing<'pods'>) => {
    const { snapshot } = estate([], { listings: { pods: listing } });
    return artifactsOf(snapshot)(namespace).pods;
  };
  const podsAre = (listing: Listing<'pods'>) => podsIn('shop', listing);
  const missing = (cause: ErrorCause) => ({ state: 'missing', cause, detail: 'x' }) as const;
  const withGaps = (...gaps: Gap[]): Listing<'pods'> => ({
    state: 'read',
    objects: [pod('a'), elsewhere],
    gaps,
  });

  it('has the objects of a kind that was read', () => {
    assert.deepEqual(names(podsAre(withGaps())?.all), ['a', 'a']);
  });

  it('is empty for a kind that is not served: there can be none', () => {
    const found = podsAre({ state: 'not served' });
    assert.deepEqual([found?.all, found?.known], [[], true]);
  });

  it('is empty and says so for a kind of which the input says nothing', () => {
    const found = podsAre({ state: 'unknown' });
    assert.deepEqual([found?.all, found?.known], [[], false]);
  });

  it('has nothing, not even an empty list, of a kind that is missing', () => {
    assert.equal(podsAre(missing('forbidden')), undefined);
    assert.equal(podsAre(missing('partial')), undefined);
  });

  it('has nothing of a kind that nobody gathered', () => {
    const { snapshot } = estate([]);
    const { pods: _, ...listings } = snapshot.listings;
    assert.equal(artifactsOf({ ...snapshot, listings })('shop').pods, undefined);
  });

  it('has nothing only of the namespace that is missing', () => {
    const gap = { namespace: 'shop', cause: 'forbidden', detail: 'x' } as const;
    assert.equal(podsAre(withGaps(gap)), undefined);
    assert.deepEqual(names(podsIn('other', withGaps(gap))?.in('other')), ['a']);
    assert.deepEqual(names(podsIn(undefined, withGaps(gap))?.all), ['a', 'a']);
  });

  it('has nothing anywhere when an unknown part is missing', () => {
    const gap = { cause: 'expired', detail: 'x' } as const;
    assert.equal(podsAre(withGaps(gap)), undefined);
    assert.equal(podsIn('other', withGaps(gap)), undefined);
  });

  it('has what is there of a partial kind', () => {
    const gap = { cause: 'partial', detail: 'x' } as const;
    assert.deepEqual(names(podsAre(withGaps(gap))?.in('shop')), ['a']);
  });

  it('is the same value for every check of a namespace', () => {
    const of = artifactsOf(estate([deployment('web')]).snapshot);
    assert.equal(of('shop'), of('shop'));
    assert.equal(of(undefined), of(undefined));
    assert.notEqual(of('shop'), of('other'));
  });

  it('shares its collections between namespaces', () => {
    const of = artifactsOf(estate([deployment('web')]).snapshot);
    assert.equal(of('shop').deployments, of('other').deployments);
  });
});
