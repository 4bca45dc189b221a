import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { matchesPattern, nodeNames } from './match-pattern.ts';
import type { Part } from './pattern.ts';
import { parsePattern } from './pattern.ts';

const nodes = nodeNames(['master-0', 'ip-10-0-1-2.ec2.internal']);

describe('matchesPattern', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    // A pod's random suffix, and a template's hash of 8 to 10 characters.
    ['web-<hash>', 'web-x7k2p', true],
    ['web-<hash>-<hash>', 'web-7d9f8b6c5d-x7k2p', true],
    ['backup-<hash>', 'backup-28571234', true],
    ['web-<hash>', 'web-cache', false],
    ['web-<hash>', 'web-x7k2', false],
    ['web-<hash>', 'web-x7k2px7k2px', false],
    ['web-<hash>', 'web-', false],
    ['web-<hash>', 'my-web-x7k2p', false],
    ['web-<hash>', 'web-x7k2p-debug', false],
    ['web-<ordinal>', 'web-0', true],
    ['web-<ordinal>', 'web-12', true],
    ['web-<ordinal>', 'web-', false],
    ['web-<ordinal>', 'web-1a', false],
    ['web-<ordinal>-canary', 'web-1-canary', true],
    ['installer-<ordinal>-<node>', 'installer-7-master-0', true],
    ['installer-<ordinal>-<node>', 'installer-7-ip-10-0-1-2.ec2.internal', true],
    ['installer-<ordinal>-<node>', 'installer-7-worker-9', false],
    ['<node>-guard', 'master-0-guard', true],
    ['team-<any>', 'team-a', true],
    ['team-<any>', 'team-a-b', true],
    ['team-<any>', 'team-', false],
    ['team-<any>', 'team.a', false],
    ['team-<any>-prod', 'team-a-prod-prod', true],
    ['team-<any>-<ordinal>', 'team-1-2-3', true],
  ];
  for (const [pattern, name, expected] of cases) {
    it(`finds that ${name} ${expected ? 'is' : 'is no'} ${pattern}`, () => {
      assert.equal(matchesPattern(parsePattern(pattern), name, nodes), expected);
    });
  }

  it('takes any DNS name for a node where the nodes are not known', () => {
    const pattern = parsePattern('installer-<ordinal>-<node>');
    assert.equal(matchesPattern(pattern, 'installer-7-worker-9.example.com'), true);
    assert.equal(matchesPattern(pattern, 'installer-7-'), false);
    assert.equal(matchesPattern(pattern, 'installer-7--x'), false);
    assert.equal(matchesPattern(pattern, 'installer-7-x.'), false);
  });

  it('says what a reference says that tries every way', () => {
    const part = fc.constantFrom('a', '-', 'b1', '<hash>', '<ordinal>', '<node>', '<any>');
    const text = fc.array(fc.constantFrom('a', 'b', '-', '1', '22222', 'b1'), { maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 6 }),
        text,
        fc.boolean(),
        (p, t, known) => {
          const pattern = parsePattern(p.join(''));
          const few = known ? nodeNames(['b1', 'a-1', 'a']) : undefined;
          const expected = triesEveryWay(pattern.parts, t.join(''), few?.all);
          assert.equal(matchesPattern(pattern, t.join(''), few), expected);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is quick where trying every way would never end', () => {
    const manyNodes = nodeNames(Array.from({ length: 250 }, (_, n) => 'b'.repeat(n + 1)));
    const start = performance.now();
    for (const placeholder of ['<any>', '<hash>', '<node>', '<ordinal>']) {
      const slow = parsePattern(`b${placeholder.repeat(40)}`);
      for (const name of [`${'b'.repeat(252)}!`, `${'1'.repeat(252)}!`, 'b'.repeat(10_000_000)]) {
        assert.equal(matchesPattern(slow, name), false);
        assert.equal(matchesPattern(slow, name, manyNodes), false);
      }
    }
    assert(performance.now() - start < 2000);
  });
});

function triesEveryWay(
  parts: readonly Part[],
  text: string,
  known: ReadonlySet<string> | undefined,
): boolean {
  const [part, ...rest] = parts;
  if (!part) return text === '';
  return Array.from({ length: text.length + 1 }, (_, n) => n).some(
    (n) => isOne(part, text.slice(0, n), known) && triesEveryWay(rest, text.slice(n), known),
  );
}

function isOne(part: Part, text: string, known: ReadonlySet<string> | undefined): boolean {
  if ('literal' in part) return text === part.literal;
  if ('node' in part && known) return known.has(text);
  const { characters, edges, shortest, longest } = 'node' in part ? part.node : part.run;
  return (
    text.length >= shortest &&
    text.length <= longest &&
    [...text].every((character) => characters.includes(character)) &&
    edges.includes(text.charAt(0)) &&
    edges.includes(text.charAt(text.length - 1))
  );
}
