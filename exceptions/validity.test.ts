import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Fields } from '../test/exception-examples.ts';
import { circumstances, exception } from '../test/exception-examples.ts';
import { appliesTo, endOf } from './validity.ts';

const at = (now: string, release = '4.20.3') => ({ now: new Date(now), release });

describe('endOf', () => {
  it('lets an exception hold to the end of its last day in UTC', () => {
    const dated = exception({ expires: '2026-11-21' });
    assert.equal(endOf(dated, at('2026-11-21T23:59:59.999Z')), undefined);
    assert.equal(endOf(dated, at('2026-11-22T00:00:00Z')), 'expired on 2026-11-21');
  });

  const releases: readonly (readonly [string, boolean])[] = [
    ['4.20.3', false],
    ['5.0.9', false],
    ['5.1.0-rc.1', true],
    ['5.1.0', true],
    ['5.10.0', true],
    ['unknown', false],
  ];
  for (const [release, ended] of releases) {
    it(`${ended ? 'ends' : 'does not end'} the wait for 5.1 with release ${release}`, () => {
      const waiting = exception({ expires: undefined, targetRelease: '5.1' });
      const end = endOf(waiting, at('2026-11-21T00:00:00Z', release));
      assert.equal(end, ended ? `ended with release 5.1 (this is ${release})` : undefined);
    });
  }

  it('never comes for an exception without one', () => {
    const forever = exception({ state: 'permanent', expires: undefined });
    assert.equal(endOf(forever, at('2999-01-01T00:00:00Z')), undefined);
  });
});

describe('appliesTo', () => {
  const cases: readonly (readonly [string, Fields, boolean])[] = [
    ['everywhere without a limit', {}, true],
    ['to its releases', { releases: '>=4.20 <5.1' }, true],
    ['not to other releases', { releases: '<4.20' }, false],
    ['to its topologies', { topologies: ['External', 'HighlyAvailable'] }, true],
    ['not to other topologies', { topologies: ['SingleReplica'] }, false],
    ['to its platforms, however they are spelled', { platforms: ['GCP', 'aws'] }, true],
    ['not to other platforms', { platforms: ['AWS-2'] }, false],
  ];
  for (const [where, fields, expected] of cases) {
    it(`lets an exception hold ${where}`, () => {
      assert.equal(appliesTo(exception(fields), circumstances), expected);
    });
  }

  it('takes what is not known for what does not apply', () => {
    const unknown = {
      ...circumstances,
      release: 'unknown',
      platform: 'unknown',
      controlPlaneTopology: undefined,
    };
    assert.equal(appliesTo(exception(), unknown), true);
    assert.equal(appliesTo(exception({ releases: '>=1' }), unknown), false);
    assert.equal(appliesTo(exception({ topologies: ['HighlyAvailable'] }), unknown), false);
    assert.equal(appliesTo(exception({ platforms: ['AWS'] }), unknown), false);
  });
});
