/** Runs every fixture of every check against what its leading comments expect. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import type { AnyCheck } from '../core/check.ts';
import type { Outcome } from '../core/evaluate.ts';
import type { ObjectReference } from '../core/result.ts';
import { readFixture } from '../test/fixture.ts';
import { judgeFixture } from '../test/judge-fixture.ts';
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
        const outcomes = files.map((file) => judgeFixture(check, readFixture(file)).outcome);
        const findings = outcomes.flatMap((outcome) =>
          outcome.kind === 'judged' ? outcome.findings : [],
        );
        const isAny = findings.some(({ object }) => object.container !== undefined);
        assert.equal(isAny, check.perContainer === true);
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
  const { expected } = fixture;
  assert.ok(expected.length > 0, 'the fixture expects nothing');
  const { outcome, scope } = judgeFixture(check, fixture);
  const cap = outcome.kind === 'judged' ? check.cap?.(scope) : undefined;
  const said = [...sayings(outcome), ...(cap ? [`stage: at most ${cap}`] : [])];
  const notes = expected.filter(isNote);
  assert.deepEqual(
    said.filter((line) => !isNote(line)).toSorted(),
    expected.filter((line) => !isNote(line)).toSorted(),
  );
  for (const note of notes) assert.ok(said.includes(note), `${note}\n${said.join('\n')}`);
}

function sayings(outcome: Outcome): readonly string[] {
  switch (outcome.kind) {
    case 'skip':
      return [`skip: ${outcome.reason}`, ...outcome.notes.map((note) => `note: ${note}`)];
    case 'error':
      return [`error: ${outcome.cause} ${outcome.reason}`];
    default: {
      const findings = outcome.findings.map(({ object, message }) => `${name(object)}: ${message}`);
      const verdict = findings.length > 0 ? findings : ['pass'];
      return [...verdict, ...outcome.notes.map((note) => `note: ${note}`)];
    }
  }
}

function name({ kind, namespace, name: own, container }: ObjectReference): string {
  return [kind, namespace, own, container].filter((part) => part !== undefined).join('/');
}

const isNote = (line: string) => line.startsWith('note: ');
const isFinding = (line: string) => !/^(pass$|skip: |error: |note: |stage: )/.test(line);
