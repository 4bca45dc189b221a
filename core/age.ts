/** How old an object was when the snapshot was taken. */
import type { Scope } from './scope.ts';

/**
 * Too young to be judged by a rule about passing states. Without the time of the snapshot no age is
 * known, and nothing is judged.
 */
export function isYoung(
  object: { readonly metadata: { readonly creationTimestamp?: string } },
  { cluster: { takenAt, thresholds } }: Scope,
): boolean {
  const { creationTimestamp } = object.metadata;
  if (takenAt === undefined || creationTimestamp === undefined) return true;
  return Date.parse(takenAt) - Date.parse(creationTimestamp) < thresholds.settle * 1000;
}
