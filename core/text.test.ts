import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Finding } from './result.ts';
import { compare, compareFindings, count, labels, names, title } from './text.ts';

describe('compare', () => {
  it('goes by code unit, whatever the locale', () => {
    assert.deepEqual(['b', 'ä', 'a', 'B', '10', '9', ''].toSorted(compare), [
      '',
      '10',
      '9',
      'B',
      'a',
      'b',
      'ä',
    ]);
  });
});

describe('compareFindings', () => {
  const finding = (object: object, fields: object = {}): Finding => ({
    object: { apiVersion: 'v1', kind: 'Pod', name: 'a', ...object },
    message: 'm',
    command: '',
    ...fields,
  });

  it('goes by kind, namespace, name, container, path and message', () => {
    const sorted = [
      finding({ kind: 'Deployment', namespace: 'z', name: 'z' }),
      finding({}),
      finding({ namespace: 'a', name: 'z' }),
      finding({ namespace: 'b', name: 'a' }),
      finding({ namespace: 'b', name: 'b' }),
      finding({ namespace: 'b', name: 'b', container: 'x' }),
      finding({ namespace: 'b', name: 'b', container: 'x' }, { path: 'spec' }),
      finding({ namespace: 'b', name: 'b', container: 'x' }, { path: 'spec', message: 'n' }),
    ];
    const shuffled = fc.shuffledSubarray(sorted, { minLength: sorted.length });
    fc.assert(
      fc.property(shuffled, (order) => assert.deepEqual(order.toSorted(compareFindings), sorted)),
    );
  });
});

describe('names', () => {
  const table = [
    [[], ''],
    [['a'], 'a'],
    [['b', 'a'], 'a, b'],
    [['e', 'd', 'c', 'b', 'a'], 'a, b, c, d, e'],
    [['f', 'e', 'd', 'c', 'b', 'a'], 'a, b, c, d, e and 1 more'],
    [['g', 'f', 'e', 'd', 'c', 'b', 'a'], 'a, b, c, d, e and 2 more'],
  ] as const;
  for (const [all, expected] of table) {
    it(`shows ${all.length} as "${expected}"`, () => assert.equal(names(all), expected));
  }
});

describe('count', () => {
  it('has a plural for all numbers but one', () => {
    const said = [0, 1, 2].map((n) => count(n, 'replica'));
    assert.deepEqual(said, ['0 replicas', '1 replica', '2 replicas']);
  });
});

describe('title', () => {
  it('names the namespace where there is one', () => {
    assert.equal(title({ kind: 'Pod', namespace: 'shop', name: 'a' }), 'Pod shop/a');
    assert.equal(title({ kind: 'Node', name: 'a' }), 'Node a');
  });
});

describe('labels', () => {
  it('stand in order, as in YAML', () => {
    assert.equal(labels({ tier: '', app: 'web' }), '{app: web, tier: ""}');
    assert.equal(labels(undefined), '{}');
  });
});
