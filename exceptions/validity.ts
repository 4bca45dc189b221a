/** Whether an exception still holds, and holds here: its end, and the clusters that it is meant for. */
import type { TopologyMode } from '../core/topology.ts';
import { compareVersions } from '../core/version.ts';
import type { Exception } from './exception.ts';
import type { NodeNames } from './match-pattern.ts';
import { includesRelease } from './releases.ts';

/** What is known of the cluster that was judged, and when. */
export interface Circumstances {
  readonly now: Date;
  /** As the report has it: `unknown` where nothing tells. */
  readonly release: string;
  readonly platform: string;
  /** Undefined where it could not be found out. */
  readonly controlPlaneTopology: TopologyMode | undefined;
  /** Undefined where the nodes are not known, as in manifests. */
  readonly nodes?: NodeNames | undefined;
}

/** Why an exception has ended; undefined while it has not. Its last day counts to its end, in UTC. */
export function endOf(
  exception: Exception,
  { now, release }: Pick<Circumstances, 'now' | 'release'>,
): string | undefined {
  const { expires, targetRelease } = exception;
  if (expires !== undefined && expires < dayOf(now)) return `expired on ${expires}`;
  if (targetRelease === undefined) return undefined;
  // Of a release that is not known nobody can say that it is the one.
  const order = compareVersions(release, targetRelease);
  const isReached = order !== undefined && order >= 0;
  return isReached ? `ended with release ${targetRelease} (this is ${release})` : undefined;
}

/** What an exception says of releases, topologies and platforms; what is not known satisfies nothing. */
export function appliesTo(exception: Exception, circumstances: Circumstances): boolean {
  const { releases, topologies, platforms } = exception;
  const { release, controlPlaneTopology, platform } = circumstances;
  return (
    (releases === undefined || includesRelease(releases, release)) &&
    (topologies === undefined || topologies.some((mode) => mode === controlPlaneTopology)) &&
    (platforms === undefined || platforms.some((name) => isSame(name, platform)))
  );
}

/** The UTC day, in which dates compare as texts. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
