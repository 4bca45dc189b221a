/** An accepted deviation, as the rest of the program knows it. */
import type { ExceptionReference } from '../core/result.ts';
import { compare } from '../core/text.ts';
import type { ExceptionRecord } from './schema.ts';

/** A record whose check is named by its id, and that stands at file:line. */
export interface Exception extends ExceptionRecord {
  readonly at: string;
}

/** What a report says of an exception. */
export function referenceTo(exception: Exception): ExceptionReference {
  const { at, check, state, reason, jira, source, expires, targetRelease } = exception;
  return {
    at,
    check,
    state,
    reason,
    ...(jira !== undefined && { jira }),
    ...(source !== undefined && { source }),
    ...(expires !== undefined && { expires }),
    ...(targetRelease !== undefined && { targetRelease }),
  };
}

/** By file, then by line as a number. */
export function compareByPlace(a: { readonly at: string }, b: { readonly at: string }): number {
  const [left, right] = [placeOf(a.at), placeOf(b.at)];
  return compare(left.file, right.file) || left.line - right.line;
}

function placeOf(at: string) {
  const colon = at.lastIndexOf(':');
  return { file: at.slice(0, colon), line: Number(at.slice(colon + 1)) };
}
