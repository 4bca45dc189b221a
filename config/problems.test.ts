import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { KnownError } from '../core/errors.ts';
import type { Problem } from './problems.ts';
import { accepted, rejectProblems } from './problems.ts';

const problem = (line: number, column = 1, text = 'x'): Problem => ({
  file: 'a.yaml',
  position: { line, column },
  text,
});

describe('problems', () => {
  it('is silent where there are none', () => {
    assert.doesNotThrow(() => rejectProblems('CONFIGURATION', []));
  });

  it('are told together, by file and position, those of a whole file first', () => {
    const problems = [
      { file: 'b.yaml', text: 'cannot be read' },
      problem(10),
      problem(9, 2, 'b'),
      problem(9, 2, 'a'),
      problem(9),
      { file: 'a.yaml', text: 'late' },
    ];
    assert.throws(() => rejectProblems('EXCEPTIONS', problems), {
      code: 'EXCEPTIONS',
      exitStatus: 2,
      message: [
        'a.yaml: late',
        'a.yaml:9:1 x',
        'a.yaml:9:2 a',
        'a.yaml:9:2 b',
        'a.yaml:10:1 x',
        'b.yaml: cannot be read',
      ].join('\n'),
    });
  });

  it('are shown up to twenty, then counted', () => {
    const problems = Array.from({ length: 25 }, (_, index) => problem(index + 1));
    assert.throws(
      () => rejectProblems('CONFIGURATION', problems),
      (error) => {
        assert(error instanceof KnownError);
        const lines = error.message.split('\n');
        assert.deepEqual(lines.slice(19), ['a.yaml:20:1 x', 'and 5 more']);
        return true;
      },
    );
  });

  it('stand in the way of the value only where there are some', () => {
    assert.equal(accepted('CONFIGURATION', { ok: true, value: 1 }), 1);
    assert.throws(() => accepted('CONFIGURATION', { ok: false, problems: [problem(1)] }), {
      message: 'a.yaml:1:1 x',
    });
  });
});
