/** Where a pod may run: node selectors, node affinity, taints and tolerations, zones. */
import { once } from './memo.ts';
import type { Node, NodeSelectorTerm, PodSpec, Taint, Toleration } from './objects.ts';

type Scheduling = Pick<PodSpec, 'nodeName' | 'nodeSelector' | 'affinity' | 'tolerations'>;

/**
 * Structural: the nodes that the scheduler could ever choose. Readiness and cordons come and go and
 * do not count.
 */
export function eligibleNodes(spec: Scheduling, nodes: readonly Node[]): readonly Node[] {
  const { nodeName, nodeSelector, affinity, tolerations } = spec;
  // Most workloads of a cluster ask for the same.
  const key = JSON.stringify([nodeName, nodeSelector, affinity?.nodeAffinity, tolerations]);
  const known = eligible(nodes);
  const found = known.get(key) ?? findEligible(spec, nodes);
  known.set(key, found);
  return found;
}

const eligible = once((_: readonly Node[]) => new Map<string, readonly Node[]>());

function findEligible(spec: Scheduling, nodes: readonly Node[]): readonly Node[] {
  const living = nodes.filter((node) => node.metadata.deletionTimestamp === undefined);
  // A pod with a nodeName never meets the scheduler.
  if (spec.nodeName !== undefined) {
    return living.filter((node) => node.metadata.name === spec.nodeName);
  }
  return living.filter((node) => admits(node, spec));
}

function admits(node: Node, spec: Scheduling): boolean {
  const own = node.metadata.labels ?? {};
  for (const [key, value] of Object.entries(spec.nodeSelector ?? {})) {
    if (!Object.hasOwn(own, key) || own[key] !== value) return false;
  }
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required && !isSelected(node, required)) return false;
  return (node.spec?.taints ?? []).every(
    (taint) =>
      !repels(taint) || (spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint)),
  );
}

const prefix = 'node.kubernetes.io/';

/** The taints of that prefix that Kubernetes gives to nodes, and takes away again. */
export const kubernetesTaints = [
  'not-ready',
  'unreachable',
  'memory-pressure',
  'disk-pressure',
  'pid-pressure',
  'network-unavailable',
  'unschedulable',
  'out-of-service',
].map((name) => `${prefix}${name}`);
/** It shares the prefix, and stays: by convention on nodes that run Windows. */
export const windowsTaint = `${prefix}os`;

/** Taints that the control plane, autoscalers and the agents of nodes set for a while. */
const transientTaints = [
  ...kubernetesTaints,
  'ToBeDeletedByClusterAutoscaler',
  'DeletionCandidateOfClusterAutoscaler',
  'karpenter.sh/disrupted',
  'karpenter.sh/disruption', // its name before Karpenter 1.0
  'karpenter.sh/unregistered',
];
const transientPrefixes = [
  'node.cloudprovider.kubernetes.io/',
  'startup-taint.cluster-autoscaler.kubernetes.io/',
];
/** Cilium and CSI drivers take it away once they run there. */
const startingAgent = '/agent-not-ready';

function repels({ key = '', effect }: Taint): boolean {
  if (effect !== 'NoSchedule' && effect !== 'NoExecute') return false;
  if (transientTaints.includes(key) || key.endsWith(startingAgent)) return false;
  return !transientPrefixes.some((prefix) => key.startsWith(prefix));
}

/** Whether a toleration matches a taint, as the scheduler has it. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key, operator = 'Equal', value = '', effect } = toleration;
  if (effect !== undefined && effect !== taint.effect) return false;
  if (key === undefined) return operator === 'Exists';
  if (key !== taint.key) return false;
  switch (operator) {
    case 'Exists':
      return true;
    case 'Equal':
      return value === (taint.value ?? '');
    case 'Lt':
    case 'Gt':
      return comparesIntegers(operator, taint.value ?? '', value);
    default:
      return false;
  }
}

/** Whether one of the terms matches: of a pod's required node affinity, or of a volume's. */
export function isSelected(node: Node, { nodeSelectorTerms = [] }: NodeSelector): boolean {
  return nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

interface NodeSelector {
  readonly nodeSelectorTerms?: readonly NodeSelectorTerm[];
}

/** An OR over nothing: a term that names no requirement matches no node. */
function matchesTerm(term: NodeSelectorTerm, node: Node): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length + matchFields.length === 0) return false;
  const own = node.metadata.labels ?? {};
  return (
    matchExpressions.every((requirement) => meets(requirement, own)) &&
    matchFields.every((requirement) => meets(requirement, { 'metadata.name': node.metadata.name }))
  );
}

type Requirement = NonNullable<NodeSelectorTerm['matchExpressions']>[number];

function meets(requirement: Requirement, own: Readonly<Record<string, string>>): boolean {
  const { key = '', operator, values = [] } = requirement;
  const value = Object.hasOwn(own, key) ? own[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
    case 'Lt':
      return value !== undefined && comparesIntegers(operator, value, values[0] ?? '');
    default:
      return false;
  }
}

/** Both sides must be integers, as strconv.ParseInt takes them. */
function comparesIntegers(operator: 'Gt' | 'Lt', found: string, bound: string): boolean {
  const integer = /^[+-]?\d+$/;
  if (!integer.test(found) || !integer.test(bound)) return false;
  const [left, right] = [BigInt(found), BigInt(bound)];
  return operator === 'Gt' ? left > right : left < right;
}

/** Ready and not cordoned: where a pod could be placed now. */
export function isUsable(node: Node): boolean {
  return isNodeReady(node) && node.spec?.unschedulable !== true;
}

export function isNodeReady(node: Node): boolean {
  const ready = node.status?.conditions?.find((condition) => condition.type === 'Ready');
  return ready?.status === 'True';
}

/** The zone of a node; undefined where no label tells, which is never a zone of its own. */
export function zoneOf(node: Node): string | undefined {
  const own = node.metadata.labels ?? {};
  return (
    own['topology.kubernetes.io/zone'] || own['failure-domain.beta.kubernetes.io/zone'] || undefined
  );
}
