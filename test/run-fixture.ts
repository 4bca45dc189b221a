/** What is wrong with what a check says of one of its fixtures. */
import type { AnyCheck } from '../core/check.ts';
import type { Outcome } from '../core/evaluate.ts';
import type { Finding, ObjectReference } from '../core/result.ts';
import type { Fixture } from './fixture.ts';
import { judgeFixture } from './judge-fixture.ts';

export interface Said {
  /** Everything but notes, in order. */
  readonly lines: readonly string[];
  readonly notes: readonly string[];
}

export function saidOf(check: AnyCheck, fixture: Fixture): Said {
  const { outcome, scope } = judgeFixture(check, fixture);
  const cap = outcome.kind === 'judged' ? check.cap?.(scope) : undefined;
  const said = [...sayings(outcome), ...(cap ? [`stage: at most ${cap}`] : [])];
  return { lines: said.filter((line) => !isNote(line)).toSorted(), notes: said.filter(isNote) };
}

export function findingsOf(check: AnyCheck, fixture: Fixture): readonly Finding[] {
  const { outcome } = judgeFixture(check, fixture);
  return outcome.kind === 'judged' ? outcome.findings : [];
}

/** How many objects were judged, and what a person is told to look at and to change. */
export function adviceOf(check: AnyCheck, fixture: Fixture): string {
  const { outcome } = judgeFixture(check, fixture);
  if (outcome.kind !== 'judged') return '';
  const findings = outcome.findings.map(({ object, path, command, patch }) => {
    const field = path === undefined ? '' : ` ${path}`;
    const change = patch ? `    ${JSON.stringify(patch)}\n` : '';
    return `  ${name(object)}${field}\n    $ ${command}\n${change}`;
  });
  return `  examined ${outcome.examined}\n${findings.join('')}`;
}

/** Expected lines other than notes, in order, and the notes that must be among those that are given. */
export function expectedOf({ expected }: Fixture): Said {
  return {
    lines: expected.filter((line) => !isNote(line)).toSorted(),
    notes: expected.filter(isNote),
  };
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
