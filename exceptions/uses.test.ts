import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ExceptionUses, Finding, Verdict } from '../core/result.ts';
import type { Fields } from '../test/exception-examples.ts';
import { circumstances, exception, finding } from '../test/exception-examples.ts';
import { classify } from './classify.ts';
import type { Exception } from './exception.ts';
import { parsePattern } from './pattern.ts';
import type { UseOptions, UsingResult } from './uses.ts';
import { usesOf } from './uses.ts';

const options: UseOptions = { ...circumstances, expiringWithinDays: 14, isSelected: () => true };
const pattern = { namespace: undefined, namespacePattern: parsePattern('shop<any>') };

/** The result of the check in namespace shop, as a run gives it. */
function resultOf(exceptions: readonly Exception[], ...findings: readonly Finding[]): UsingResult {
  const check = 'pdb-presence';
  const outcome = { kind: 'judged', examined: 9, notes: [], findings } as const;
  const classified = classify(outcome, exceptions, {
    ...circumstances,
    check,
    stage: 'enforce',
    inconclusiveStage: 'enforce',
    isConclusive: () => true,
  });
  return { ...classified, check, namespace: 'shop' };
}

const lists = ['used', 'unused', 'expired', 'expiring', 'shadowed', 'broader'] as const;

/** What stands in the lists, as `list at matched note`. */
function told(uses: ExceptionUses): readonly string[] {
  return lists.flatMap((list) =>
    uses[list].map(({ at, matched, note }) =>
      [list, at, matched, note].filter((x) => x !== undefined).join(' '),
    ),
  );
}

function toldOf(fields: Fields, findings: readonly Finding[], changes: Partial<UseOptions> = {}) {
  const exceptions = [exception(fields)];
  return told(usesOf(exceptions, [resultOf(exceptions, ...findings)], { ...options, ...changes }));
}

describe('usesOf', () => {
  it('says nothing of no exceptions', () => {
    assert.deepEqual(told(usesOf([], [], options)), []);
  });

  it('lists what covers a finding as used, with its reference', () => {
    const exceptions = [exception()];
    const { used } = usesOf(exceptions, [resultOf(exceptions, finding())], options);
    assert.deepEqual(used, [
      {
        at: 'a.yaml:1',
        check: 'pdb-presence',
        state: 'pending',
        reason: 'a second replica is planned',
        jira: 'SHOP-1',
        expires: '2026-12-31',
        matched: 1,
      },
    ]);
  });

  it('counts objects, not findings', () => {
    const findings = [
      finding({ container: 'web' }),
      finding({ container: 'api' }),
      { ...finding({ container: 'api' }), path: 'spec' },
    ];
    assert.deepEqual(toldOf({}, findings), ['used a.yaml:1 2']);
  });

  it('lists what matches nothing as unused', () => {
    const expected = ['unused a.yaml:1 0 nothing matched: the object is gone or complies'];
    assert.deepEqual(toldOf({}, []), expected);
    assert.deepEqual(toldOf({ name: 'other' }, [finding()]), expected);
    assert.deepEqual(toldOf({ kind: 'StatefulSet' }, [finding()]), expected);
  });

  it('lists what has ended as expired only, and what it would cover', () => {
    const dated = { expires: '2026-11-20' };
    assert.deepEqual(toldOf(dated, [finding()]), [
      'expired a.yaml:1 1 expired on 2026-11-20, would cover 1 object',
    ]);
    assert.deepEqual(toldOf(dated, []), ['expired a.yaml:1 0 expired on 2026-11-20']);
    assert.deepEqual(toldOf({ expires: undefined, targetRelease: '4.20' }, []), [
      'expired a.yaml:1 0 ended with release 4.20 (this is 4.20.3)',
    ]);
  });

  it('lists what ends soon as expiring', () => {
    const soon = (expires: string) => toldOf({ expires }, [finding()]).slice(1);
    assert.deepEqual(soon('2026-11-21'), ['expiring a.yaml:1 1 expires today']);
    assert.deepEqual(soon('2026-11-22'), ['expiring a.yaml:1 1 expires in 1 day']);
    assert.deepEqual(soon('2026-12-05'), ['expiring a.yaml:1 1 expires in 14 days']);
    assert.deepEqual(soon('2026-12-06'), []);
  });

  it('lists what others cover as shadowed', () => {
    const broad = exception({
      at: 'b.yaml:1',
      ...pattern,
      namespacePattern: parsePattern('s<any>'),
    });
    const exceptions = [broad, exception()];
    assert.deepEqual(told(usesOf(exceptions, [resultOf(exceptions, finding())], options)), [
      'used a.yaml:1 1',
      'shadowed b.yaml:1 1 covered by a.yaml:1',
    ]);
  });

  it('lists what matches more than when it was written as broader', () => {
    const findings = [finding({ container: 'web' }), finding({ container: 'api' })];
    assert.deepEqual(toldOf({ matched: 1 }, findings), [
      'used a.yaml:1 2',
      'broader a.yaml:1 2 matched 1 object when it was written',
    ]);
    assert.deepEqual(toldOf({ matched: 2 }, findings), ['used a.yaml:1 2']);
    assert.deepEqual(toldOf({ matched: 1, expires: '2026-11-20' }, findings).length, 1);
  });

  it('does not call covering what results know nothing of', () => {
    assert.deepEqual(told(usesOf([exception()], [resultOf([], finding())], options)), []);
  });

  it('does not judge what is for other clusters', () => {
    const elsewhere = [
      { releases: '<4' },
      { topologies: ['External' as const] },
      { platforms: ['GCP'] },
    ];
    for (const fields of elsewhere) {
      assert.deepEqual(toldOf(fields, [finding()]), []);
      assert.deepEqual(toldOf(fields, []), []);
    }
  });

  it('does not depend on the order of the exceptions, and lists them by place', () => {
    const exceptions = [10, 9, 1].map((line) =>
      exception({ at: `a.yaml:${line}`, name: `n${line}` }),
    );
    const results = [resultOf(exceptions)];
    const { unused } = usesOf(exceptions, results, options);
    assert.deepEqual(
      unused.map(({ at }) => at),
      ['a.yaml:1', 'a.yaml:9', 'a.yaml:10'],
    );
    assert.deepEqual(usesOf(exceptions.toReversed(), results, options).unused, unused);
  });

  describe('calls unused only what the run put to the test:', () => {
    const result = (
      namespace: string | undefined,
      verdict: Verdict,
      reason?: string,
    ): UsingResult => ({
      check: 'pdb-presence',
      verdict,
      findings: [],
      ...(namespace !== undefined && { namespace }),
      ...(reason !== undefined && { reason }),
    });
    const passes = (namespace?: string) => result(namespace, 'pass');
    const isOther = (namespace: string) => namespace !== 'shop' && namespace !== 'shopx';
    const node: Fields = { kind: 'Node', name: 'worker-1', namespace: undefined };
    const cases: readonly (readonly [
      string,
      Fields,
      readonly UsingResult[],
      boolean,
      Partial<UseOptions>?,
    ])[] = [
      ['not without the check', {}, [], false],
      ['not with another check', {}, [{ ...passes('shop'), check: 'x' }], false],
      ['where the namespace passes', {}, [passes('shop')], true],
      ['where there is nothing to judge', {}, [result('shop', 'skip', 'nothing to judge')], true],
      ['where the namespace is absent', {}, [result('shop', 'skip', 'namespace absent')], true],
      [
        'not where the check does not apply',
        {},
        [result('shop', 'skip', 'topology: SingleReplica')],
        false,
      ],
      [
        'not where data is missing',
        {},
        [result('shop', 'error', 'pods forbidden'), passes('b')],
        false,
      ],
      ['where the namespace is gone', {}, [passes('b')], true],
      [
        'not where the run left the namespace out',
        {},
        [passes('b')],
        false,
        { isSelected: isOther },
      ],
      [
        'in all of its namespaces',
        { namespace: ['shop', 'b'] },
        [passes('shop'), passes('b')],
        true,
      ],
      [
        'not in some of them',
        { namespace: ['shop', 'b'] },
        [passes('shop'), result('b', 'error')],
        false,
      ],
      ['by pattern', pattern, [passes('shop-a'), passes(), result('b', 'error')], true],
      [
        'by pattern, not where data is missing',
        pattern,
        [passes('b'), result('shop-a', 'error')],
        false,
      ],
      [
        'by pattern, not in a narrower run',
        pattern,
        [passes('shop-a')],
        false,
        { isSelected: isOther },
      ],
      ['in the cluster', node, [passes()], true],
      ['not in the cluster by a namespace', node, [passes('shop')], false],
    ];
    for (const [what, fields, results, expected, changes] of cases) {
      it(what, () => {
        const { unused } = usesOf([exception(fields)], results, { ...options, ...changes });
        assert.equal(unused.length, expected ? 1 : 0);
      });
    }
  });
});
