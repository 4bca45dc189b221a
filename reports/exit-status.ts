/** The exit status of a run, as far as its report decides it. */
import type { ErrorCause } from '../core/errors.ts';
import type { Report } from '../core/result.ts';
import { endedEarly } from './ended-early.ts';

/** What a recording leaves out, or lost with its end, is no trouble of the run that reads it. */
const leftOut: readonly (ErrorCause | undefined)[] = ['not collected', 'partial'];

/** 2: could not do its job; 1: something fails; 0: nothing does. Guarded failures are failures. */
export function exitStatus(report: Report): 0 | 1 | 2 {
  const { input, results } = report;
  const live = input.kind === 'live';
  const troubled = results.some(
    ({ verdict, cause }) => verdict === 'error' && (live || !leftOut.includes(cause)),
  );
  if (endedEarly(report) === 'run' || troubled) return 2;
  return results.some(({ verdict }) => verdict === 'fail') ? 1 : 0;
}
