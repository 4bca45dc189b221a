/** Where a hard topology spread constraint lets pods go: what the scheduler counts, and what can take one. */
import { eligibleNodes } from './nodes.ts';
import type { Node, PodSpec, TopologySpreadConstraint } from './objects.ts';

export interface SpreadDomains {
  /** The values of the key between which the scheduler evens out. */
  readonly counted: readonly string[];
  /** Those in which a pod of the workload could run. */
  readonly usable: readonly string[];
  /** Those that stay empty for ever: counted, and no node in them takes such a pod. */
  readonly empty: readonly string[];
  /** The most pods that can be placed; undefined where the least of the domains rises with the rest. */
  readonly limit: number | undefined;
}

/** The smallest count stays 0 with fewer domains than demanded, or with one that takes no pod. */
export function spreadDomains(
  constraint: TopologySpreadConstraint,
  spec: PodSpec,
  nodes: readonly Node[],
): SpreadDomains {
  const { topologyKey = '', maxSkew = 1, minDomains = 1 } = constraint;
  const candidates = nodes.filter((node) => carriesEveryKey(node, spec));
  const counted = valuesOf(topologyKey, countedNodes(constraint, spec, candidates));
  const usable = valuesOf(topologyKey, eligibleNodes(spec, candidates));
  const empty = counted.filter((value) => !usable.includes(value));
  const isCapped = usable.length < minDomains || empty.length > 0;
  return { counted, usable, empty, limit: isCapped ? maxSkew * usable.length : undefined };
}

export function isHardConstraint({ whenUnsatisfiable }: TopologySpreadConstraint): boolean {
  return whenUnsatisfiable !== 'ScheduleAnyway';
}

/** The different values of a label, in the order of the nodes; a node without it adds none. */
export function valuesOf(key: string, nodes: readonly Node[]): readonly string[] {
  return [...new Set(nodes.flatMap((node) => node.metadata.labels?.[key] ?? []))];
}

/** A node that lacks the key of one hard constraint is a domain of none and gets no pod. */
function carriesEveryKey({ metadata }: Node, { topologySpreadConstraints = [] }: PodSpec) {
  return topologySpreadConstraints
    .filter(isHardConstraint)
    .every(({ topologyKey = '' }) => Object.hasOwn(metadata.labels ?? {}, topologyKey));
}

/** By default those that selector and affinity admit, whatever their taints. */
function countedNodes(
  { nodeAffinityPolicy, nodeTaintsPolicy }: TopologySpreadConstraint,
  { nodeSelector, affinity, tolerations = [] }: PodSpec,
  nodes: readonly Node[],
): readonly Node[] {
  const asked = { ...(nodeSelector && { nodeSelector }), ...(affinity && { affinity }) };
  return eligibleNodes(
    {
      ...(nodeAffinityPolicy !== 'Ignore' && asked),
      tolerations: nodeTaintsPolicy === 'Honor' ? tolerations : [{ operator: 'Exists' }],
    },
    nodes,
  );
}
