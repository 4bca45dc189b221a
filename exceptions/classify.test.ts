import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Outcome } from '../core/evaluate.ts';
import type { Finding, Stage, Verdict } from '../core/result.ts';
import { stages } from '../core/result.ts';
import type { Fields } from '../test/exception-examples.ts';
import { circumstances, exception, finding } from '../test/exception-examples.ts';
import type { Case } from './classify.ts';
import { classify } from './classify.ts';
import { parsePattern } from './pattern.ts';

const judged = (...findings: readonly Finding[]): Outcome => ({
  kind: 'judged',
  examined: 3,
  findings,
  notes: ['a note'],
});
const inStage = (stage: Stage): Case => ({
  ...circumstances,
  check: 'pdb-presence',
  stage,
  inconclusiveStage: stage,
  isConclusive: () => true,
});

describe('classify', () => {
  it('leaves a skip as it is', () => {
    const outcome: Outcome = { kind: 'skip', reason: 'one zone', notes: ['n'] };
    assert.deepEqual(classify(outcome, [exception()], inStage('enforce')), {
      verdict: 'skip',
      reason: 'one zone',
      examined: 0,
      notes: ['n'],
      findings: [],
    });
  });

  it('leaves an error as it is', () => {
    const outcome: Outcome = { kind: 'error', cause: 'forbidden', reason: 'pods: 403' };
    assert.deepEqual(classify(outcome, [exception()], inStage('enforce')), {
      verdict: 'error',
      cause: 'forbidden',
      reason: 'pods: 403',
      examined: 0,
      notes: [],
      findings: [],
    });
  });

  const other = finding({ name: 'other' });
  const table: readonly (readonly [
    string,
    readonly Finding[],
    readonly [Verdict, Verdict, Verdict],
  ])[] = [
    ['no findings', [], ['pass', 'pass', 'pass']],
    ['covered findings only', [finding()], ['pass', 'flake', 'flake']],
    ['an uncovered finding', [other], ['pass', 'flake', 'fail']],
    ['covered and uncovered findings', [finding(), other], ['pass', 'flake', 'fail']],
  ];
  for (const [what, findings, expected] of table) {
    for (const [index, stage] of stages.entries()) {
      it(`gives ${expected[index]} for ${what} in stage ${stage}`, () => {
        const { verdict, examined, notes } = classify(
          judged(...findings),
          [exception()],
          inStage(stage),
        );
        const rest = { examined: 3, notes: ['a note'] };
        assert.deepEqual({ verdict, examined, notes }, { verdict: expected[index], ...rest });
      });
    }
  }

  it('keeps every finding, each with the exception that covers it', () => {
    const { findings } = classify(judged(finding(), other), [exception()], inStage('enforce'));
    assert.deepEqual(findings, [
      {
        ...finding(),
        conclusive: true,
        exception: {
          at: 'a.yaml:1',
          check: 'pdb-presence',
          state: 'pending',
          reason: 'a second replica is planned',
          jira: 'SHOP-1',
          expires: '2026-12-31',
        },
      },
      { ...other, conclusive: true },
    ]);
  });

  it('names the convention of a permanent exception', () => {
    const permanent = exception({
      state: 'permanent',
      jira: undefined,
      expires: undefined,
      source: 'https://example.com/convention',
    });
    const [only] = classify(judged(finding()), [permanent], inStage('enforce')).findings;
    assert.deepEqual(only?.exception, {
      at: 'a.yaml:1',
      check: 'pdb-presence',
      state: 'permanent',
      reason: 'a second replica is planned',
      source: 'https://example.com/convention',
    });
  });

  describe('of findings that could not be confirmed', () => {
    const doubtful: Case = {
      ...inStage('enforce'),
      inconclusiveStage: 'flake',
      isConclusive: ({ transient }) => !transient,
    };
    const passing: Finding = { ...finding({ name: 'web-1' }), transient: true };

    it('makes a flake where a confirmed one would fail', () => {
      const { verdict, findings } = classify(judged(passing), [], doubtful);
      assert.equal(verdict, 'flake');
      assert.equal(findings[0]?.conclusive, false);
    });

    it('fails for a confirmed one beside them', () => {
      assert.equal(classify(judged(passing, finding()), [], doubtful).verdict, 'fail');
    });

    it('keeps the mark of a transient finding to itself', () => {
      const [only] = classify(judged(passing), [], doubtful).findings;
      assert.ok(only && !('transient' in only));
    });
  });

  const useless: readonly (readonly [string, Fields])[] = [
    ['of another check', { check: 'pdb-allows-disruption' }],
    ['that has expired', { expires: '2026-11-20' }],
    ['whose release has come', { expires: undefined, targetRelease: '4.20' }],
    ['for other releases', { releases: '<4.20' }],
    ['for other topologies', { topologies: ['SingleReplica'] }],
    ['for other platforms', { platforms: ['GCP'] }],
    ['for another object', { name: 'other' }],
  ];
  for (const [what, fields] of useless) {
    it(`covers nothing by an exception ${what}`, () => {
      const result = classify(judged(finding()), [exception(fields)], inStage('enforce'));
      assert.equal(result.verdict, 'fail');
      assert.equal(result.findings[0]?.exception, undefined);
    });
  }

  const container = finding({ container: 'web' });
  const byPattern = { name: undefined, namePattern: parsePattern('c<node>') };
  const everywhere = { namespace: undefined, namespacePattern: parsePattern('s<any>') };
  const candidates = [
    exception({ at: 'a.yaml:7', container: 'web' }),
    exception({ at: 'a.yaml:6' }),
    exception({ at: 'a.yaml:5', ...everywhere, container: 'web' }),
    exception({ at: 'a.yaml:4', ...everywhere }),
    exception({ at: 'a.yaml:3', ...byPattern }),
    exception({ at: 'a.yaml:2', ...byPattern, ...everywhere }),
  ];

  it('lets the most exact exception cover', () => {
    for (const [index, expected] of candidates.entries()) {
      const rest = candidates.slice(index).toReversed();
      const [only] = classify(judged(container), rest, inStage('enforce')).findings;
      assert.equal(only?.exception?.at, expected.at);
    }
  });

  it('lets the first of equally exact exceptions cover', () => {
    const later = exception({ at: 'a.yaml:10' });
    const earlier = exception({ at: 'a.yaml:9', expires: '2027-01-01' });
    const sameLine = exception({ at: 'a.yaml:9', expires: '2027-01-02' });
    const all = [later, sameLine, earlier, exception({ at: 'b.yaml:1' })];
    for (const order of [all, all.toReversed()]) {
      const [only] = classify(judged(finding()), order, inStage('enforce')).findings;
      assert.deepEqual([only?.exception?.at, only?.exception?.expires], ['a.yaml:9', '2027-01-01']);
    }
  });

  it('does not depend on the order of the exceptions', () => {
    const entry = fc
      .record({
        line: fc.integer({ min: 1, max: 12 }),
        name: fc.constantFrom('cart', 'other', undefined),
        everywhere: fc.boolean(),
        container: fc.constantFrom('web', undefined),
        expires: fc.constantFrom('2026-11-20', '2026-11-21', '2027-01-01'),
        platform: fc.constantFrom('AWS', 'GCP', undefined),
      })
      .map(({ line, name, everywhere: wide, platform, ...fields }) =>
        exception({
          at: `a.yaml:${line}`,
          ...(name === undefined ? byPattern : { name }),
          ...(wide && everywhere),
          ...fields,
          platforms: platform && [platform],
        }),
      );
    const lists = fc
      .array(entry, { maxLength: 8 })
      .chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
      );
    fc.assert(
      fc.property(lists, ([list, shuffled]) => {
        const outcome = judged(finding(), container, other);
        assert.deepEqual(
          classify(outcome, shuffled, inStage('enforce')),
          classify(outcome, list, inStage('enforce')),
        );
      }),
    );
  });
});
