/** How old an object was when the snapshot was taken. */
import type { Scope } from './scope.ts';

/**
 * Too young to be judged by a rule about passing states. Without the time of the snapshot no age is
 * known, and nothing is judged.
 */
export function isYoung(
  object: { readonly metadata: { readonly creationTimestamp?: string } },
  scope: Scope,
): boolean {
  const age = secondsSince(object.metadata.creationTimestamp, scope);
  return age === undefined || age < scope.cluster.thresholds.settle;
}

/** Seconds from a moment to the snapshot; undefined where one of the two is not known. */
export function secondsSince(
  moment: string | undefined,
  { cluster: { takenAt } }: Scope,
): number | undefined {
  if (takenAt === undefined || moment === undefined) return undefined;
  return (Date.parse(takenAt) - Date.parse(moment)) / 1000;
}
