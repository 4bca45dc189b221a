/** How much redundancy the cluster is built for: read from OpenShift's Infrastructure, else from nodes. */
import type { ErrorCause } from './errors.ts';
import { describe } from './errors.ts';
import { eligibleNodes } from './nodes.ts';
import type { Infrastructure, Node } from './objects.ts';

export const topologyModes = [
  'HighlyAvailable',
  'HighlyAvailableArbiter',
  'DualReplica',
  'SingleReplica',
  'External',
] as const;
export type TopologyMode = (typeof topologyModes)[number];

export interface Topology {
  readonly controlPlaneTopology: TopologyMode;
  readonly infrastructureTopology: TopologyMode;
  /** What it was taken from. */
  readonly source: 'Infrastructure' | 'cluster-data' | 'nodes' | 'option' | 'assumed';
  readonly note?: string;
}

/** The topology could not be found out; every check that depends on it says why. */
export interface UnknownTopology {
  readonly cause: ErrorCause;
  readonly detail: string;
}

const controlPlaneLabels = [
  'node-role.kubernetes.io/control-plane',
  'node-role.kubernetes.io/master',
];
const arbiterLabel = 'node-role.kubernetes.io/arbiter';

export const isControlPlaneLabel = (key: string) => controlPlaneLabels.includes(key);

export function isControlPlane(node: Node): boolean {
  const own = node.metadata.labels ?? {};
  return controlPlaneLabels.some((key) => Object.hasOwn(own, key)) && !isArbiter(node);
}

export function isArbiter(node: Node): boolean {
  return Object.hasOwn(node.metadata.labels ?? {}, arbiterLabel);
}

/**
 * What OpenShift says of itself. An old release says nothing: with three control-plane nodes it is
 * highly available, else it is what the nodes show.
 */
export function topologyOf(
  infrastructure: Infrastructure,
  nodes: readonly Node[],
  shown: Topology | UnknownTopology,
): Topology | UnknownTopology {
  const { status = {}, spec = {} } = infrastructure;
  const unsaid = nodes.filter(isControlPlane).length >= 3 ? assumedTopology : shown;
  const { controlPlaneTopology, infrastructureTopology }: Said = { ...unsaid, ...status };
  if (controlPlaneTopology === undefined || infrastructureTopology === undefined) return shown;
  if (!isMode(controlPlaneTopology, topologyModes)) return unknown(controlPlaneTopology);
  if (!isMode(infrastructureTopology, infrastructureModes)) return unknown(infrastructureTopology);
  const isMoving = (spec.controlPlaneTopology ?? controlPlaneTopology) !== controlPlaneTopology;
  return {
    controlPlaneTopology,
    infrastructureTopology,
    source: 'Infrastructure',
    ...(isMoving && { note: 'topology transition in progress' }),
  };
}

interface Said {
  readonly controlPlaneTopology?: string;
  readonly infrastructureTopology?: string;
}

const infrastructureModes = ['HighlyAvailable', 'SingleReplica'] as const;

function isMode<M extends TopologyMode>(value: string, modes: readonly M[]): value is M {
  return modes.some((mode) => mode === value);
}

function unknown(value: string): UnknownTopology {
  const detail = `status of Infrastructure cluster: unknown topology ${describe(value)}`;
  return { cause: 'malformed', detail };
}

/** What the nodes of a cluster without Infrastructure show. */
export function derivedTopology(nodes: readonly Node[]): Topology {
  const masters = nodes.filter(isControlPlane).length;
  const arbiters = nodes.filter(isArbiter).length;
  // A pod without selectors and tolerations stands for the ordinary workload.
  const open = eligibleNodes({}, nodes).length;
  return {
    controlPlaneTopology: controlPlaneTopology(masters, arbiters),
    infrastructureTopology: open >= 2 ? 'HighlyAvailable' : 'SingleReplica',
    source: 'nodes',
  };
}

function controlPlaneTopology(masters: number, arbiters: number): TopologyMode {
  if (masters === 0) return 'External';
  if (masters === 1) return 'SingleReplica';
  if (masters >= 3) return 'HighlyAvailable';
  return arbiters > 0 ? 'HighlyAvailableArbiter' : 'DualReplica';
}

/** What manifests are written for, unless an option says otherwise. */
export const assumedTopology: Topology = {
  controlPlaneTopology: 'HighlyAvailable',
  infrastructureTopology: 'HighlyAvailable',
  source: 'assumed',
};

/** Undefined where it could not be found out. */
export function controlPlaneOf(topology: Topology | UnknownTopology): TopologyMode | undefined {
  return 'cause' in topology ? undefined : topology.controlPlaneTopology;
}

/** Whether workloads that this topology governs are meant to be redundant. */
export function isRedundant(topology: TopologyMode, governs: 'control plane' | 'infrastructure') {
  if (topology === 'External') return governs === 'infrastructure';
  return topology !== 'SingleReplica';
}
