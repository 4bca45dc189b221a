/** Pods for fixtures: what a controller would have made of a workload, on the nodes that are named. */
import type { Manifest } from './fixture.ts';

interface Template {
  metadata?: { labels?: Record<string, string> };
  spec?: Record<string, unknown>;
}

const hash = '5d9f8c7b6d';

/** `Deployment/web: worker-1 worker-2!` gives two pods, the second of which is not ready. */
export function podsOf(line: string, objects: readonly Manifest[]): readonly Manifest[] {
  const [, kind, name, nodes] = /^(\w+)\/([\w.-]+): (.*)$/.exec(line) ?? [];
  const owner = objects.find((o) => o.kind === kind && o.metadata.name === name);
  if (!owner || nodes === undefined) throw new Error(`pods: ${line}: no such workload`);
  const template = owner.spec?.['template'] as Template | undefined;
  const replicaSet = kind === 'Deployment' ? replicaSetOf(owner, template) : undefined;
  const controller = replicaSet ?? owner;
  const pods = nodes.split(' ').map((word, i) => pod(controller, template, word, i));
  return replicaSet ? [replicaSet, ...pods] : pods;
}

function replicaSetOf({ metadata, spec = {} }: Manifest, template?: Template): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name}-${hash}`,
      ...(metadata.namespace && { namespace: metadata.namespace }),
      ownerReferences: [{ kind: 'Deployment', name: metadata.name }],
    },
    spec: { replicas: spec['replicas'] ?? 1, template: withHash(template) },
    status: { observedGeneration: 1 },
  };
}

const withHash = (template: Template = {}): Template => ({
  ...template,
  metadata: { labels: { ...template.metadata?.labels, 'pod-template-hash': hash } },
});

function pod(owner: Manifest, template: Template | undefined, word: string, i: number): Manifest {
  const node = word.replace('!', '');
  const isOrdered = owner.kind === 'StatefulSet';
  const labels =
    owner.kind === 'ReplicaSet' ? withHash(template).metadata?.labels : template?.metadata?.labels;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: isOrdered ? `${owner.metadata.name}-${i}` : `${owner.metadata.name}-x${i}`,
      ...(owner.metadata.namespace && { namespace: owner.metadata.namespace }),
      ...(labels && { labels }),
      ownerReferences: [
        { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name },
      ],
    },
    spec: { ...template?.spec, ...(node && { nodeName: node }) },
    ...(word.endsWith('!') && {
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    }),
  };
}
