/** Node objects as a kubelet would register them. */
import type { Manifest } from './manifests.ts';
import type { SandboxNode, Topology } from './topologies.ts';

export interface NodeOptions {
  /** As the nodes report it, e.g. v1.36.3. */
  readonly version: string;
  /** OpenShift also has the older name of the control-plane role. */
  readonly openshift: boolean;
}

export function nodeObjects(topology: Topology, options: NodeOptions): readonly Manifest[] {
  return topology.nodes.map((node, index) => nodeObject(node, index, options));
}

const resources = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '500' };

function nodeObject(node: SandboxNode, index: number, options: NodeOptions): Manifest {
  const [role = ''] = node.roles;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: node.name, labels: labels(node, options) },
    spec: node.tainted
      ? { taints: [{ key: `node-role.kubernetes.io/${role}`, effect: 'NoSchedule' }] }
      : {},
    // Sent along: a Node is the one kind whose status is taken when it is created.
    status: {
      capacity: resources,
      allocatable: resources,
      addresses: [
        { type: 'InternalIP', address: `172.18.0.${index + 2}` },
        { type: 'Hostname', address: node.name },
      ],
      nodeInfo: {
        architecture: 'amd64',
        bootID: '',
        containerRuntimeVersion: 'containerd://2.1.4',
        kernelVersion: '6.12.0',
        kubeProxyVersion: '',
        kubeletVersion: options.version,
        machineID: '',
        operatingSystem: 'linux',
        osImage: 'Sandbox Linux',
        systemUUID: '',
      },
    },
  };
}

function labels(node: SandboxNode, { openshift }: NodeOptions): Record<string, string> {
  const older = openshift && node.roles.includes('control-plane') ? ['master'] : [];
  const roles = [...node.roles, ...older].map((role) => [`node-role.kubernetes.io/${role}`, '']);
  return {
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': node.name,
    'kubernetes.io/os': 'linux',
    'topology.kubernetes.io/region': 'sandbox',
    'topology.kubernetes.io/zone': node.zone,
    ...Object.fromEntries(roles),
  };
}
