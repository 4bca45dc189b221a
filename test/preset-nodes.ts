/** Nodes for fixtures: the usual shapes of clusters. */
import type { Manifest } from './fixture.ts';

const zones = ['a', 'b', 'c'];
const controlPlaneTaint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };
const arbiterTaint = { key: 'node-role.kubernetes.io/arbiter', effect: 'NoSchedule' };

export function presetNodes(preset: string): readonly Manifest[] {
  switch (preset) {
    case 'ha':
      return [...controlPlane(3, true), ...workers(3)];
    case 'compact':
      return controlPlane(3, false);
    case 'single':
      return controlPlane(1, false);
    case 'zoneless':
      return [...controlPlane(3, true), ...workers(3)].map(withoutZone);
    case 'managed':
      return workers(3);
    case 'kind':
      return [...controlPlane(1, true), ...workers(3)];
    case 'dual':
      return controlPlane(2, false);
    case 'arbiter':
      return [...controlPlane(2, false), node('arbiter-1', 'arbiter', 2, [arbiterTaint])];
    case 'none':
      return [];
    default:
      throw new Error(`no preset of nodes is called ${preset}`);
  }
}

function controlPlane(count: number, tainted: boolean): readonly Manifest[] {
  return Array.from({ length: count }, (_, i) =>
    node(`master-${i + 1}`, 'control-plane', i, tainted ? [controlPlaneTaint] : []),
  );
}

function workers(count: number): readonly Manifest[] {
  return Array.from({ length: count }, (_, i) => node(`worker-${i + 1}`, 'worker', i, []));
}

function node(name: string, role: string, i: number, taints: readonly object[]): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/zone': zones[i % 3] ?? '',
        [`node-role.kubernetes.io/${role}`]: '',
      },
    },
    spec: { taints },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function withoutZone(object: Manifest): Manifest {
  const labels = { ...object.metadata.labels };
  delete labels['topology.kubernetes.io/zone'];
  return { ...object, metadata: { ...object.metadata, labels } };
}
