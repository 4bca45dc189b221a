/** How long the pods of a lost node stay bound to it. */

import { tolerates } from './nodes.ts';
import type { PodSpec, Toleration } from './objects.ts';
import { olderThan } from './version.ts';

/** Set by the node controller on a node that is not ready, or that stopped reporting. */
export const lostNodeTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
/** Added at admission to every pod that says nothing of the taint. */
const defaultTolerationSeconds = 300;

/** Seconds until the node controller taints a node that stopped reporting (50 from 1.32 on). */
export function nodeGrace(serverVersion: string | undefined): number {
  return serverVersion !== undefined && olderThan(serverVersion, '1.32') ? 40 : 50;
}

/** Seconds from the loss of a node to the eviction of a pod; Infinity when it is never evicted. */
export function failoverSeconds(spec: PodSpec, serverVersion: string | undefined): number {
  const tolerated = lostNodeTaints.map((key) => toleratedSeconds(spec, key));
  return nodeGrace(serverVersion) + Math.max(...tolerated);
}

/** Seconds that a pod stays under such a taint: the first toleration that matches counts. */
export function toleratedSeconds({ tolerations = [] }: PodSpec, key: string): number {
  const first = tolerations.find((toleration) =>
    tolerates(toleration, { key, effect: 'NoExecute' }),
  );
  if (!first) return defaultTolerationSeconds;
  return Math.max(0, first.tolerationSeconds ?? Number.POSITIVE_INFINITY);
}

/** Tolerations that let pods leave a lost node after two minutes, the others as they are. */
export function boundedTolerations(tolerations: readonly Toleration[]): readonly Toleration[] {
  // The first that matches counts: what tolerates everything may stay behind them.
  const limited = lostNodeTaints.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 120,
  }));
  return [...limited, ...tolerations.filter((toleration) => !isOfLostNode(toleration))];
}

const isOfLostNode = ({ key = '', effect }: Toleration) =>
  lostNodeTaints.includes(key) && effect === 'NoExecute';
