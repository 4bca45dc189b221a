/** The shapes of cluster that a sandbox can have. A further one is one more entry. */

export interface Topology {
  readonly nodes: readonly SandboxNode[];
  /** What OpenShift's Infrastructure says of such a cluster. */
  readonly infrastructure: {
    readonly controlPlane: string;
    readonly workers: 'HighlyAvailable' | 'SingleReplica';
  };
}

export interface SandboxNode {
  readonly name: string;
  readonly zone: string;
  /** Suffixes of node-role.kubernetes.io/ labels. */
  readonly roles: readonly string[];
  /** Keeps pods away that do not tolerate its first role. */
  readonly tainted?: boolean;
}

export const topologies = {
  ha: {
    nodes: [
      { name: 'control-plane-1', zone: 'a', roles: ['control-plane'], tainted: true },
      { name: 'control-plane-2', zone: 'b', roles: ['control-plane'], tainted: true },
      { name: 'control-plane-3', zone: 'c', roles: ['control-plane'], tainted: true },
      { name: 'worker-1', zone: 'a', roles: ['worker'] },
      { name: 'worker-2', zone: 'b', roles: ['worker'] },
      { name: 'worker-3', zone: 'c', roles: ['worker'] },
    ],
    infrastructure: { controlPlane: 'HighlyAvailable', workers: 'HighlyAvailable' },
  },
  compact: {
    nodes: [
      { name: 'control-plane-1', zone: 'a', roles: ['control-plane', 'worker'] },
      { name: 'control-plane-2', zone: 'b', roles: ['control-plane', 'worker'] },
      { name: 'control-plane-3', zone: 'c', roles: ['control-plane', 'worker'] },
    ],
    infrastructure: { controlPlane: 'HighlyAvailable', workers: 'HighlyAvailable' },
  },
  arbiter: {
    nodes: [
      { name: 'control-plane-1', zone: 'a', roles: ['control-plane', 'worker'] },
      { name: 'control-plane-2', zone: 'b', roles: ['control-plane', 'worker'] },
      { name: 'arbiter-1', zone: 'c', roles: ['arbiter'], tainted: true },
    ],
    infrastructure: { controlPlane: 'HighlyAvailableArbiter', workers: 'HighlyAvailable' },
  },
  dual: {
    nodes: [
      { name: 'control-plane-1', zone: 'a', roles: ['control-plane', 'worker'] },
      { name: 'control-plane-2', zone: 'b', roles: ['control-plane', 'worker'] },
    ],
    infrastructure: { controlPlane: 'DualReplica', workers: 'HighlyAvailable' },
  },
  /** Its control plane is somebody else's. */
  external: {
    nodes: [
      { name: 'worker-1', zone: 'a', roles: ['worker'] },
      { name: 'worker-2', zone: 'b', roles: ['worker'] },
      { name: 'worker-3', zone: 'c', roles: ['worker'] },
    ],
    infrastructure: { controlPlane: 'External', workers: 'HighlyAvailable' },
  },
  /** As kind makes it when it is asked for workers. */
  kind: {
    nodes: [
      { name: 'control-plane-1', zone: 'a', roles: ['control-plane'], tainted: true },
      { name: 'worker-1', zone: 'a', roles: ['worker'] },
      { name: 'worker-2', zone: 'a', roles: ['worker'] },
      { name: 'worker-3', zone: 'a', roles: ['worker'] },
    ],
    infrastructure: { controlPlane: 'SingleReplica', workers: 'HighlyAvailable' },
  },
  single: {
    nodes: [{ name: 'control-plane-1', zone: 'a', roles: ['control-plane', 'worker'] }],
    infrastructure: { controlPlane: 'SingleReplica', workers: 'SingleReplica' },
  },
} as const satisfies Readonly<Record<string, Topology>>;

export type TopologyName = keyof typeof topologies;
