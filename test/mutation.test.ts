import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { checks } from '../checks/index.ts';
import type { Mutant } from '../scripts/mutants.ts';
import { mutantsOf, operators } from '../scripts/mutants.ts';
import { equivalents, isEquivalent, killerOf, subjectOf } from './mutated.ts';

const replacements = (source: string) =>
  mutantsOf(source).map(({ operator, original, replacement }) => [operator, original, replacement]);

describe('mutants', () => {
  it('are mistakes in the rule, not in what the check says of itself', () => {
    const source = `defineCheck({ title: 'a' + 1, run(a) { return a.b >= 2; } });`;
    assert.deepEqual(replacements(source), [
      ['relational', ' >= ', ' > '],
      ['literal', '2', '3'],
    ]);
  });

  const examples = {
    'a.filter((b) => b)': ['guard', 'a.filter((b) => b)', 'a'],
    'if (a) b();': ['guard', 'a', 'false'],
    'Math.ceil(a)': ['arithmetic', 'ceil', 'floor'],
    'a * b': ['arithmetic', ' * ', ' / '],
    'a.some(b)': ['boolean', 'some', 'every'],
    '!a': ['boolean', '!a', '(a)'],
    'a && b': ['boolean', 'a && b', '((a) || (b))'],
    'a ?? 3': ['default', '3', '4'],
    'const { a = 1 } = b': ['default', '1', '2'],
    "a === 'b'": ['literal', "'b'", '"b-"'],
  };
  for (const [source, expected] of Object.entries(examples)) {
    it(`of ${source} have one that says ${expected[2]}`, () => {
      const found = replacements(source).map((one) => JSON.stringify(one));
      assert.ok(found.includes(JSON.stringify(expected)), found.join('\n'));
    });
  }

  it('leave the words of messages and types alone', () => {
    for (const source of ['`a` + c', 'type A = 1 | 2', "import a from 'b'", "f({ a: 'b' })"]) {
      assert.deepEqual(replacements(source), [], source);
    }
  });
});

describe('a sample of mutants', function () {
  this.timeout(60_000);
  const all = checks.flatMap((check) => {
    const subject = subjectOf(check);
    return mutantsOf(subject.source).map((mutant) => ({ subject, mutant }));
  });

  it('is large enough for every check and of every operator', () => {
    assert.ok(all.length >= 10 * checks.length, `${all.length} mutants of ${checks.length} checks`);
    const known = new Set(all.map(({ mutant }) => mutant.operator));
    assert.deepEqual([...known].toSorted(), Object.keys(operators).toSorted());
  });

  it('is noticed by the fixtures, nine out of ten', async () => {
    const real = all.filter(({ subject, mutant }) => !isEquivalent(subject.id, mutant));
    const [some = []] = fc.sample(fc.shuffledSubarray(real, { minLength: 120, maxLength: 120 }), {
      seed: 20_260_105,
      numRuns: 1,
    });
    const survivors: Mutant[] = [];
    for (const { subject, mutant } of some) {
      if ((await killerOf(subject, mutant)) === undefined) survivors.push(mutant);
    }
    assert.ok(survivors.length <= some.length / 10, JSON.stringify(survivors, null, 2));
  });

  it('leaves out few that nobody could notice, each with a reason', () => {
    for (const { reason } of equivalents) assert.match(reason, /\w/);
    const named = equivalents.filter(
      (one) =>
        !all.some(
          ({ subject, mutant }) =>
            isEquivalent(subject.id, mutant) &&
            one.check === subject.id &&
            one.original === mutant.original &&
            one.replacement === mutant.replacement,
        ),
    );
    assert.deepEqual(named, [], 'equivalent to nothing any more');
    const left = all.filter(({ subject, mutant }) => isEquivalent(subject.id, mutant));
    assert.ok(left.length <= all.length / 20, `${left.length} of ${all.length}`);
  });
});
