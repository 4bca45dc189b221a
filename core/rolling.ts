/** What a rolling update may take away and add, after all defaults and rounding. */
import { resolve } from './int-or-percent.ts';

export interface Rolling {
  readonly surge: number;
  readonly unavailable: number;
}

interface Bounds {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
}

/** Undefined when a bound is neither an integer nor a percentage. */
export function rolling(bounds: Bounds | undefined, replicas: number): Rolling | undefined {
  const { maxUnavailable = '25%', maxSurge = '25%' } = bounds ?? {};
  const unavailable = resolve(maxUnavailable, replicas, 'down');
  const surge = resolve(maxSurge, replicas, 'up');
  if (unavailable === undefined || surge === undefined) return undefined;
  // Both at zero would never move: the controller then takes one pod away.
  if (unavailable === 0 && surge === 0) return { surge: 0, unavailable: 1 };
  return { surge, unavailable: Math.min(unavailable, replicas) };
}

/**
 * How many pods of a StatefulSet may be unavailable. A server without the feature gate drops the
 * field, so that a stored value has an effect and one in a manifest has not.
 */
export function statefulSetUnavailable(
  maxUnavailable: number | string | undefined,
  replicas: number,
  isManifest: boolean,
): number | undefined {
  if (maxUnavailable === undefined || isManifest) return 1;
  const resolved = resolve(maxUnavailable, replicas, 'down');
  return resolved === undefined ? undefined : Math.max(1, resolved);
}
