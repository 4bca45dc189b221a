import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ObjectReference } from '../core/result.ts';
import type { Fields } from '../test/exception-examples.ts';
import { exception, finding } from '../test/exception-examples.ts';
import { matches } from './match.ts';
import { parsePattern } from './pattern.ts';

const team = parsePattern('team-<any>');
const pods = parsePattern('cart-<hash>-<hash>');

describe('an exception', () => {
  const cases: readonly (readonly [string, Fields, Partial<ObjectReference>, boolean])[] = [
    ['matches the object that it names', {}, {}, true],
    ['does not match another kind', {}, { kind: 'StatefulSet' }, false],
    ['does not match another name', {}, { name: 'cart-2' }, false],
    ['does not match another namespace', {}, { namespace: 'shop-2' }, false],
    ['matches in each of its namespaces', { namespace: ['shop', 'b'] }, { namespace: 'b' }, true],
    ['matches every container of its object', {}, { container: 'web' }, true],
    ['matches its container', { container: 'web' }, { container: 'web' }, true],
    ['does not match another container', { container: 'web' }, { container: 'api' }, false],
    ['about a container does not match its object', { container: 'web' }, {}, false],
    [
      'matches names by pattern',
      { name: undefined, namePattern: pods },
      { name: 'cart-7d9f8b6c5d-x7k2p' },
      true,
    ],
    [
      'does not match past its pattern',
      { name: undefined, namePattern: pods },
      { name: 'cart' },
      false,
    ],
    [
      'matches namespaces by pattern',
      { namespace: undefined, namespacePattern: team },
      { namespace: 'team-a' },
      true,
    ],
    [
      'does not match past its namespaces',
      { namespace: undefined, namespacePattern: team },
      {},
      false,
    ],
  ];
  for (const [what, fields, object, expected] of cases) {
    it(what, () => assert.equal(matches(exception(fields), finding(object)), expected));
  }

  it('without a namespace matches objects of the cluster only', () => {
    const node = exception({ kind: 'Node', name: 'worker-1', namespace: undefined });
    const { namespace: _, ...object } = finding({ kind: 'Node', name: 'worker-1' }).object;
    assert.equal(matches(node, { ...finding(), object }), true);
    assert.equal(matches(node, finding({ kind: 'Node', name: 'worker-1' })), false);
  });

  it('with a namespace does not match objects of the cluster', () => {
    const { namespace: _, ...object } = finding().object;
    assert.equal(matches(exception(), { ...finding(), object }), false);
    const anywhere = exception({ namespace: undefined, namespacePattern: team });
    assert.equal(matches(anywhere, { ...finding(), object }), false);
  });
});
