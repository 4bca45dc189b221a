/** Which end came too early for a report to be complete. */
import type { Report } from '../core/result.ts';

/** The run's own is its fault, or that of who waited for it; a damaged recording is neither. */
export function endedEarly({
  complete,
  interrupted,
  input,
}: Pick<Report, 'complete' | 'interrupted' | 'input'>): 'run' | 'recording' | undefined {
  if (complete) return undefined;
  return interrupted || input.kind === 'live' ? 'run' : 'recording';
}
