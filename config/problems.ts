/** What is wrong with files that people write: collected over all of them, told in one error. */
import type { ErrorCode } from '../core/errors.ts';
import { KnownError } from '../core/errors.ts';
import { compare } from '../core/text.ts';

/** Counted from 1, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Problem {
  readonly file: string;
  /** Absent where the file could not be read at all. */
  readonly position?: Position;
  readonly text: string;
}

/** A value that was checked, or all that is wrong with it. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const shownAtMost = 20;

/** Throws one error that lists the problems by file and position; none is no error. */
export function rejectProblems(code: ErrorCode, problems: readonly Problem[]): void {
  if (problems.length > 0) throw problemsError(code, problems);
}

function problemsError(code: ErrorCode, problems: readonly Problem[]): KnownError {
  const lines = problems.toSorted(compareProblems).map(lineOf);
  const more = lines.length - shownAtMost;
  const shown = more > 0 ? [...lines.slice(0, shownAtMost), `and ${more} more`] : lines;
  return new KnownError(code, shown.join('\n'));
}

/** The value that was checked; throws when it has problems. */
export function accepted<T>(code: ErrorCode, checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  throw problemsError(code, checked.problems);
}

/** `file:line:column`, as terminals and editors recognise it. */
export function place(file: string, position: Position): string {
  return `${file}:${position.line}:${position.column}`;
}

function lineOf({ file, position, text }: Problem): string {
  return position ? `${place(file, position)} ${text}` : `${file}: ${text}`;
}

function compareProblems(a: Problem, b: Problem): number {
  return (
    compare(a.file, b.file) ||
    (a.position?.line ?? 0) - (b.position?.line ?? 0) ||
    (a.position?.column ?? 0) - (b.position?.column ?? 0) ||
    compare(a.text, b.text)
  );
}
