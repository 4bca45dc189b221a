/** What an update may take away and add, after all defaults and rounding. */
import { intOrPercentText, resolve } from './int-or-percent.ts';
import type { Workload } from './workload.ts';
import { isDeployment, isDeploymentConfig, isStatefulSet } from './workload-source.ts';

interface Rolling {
  readonly surge: number;
  readonly unavailable: number;
}

interface Bounds {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
}

const defaultBound = '25%';

/** A Deployment's bounds; undefined when one is neither an integer nor a percentage. */
export function rolling(bounds: Bounds | undefined, replicas: number): Rolling | undefined {
  const { maxUnavailable = defaultBound, maxSurge = defaultBound } = bounds ?? {};
  const unavailable = resolve(maxUnavailable, replicas, 'down');
  const surge = resolve(maxSurge, replicas, 'up');
  if (unavailable === undefined || surge === undefined) return undefined;
  // Both at zero would never move: the controller then takes one pod away.
  if (unavailable === 0 && surge === 0) return { surge: 0, unavailable: 1 };
  return { surge, unavailable: Math.min(unavailable, replicas) };
}

/**
 * Pods of a StatefulSet that may be unavailable. A server without the feature gate drops the field,
 * so that a stored value has an effect and one in a manifest has not.
 */
function statefulSetUnavailable({ maxUnavailable }: Bounds, replicas: number, isManifest: boolean) {
  if (maxUnavailable === undefined || isManifest) return 1;
  const resolved = resolve(maxUnavailable, replicas, 'down');
  return resolved === undefined ? undefined : Math.max(1, resolved);
}

/** How many replicas an update leaves running, and what says so. */
export interface UpdateStrategy {
  readonly keeps: number;
  readonly text: string;
}

/** Undefined where nothing replaces the pods by itself, or not by a strategy that is known. */
export function strategyOf(workload: Workload, replicas: number): UpdateStrategy | undefined {
  const { source, isManifest } = workload;
  if (isDeployment(source)) {
    const { type, rollingUpdate } = source.spec?.strategy ?? {};
    if (type === 'Recreate') return recreate(replicas);
    return keeping(rollingUpdate, rolling(rollingUpdate, replicas)?.unavailable, replicas);
  }
  if (isDeploymentConfig(source)) {
    const { type, rollingParams } = source.spec?.strategy ?? {};
    if (type === 'Recreate') return recreate(replicas);
    if (type === 'Custom') return undefined;
    return keeping(rollingParams, rolling(rollingParams, replicas)?.unavailable, replicas);
  }
  if (!isStatefulSet(source)) return undefined;
  const { type, rollingUpdate = {} } = source.spec?.updateStrategy ?? {};
  if (type === 'OnDelete') return undefined;
  const unavailable = statefulSetUnavailable(rollingUpdate, replicas, isManifest);
  return keeping(rollingUpdate, unavailable, replicas);
}

function recreate(replicas: number): UpdateStrategy {
  const all = replicas === 1 ? 'the only replica' : `all ${replicas} replicas at once`;
  return { keeps: 0, text: `strategy Recreate stops ${all}` };
}

function keeping(
  bounds: Bounds | undefined,
  unavailable: number | undefined,
  replicas: number,
): UpdateStrategy {
  const { maxUnavailable = defaultBound, maxSurge = defaultBound } = bounds ?? {};
  if (unavailable === undefined) {
    const values = `maxUnavailable "${maxUnavailable}", maxSurge "${maxSurge}"`;
    return { keeps: 0, text: `${values}: not integers or percentages` };
  }
  const keeps = replicas - unavailable;
  const bound = `maxUnavailable ${intOrPercentText(maxUnavailable)}`;
  return { keeps, text: `keeps ${keeps} of ${replicas} (${bound})` };
}
