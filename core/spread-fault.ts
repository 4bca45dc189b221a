/** What is wrong with a hard topology spread constraint of a workload on the nodes of a cluster. */
import { eligibleNodes } from './nodes.ts';
import type { Node, TopologySpreadConstraint } from './objects.ts';
import { takesHostPorts } from './pods.ts';
import type { SpreadTerm } from './spread.ts';
import { hostnameKey } from './spread.ts';
import { spreadDomains, valuesOf } from './spread-domains.ts';
import { count, names } from './text.ts';
import { isControlPlane } from './topology.ts';
import type { Workload } from './workload.ts';

/** So many replicas of a workload, and where they may go. */
export interface Placing {
  readonly workload: Workload;
  readonly replicas: number;
  readonly nodes: readonly Node[];
  readonly eligible: readonly Node[];
}

/** Why some replica finds no place, or why all may find the same, whatever other terms say. */
export function constraintFault(
  constraint: TopologySpreadConstraint,
  terms: readonly SpreadTerm[],
  placing: Placing,
): string | undefined {
  const { workload, replicas, nodes, eligible } = placing;
  const { topologyKey: key = '', maxSkew = 1, minDomains = 1 } = constraint;
  const { usable, empty, limit } = spreadDomains(constraint, workload.spec, nodes);
  if (limit !== undefined && replicas > limit) {
    // Where a node lacks the key of another constraint, that one is at fault.
    if (usable.length === 0) return valuesOf(key, eligible).length > 0 ? undefined : keyless(key);
    if (usable.length >= minDomains) return emptied(empty, constraint, placing);
    const places = placesText(usable.length, key);
    return `minDomains ${minDomains}, but ${places}: replicas beyond ${limit} stay Pending`;
  }
  const isVoid = maxSkew >= replicas && usable.length >= 2;
  if (!isVoid || takesHostPorts(workload.spec)) return undefined;
  if (terms.some((term) => keepsApart(term, placing))) return undefined;
  return `maxSkew ${maxSkew} with ${replicas} replicas lets all share a ${placeText(key)}`;
}

const keyless = (key: string) => `no eligible node carries ${key}: no replica can be placed`;

function keepsApart({ title, isHard, constraint }: SpreadTerm, placing: Placing): boolean {
  if (!constraint) return title === 'anti-affinity';
  const { workload, replicas, nodes } = placing;
  const { usable } = spreadDomains(constraint, workload.spec, nodes);
  return isHard && (constraint.maxSkew ?? 1) < replicas && usable.length >= 2;
}

/** Domains that no pod of the workload can enter: their count stays 0, and caps that of the others. */
function emptied(
  empty: readonly string[],
  { topologyKey: key = '', maxSkew = 1 }: TopologySpreadConstraint,
  { workload, nodes }: Placing,
): string {
  const tolerant = { tolerations: [{ operator: 'Exists' }] };
  const inside = eligibleNodes(tolerant, nodes).filter((node) =>
    valuesOf(key, [node]).some((value) => empty.includes(value)),
  );
  const tainted = eligibleNodes({ ...workload.spec, ...tolerant }, inside);
  const [policy, kind, blamed] =
    tainted.length > 0
      ? ['nodeTaintsPolicy', 'tainted', tainted]
      : ['nodeAffinityPolicy', 'unselected', inside];
  const role = blamed.every(isControlPlane) ? ' control-plane' : '';
  const counted = count(blamed.length, `${kind}${role} node`);
  const values = valuesOf(key, blamed);
  const what = key === hostnameKey ? counted : `${names(values)} (${counted})`;
  const domains = values.length === 1 ? 'an empty domain' : 'empty domains';
  const most = `at most ${count(maxSkew, 'pod')} per ${placeText(key)}`;
  return `${policy} Ignore counts ${what} as ${domains}: ${most}`;
}

const zoneKey = 'topology.kubernetes.io/zone';

function placeText(key: string): string {
  if (key === hostnameKey) return 'node';
  return key === zoneKey ? 'zone' : `value of ${key}`;
}

/** `3 eligible nodes`, `2 zones`: the values of a key. */
export function placesText(places: number, key: string): string {
  if (key === hostnameKey) return count(places, 'eligible node');
  return key === zoneKey ? count(places, 'zone') : `${count(places, 'value')} of ${key}`;
}
