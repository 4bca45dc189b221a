import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { YamlDocument } from './located-yaml.ts';
import { parseYaml } from './located-yaml.ts';
import { place } from './problems.ts';

function parsed(text: string): YamlDocument {
  const result = parseYaml('f.yaml', text);
  assert(result.ok, JSON.stringify(result));
  return result.value;
}

function problemsIn(text: string): readonly string[] {
  const result = parseYaml('f.yaml', text);
  assert(!result.ok);
  return result.problems.map(({ file, position, text }) =>
    position ? `${place(file, position)} ${text}` : text,
  );
}

describe('parseYaml', () => {
  const text = `# comment
a: 1
b:
  - x
  -   y: "z"
      w: {v: [1, 'q']}
c:
"d": |
  line
`;
  const positions: readonly (readonly [readonly PropertyKey[], string, string])[] = [
    [[], '2:1', '2:1'],
    [['a'], '2:4', '2:1'],
    [['b'], '4:3', '3:1'],
    [['b', 0], '4:5', '4:5'],
    [['b', 1, 'y'], '5:10', '5:7'],
    [['b', 1, 'w', 'v'], '6:14', '6:11'],
    [['b', 1, 'w', 'v', 1], '6:18', '6:18'],
    [['c'], '7:1', '7:1'],
    [['d'], '9:1', '8:1'],
    [['b', 1, 'absent'], '5:7', '5:7'],
  ];
  for (const [path, value, key] of positions) {
    it(`knows where ${path.join('.') || 'the document'} stands`, () => {
      const document = parsed(text);
      const { line, column } = document.positionOf(path);
      assert.equal(`${line}:${column}`, value);
      const at = document.keyPositionOf(path);
      assert.equal(`${at.line}:${at.column}`, key);
    });
  }

  it('counts lines as YAML does, whatever ends them', () => {
    const document = parsed('a: 1\r\nb: 2\rc: 3\nd: 4');
    assert.deepEqual(document.positionOf(['d']), { line: 4, column: 4 });
  });

  it('keeps dates as texts and reads numbers as YAML 1.2 does', () => {
    const { value } = parsed('{date: 2026-11-21, octal: 010, yes: yes, number: 5.10}');
    assert.deepEqual(value, { date: '2026-11-21', octal: 10, yes: 'yes', number: 5.1 });
  });

  it('has no value where the file has no document', () => {
    for (const text of ['', '\n# only a comment\n', '---\n']) {
      const document = parsed(text);
      assert.equal(document.value ?? undefined, undefined);
      assert.deepEqual(document.positionOf(['a']), { line: 1, column: 1 });
    }
  });

  const bad: readonly (readonly [string, string, readonly string[]])[] = [
    ['bad syntax', 'a: [1\nb: 2', ['f.yaml:2:1 deficient indentation']],
    ['a tab', 'a:\n\tb: 1', ['f.yaml:2:1 tab characters must not be used in indentation']],
    ['duplicate keys', 'a: 1\nb: 2\na: 3', ['f.yaml:3:1 duplicate key "a", first on line 1']],
    ['keys that YAML reads as one', '0x1: a\n1: b', ['f.yaml:2:1 duplicated mapping key']],
    ['a second document', 'a: 1\n---\nb: 2', ['f.yaml:3:1 expected one document in the file']],
    ['keys that are no text', '? [a]\n: 1', ['f.yaml:1:3 expected plain text as a key']],
    [
      'tags of its own',
      'a: !!js/function x',
      ['f.yaml:1:4 unknown scalar tag !<tag:yaml.org,2002:js/function>'],
    ],
    [
      'the prototype as a key',
      '__proto__:\n  a: 1',
      ['f.yaml:1:1 the key __proto__ is not accepted'],
    ],
    [
      'aliases, also as merge keys',
      'a: &x {b: 1}\nc: *x\n<<: *x',
      [
        'f.yaml:2:4 an alias is not accepted here: write the value out',
        'f.yaml:3:5 an alias is not accepted here: write the value out',
      ],
    ],
    ['deep nesting', '['.repeat(1_000_000), ['f.yaml:1:20 nesting exceeded maxDepth (20)']],
    [
      'more than a file of ours can hold',
      '- a\n'.repeat(400_000),
      ['holds too many keys and values'],
    ],
    ['a null byte', 'a: \0', ['f.yaml:1:4 null byte is not allowed in input']],
  ];
  for (const [what, text, expected] of bad) {
    it(`refuses ${what}`, () => assert.deepEqual(problemsIn(text), expected));
  }

  it('refuses an alias bomb before it is set off', () => {
    const lines = Array.from(
      { length: 9 },
      (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`,
    );
    const [first] = problemsIn(`a0: &a0 x\n${lines.join('\n')}`);
    assert.equal(first, 'f.yaml:2:10 an alias is not accepted here: write the value out');
  });

  it('leaves the prototypes of objects alone', () => {
    const { value } = parsed('constructor: {prototype: {polluted: true}}\ntoString: 1');
    assert.deepEqual(Object.keys(Object(value)), ['constructor', 'toString']);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });
});
