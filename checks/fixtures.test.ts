/** Runs every fixture of every check against what its leading comments expect. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import type { AnyCheck } from '../core/check.ts';
import { readFixture } from '../test/fixture.ts';
import { golden } from '../test/golden.ts';
import { adviceOf, expectedOf, findingsOf, saidOf } from '../test/run-fixture.ts';
import { checks } from './index.ts';

describe('fixtures', () => {
  for (const check of checks) {
    describe(check.id, () => {
      const folder = path.join(import.meta.dirname, check.suite, check.id, 'fixtures');
      const files = globSync(`${folder}/*.yaml`).toSorted();
      for (const file of files) {
        it(path.basename(file, '.yaml').replaceAll('-', ' '), () => runFixture(check, file));
      }

      it('has findings about containers if it says so, and none if not', () => {
        const findings = files.flatMap((file) => findingsOf(check, readFixture(file)));
        const isAny = findings.some(({ object }) => object.container !== undefined);
        assert.equal(isAny, check.perContainer === true);
      });

      it('judges as many and advises as is written down', () => {
        const given = files.map((file) => {
          const advice = adviceOf(check, readFixture(file));
          return advice === '' ? '' : `${path.basename(file, '.yaml')}\n${advice}`;
        });
        return golden(`${check.id}.txt`, given.join(''), 'test/goldens/advice');
      });

      it('has a fixture that passes and one that fails', () => {
        const expected = files.flatMap((file) => readFixture(file).expected);
        assert.ok(expected.includes('pass'), 'none expects pass');
        assert.ok(expected.some(isFinding), 'none expects a finding');
      });
    });
  }
});

function runFixture(check: AnyCheck, file: string): void {
  const fixture = readFixture(file);
  assert.ok(fixture.expected.length > 0, 'the fixture expects nothing');
  const said = saidOf(check, fixture);
  const expected = expectedOf(fixture);
  assert.deepEqual(said.lines, expected.lines);
  for (const note of expected.notes) {
    assert.ok(said.notes.includes(note), `${note}\n${said.notes.join('\n')}`);
  }
}

const isFinding = (line: string) => !/^(pass$|skip: |error: |note: |stage: )/.test(line);
