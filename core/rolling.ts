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

export const deploymentDefaults = { maxUnavailable: '25%', maxSurge: '25%' };

/** A Deployment's bounds; undefined when one is neither an integer nor a percentage. */
export function rolling(bounds: Bounds | undefined, replicas: number): Rolling | undefined {
  const { maxUnavailable, maxSurge } = { ...deploymentDefaults, ...bounds };
  const unavailable = resolve(maxUnavailable, replicas, 'down');
  const surge = resolve(maxSurge, replicas, 'up');
  if (unavailable === undefined || surge === undefined) return undefined;
  // Both at zero would never move: the controller then takes one pod away.
  if (unavailable === 0 && surge === 0) return { surge: 0, unavailable: 1 };
  return { surge, unavailable: Math.min(unavailable, replicas) };
}

export const daemonSetDefaults = { maxUnavailable: 1, maxSurge: 0 };

/** A DaemonSet's bounds on so many nodes: both are rounded up, and a pair of zeros moves one by one. */
export function daemonRolling(bounds: Bounds | undefined, nodes: number): Rolling | undefined {
  const { maxUnavailable, maxSurge } = { ...daemonSetDefaults, ...bounds };
  const unavailable = resolve(maxUnavailable, nodes, 'up');
  const surge = resolve(maxSurge, nodes, 'up');
  if (unavailable === undefined || surge === undefined) return undefined;
  return { surge, unavailable: unavailable === 0 && surge === 0 ? 1 : unavailable };
}

/** `maxSurge 25 % → 1`, `maxSurge 1`: for messages. */
export function boundText(name: keyof Bounds, value: number | string, resolved: number): string {
  const result = typeof value === 'number' ? '' : ` → ${resolved}`;
  return `${name} ${intOrPercentText(value)}${result}`;
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
    return rollingUpdateOf(rollingUpdate, replicas);
  }
  if (isDeploymentConfig(source)) {
    const { type, rollingParams } = source.spec?.strategy ?? {};
    if (type === 'Recreate') return recreate(replicas);
    if (type === 'Custom') return undefined;
    return rollingUpdateOf(rollingParams, replicas);
  }
  if (!isStatefulSet(source)) return undefined;
  const { type, rollingUpdate } = source.spec?.updateStrategy ?? {};
  if (type === 'OnDelete') return undefined;
  const { maxUnavailable = 1 } = rollingUpdate ?? {};
  const resolved = resolve(maxUnavailable, replicas, 'down');
  if (resolved === undefined) return keeping({ maxUnavailable }, undefined, replicas);
  // A server without the feature gate drops the field: a stored value has an effect, one in a
  // manifest counts as the default.
  return isManifest
    ? keeping({ maxUnavailable: 1 }, 1, replicas)
    : keeping({ maxUnavailable }, Math.max(1, resolved), replicas);
}

function recreate(replicas: number): UpdateStrategy {
  const all = replicas === 1 ? 'the only replica' : `all ${replicas} replicas at once`;
  return { keeps: 0, text: `strategy Recreate stops ${all}` };
}

function rollingUpdateOf(bounds: Bounds | undefined, replicas: number): UpdateStrategy {
  const unavailable = rolling(bounds, replicas)?.unavailable;
  return keeping({ ...deploymentDefaults, ...bounds }, unavailable, replicas);
}

function keeping(
  bounds: Bounds & Required<Pick<Bounds, 'maxUnavailable'>>,
  unavailable: number | undefined,
  replicas: number,
): UpdateStrategy {
  if (unavailable === undefined) {
    return { keeps: 0, text: malformedBounds(bounds) };
  }
  const keeps = Math.max(0, replicas - unavailable);
  const bound = `maxUnavailable ${intOrPercentText(bounds.maxUnavailable)}`;
  return { keeps, text: `keeps ${keeps} of ${replicas} (${bound})` };
}

/** What is said of bounds that no controller could resolve. */
export function malformedBounds({ maxUnavailable, maxSurge }: Bounds): string {
  const surge = maxSurge === undefined ? '' : `, maxSurge "${maxSurge}"`;
  return `maxUnavailable "${maxUnavailable}"${surge}: not integers or percentages`;
}
