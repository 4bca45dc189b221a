/** When a recording was taken, and which server it was taken from: what the recording itself tells. */
import type { Node } from '../../core/objects.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';
import { isMap, listAt, mapAt, textAt } from './values.ts';

/**
 * The earliest time in a `timestamp` file, as RFC 3339: oc appends one line when it begins and one when it
 * ends, and must-gather calls it several times. The lines are Go's, monotonic clock included.
 */
export function startOf(timestamps: string): string | undefined {
  const lines = timestamps.matchAll(
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|[+-]\d\d):?(\d\d)?/gm,
  );
  const times = [...lines].flatMap(([, day, time, hours = 'Z', minutes = '00']) => {
    const at = Date.parse(`${day}T${time}${hours === 'Z' ? 'Z' : `${hours}:${minutes}`}`);
    return Number.isNaN(at) ? [] : [at];
  });
  return times.length > 0 ? rfc3339(Math.min(...times)) : undefined;
}

const rfc3339 = (at: number) => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** The newest time in the conditions of an object, to the second. */
export function newestCondition(raw: unknown): string | undefined {
  const times = listAt(mapAt(raw, 'status'), 'conditions').flatMap((condition) =>
    isMap(condition) ? conditionTimes.map((key) => textAt(condition, key)) : [],
  );
  const valid = times.filter((time) => time !== undefined && isTime.test(time));
  return valid
    .map((time) => `${time?.slice(0, 19)}Z`)
    .sort()
    .at(-1);
}

const conditionTimes = [
  'lastTransitionTime',
  'lastHeartbeatTime',
  'lastUpdateTime',
  'lastProbeTime',
];
const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** The version that OpenShift's operator gives its API servers. */
export function operandVersion(clusterOperator: unknown): string | undefined {
  if (textAt(mapAt(clusterOperator, 'metadata'), 'name') !== 'kube-apiserver') return undefined;
  const versions = listAt(mapAt(clusterOperator, 'status'), 'versions');
  const own = versions.find((version) => textAt(version, 'name') === 'kube-apiserver');
  const version = textAt(own, 'version');
  return version !== undefined && parseVersion(version)
    ? `v${version.replace(/^v/, '')}`
    : undefined;
}

/** The newest kubelet's: a kubelet is never newer than its API server. */
export function kubeletVersion(nodes: readonly Node[]): string | undefined {
  const versions = nodes.flatMap(({ status }) => status?.nodeInfo?.kubeletVersion ?? []);
  const known = versions.filter((version) => parseVersion(version) !== undefined);
  return known.toSorted((a, b) => compareVersions(a, b) ?? 0).at(-1);
}
