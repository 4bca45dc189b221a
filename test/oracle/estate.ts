/** Generated objects, the same every time, of which Kubernetes computes what this project computes. */
import fc from 'fast-check';
import type { Manifest } from '../../sandbox/manifests.ts';

const seed = 20_260_105;

function samples<T>(arbitrary: fc.Arbitrary<T>, numRuns: number, own: number): readonly T[] {
  return fc.sample(arbitrary, { seed: seed + own, numRuns });
}

/** A custom resource with a scale: nothing acts on it, and the disruption controller asks for it. */
export const shardDefinition: Manifest = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'shards.oracle.example.com' },
  spec: {
    group: 'oracle.example.com',
    names: { kind: 'Shard', plural: 'shards', singular: 'shard', listKind: 'ShardList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      },
    ],
  },
};

type Labels = Readonly<Record<string, string>>;

const container = { name: 'web', image: 'registry.example.com/web:1' };

const template = (labels: Labels, spec: object = {}) => ({
  metadata: { labels },
  spec: { containers: [container], ...spec },
});

function workload(kind: string, name: string, labels: Labels, more: object = {}): Manifest {
  const own = { ...labels, own: name };
  const group = kind === 'ReplicationController' ? 'v1' : 'apps/v1';
  const selector =
    kind === 'ReplicationController' ? { own: name } : { matchLabels: { own: name } };
  return {
    apiVersion: group,
    kind,
    metadata: { name },
    spec: { selector, template: template(own), ...more },
  };
}

const anyLabels: fc.Arbitrary<Labels> = fc.record(
  {
    app: fc.constantFrom('cart', 'search', 'mail'),
    tier: fc.constantFrom('front', 'back', ''),
    env: fc.constantFrom('prod', 'test'),
  },
  { requiredKeys: ['app'], noNullPrototype: true },
);

export const budgetNamespaces = ['budgets-1', 'budgets-2', 'budgets-3', 'budgets-4', 'budgets-5'];

/** Every kind of controller that a pod may have, with pods that all run, or have run to their end. */
export function workloads(namespace: string): readonly Manifest[] {
  const index = budgetNamespaces.indexOf(namespace);
  const labels = samples(anyLabels, 12, index);
  const counts = samples(fc.integer({ min: 1, max: 7 }), 6, index);
  const [a = {}, b = {}, c = {}, d = {}, e = {}, f = {}, g = {}, h = {}, i = {}, j = {}] = labels;
  const [one, two, three, four, five] = counts;
  return [
    workload('Deployment', 'web', a, { replicas: one }),
    workload('Deployment', 'api', b, { replicas: two }),
    workload('Deployment', 'off', c, { replicas: 0 }),
    workload('StatefulSet', 'db', d, { replicas: three, serviceName: 'db' }),
    workload('ReplicaSet', 'old', e, { replicas: four }),
    workload('ReplicationController', 'older', f, { replicas: five }),
    workload('DaemonSet', 'agent', g),
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'import' },
      spec: {
        completions: 2,
        parallelism: 2,
        template: template(h, { restartPolicy: 'Never' }),
      },
    },
    bare('bare-1', i),
    bare('bare-2', j),
    {
      apiVersion: 'oracle.example.com/v1',
      kind: 'Shard',
      metadata: { name: 'shard' },
      spec: { replicas: 2 },
    },
  ].map((manifest) => inNamespace(manifest, namespace));
}

const bare = (name: string, labels: Labels): Manifest => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { containers: [container] },
});

/** Pods of the custom resource, whose uid only the server knows. */
export function shardPods(namespace: string, uid: string): readonly Manifest[] {
  const [labels = {}] = samples(anyLabels, 1, 100 + budgetNamespaces.indexOf(namespace));
  const owner = {
    apiVersion: 'oracle.example.com/v1',
    kind: 'Shard',
    name: 'shard',
    uid,
    controller: true,
  };
  return ['shard-1', 'shard-2'].map((name) => {
    const pod = inNamespace(bare(name, labels), namespace);
    return { ...pod, metadata: { ...pod.metadata, ownerReferences: [owner] } };
  });
}

function inNamespace(manifest: Manifest, namespace: string): Manifest {
  return { ...manifest, metadata: { ...manifest.metadata, namespace } };
}

const expression = fc.oneof(
  fc.record({
    key: fc.constantFrom('app', 'tier', 'env'),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.uniqueArray(fc.constantFrom('cart', 'search', 'front', '', 'prod'), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({
    key: fc.constantFrom('app', 'tier', 'env', 'absent'),
    operator: fc.constantFrom('Exists', 'DoesNotExist'),
  }),
);

const anySelector = fc.oneof(
  { weight: 1, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.record({ matchLabels: anyLabels }) },
  {
    weight: 5,
    arbitrary: fc.record({
      matchLabels: fc.oneof(fc.constant({}), anyLabels),
      matchExpressions: fc.array(expression, { minLength: 1, maxLength: 2 }),
    }),
  },
);

const percentage = fc
  .oneof(
    fc.constantFrom(1, 7, 10, 29, 33, 34, 50, 51, 66, 67, 70, 99, 100),
    fc.integer({ min: 0, max: 100 }),
  )
  .map((value) => `${value}%`);
const anyPolicy = fc.oneof(
  { weight: 1, arbitrary: fc.record({ minAvailable: fc.integer({ min: 0, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ maxUnavailable: fc.integer({ min: 0, max: 9 }) }) },
  { weight: 3, arbitrary: fc.record({ minAvailable: percentage }) },
  { weight: 3, arbitrary: fc.record({ maxUnavailable: percentage }) },
);

export function budgets(namespace: string): readonly Manifest[] {
  const any = fc.record({ selector: anySelector, policy: anyPolicy });
  // Of what has a scale: elsewhere a percentage comes to nothing.
  const scaled = fc.record({
    selector: fc.record({
      matchLabels: fc.record({ own: fc.constantFrom('web', 'api', 'db', 'old', 'older') }),
    }),
    policy: fc.oneof(
      fc.record({ minAvailable: percentage }),
      fc.record({ maxUnavailable: percentage }),
    ),
  });
  const own = 200 + budgetNamespaces.indexOf(namespace);
  return [...samples(any, 60, own), ...samples(scaled, 20, own)].map(
    ({ selector, policy }, index) => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: `budget-${index}`, namespace },
      spec: { selector, ...policy },
    }),
  );
}

/** Nodes with labels and taints that some pods are for and others are not. */
export const nodes: readonly Manifest[] = samples(
  fc.record({
    labels: fc.record(
      {
        disk: fc.constantFrom('ssd', 'hdd'),
        cores: fc.constantFrom('4', '8', '16', 'many'),
        pool: fc.constantFrom('a', 'b', 'c'),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    taints: fc.uniqueArray(
      fc.record({
        key: fc.constantFrom('dedicated', 'gpu', 'spot'),
        value: fc.constantFrom('', 'batch', 'web'),
        effect: fc.constantFrom('NoSchedule', 'NoExecute', 'PreferNoSchedule'),
      }),
      { maxLength: 2, selector: ({ key, effect }) => `${key}:${effect}` },
    ),
  }),
  8,
  300,
).map(({ labels, taints }, index) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: `odd-${index}`,
    labels: { ...labels, 'kubernetes.io/hostname': `odd-${index}` },
  },
  spec: { taints },
}));

const nodeRequirement = fc.oneof(
  fc.record({
    key: fc.constantFrom('disk', 'pool', 'kubernetes.io/hostname'),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.uniqueArray(fc.constantFrom('ssd', 'a', 'b', 'odd-1', 'worker-1'), { minLength: 1 }),
  }),
  fc.record({
    key: fc.constantFrom('disk', 'pool', 'cores'),
    operator: fc.constantFrom('Exists', 'DoesNotExist'),
  }),
  fc.record({
    key: fc.constant('cores'),
    operator: fc.constantFrom('Gt', 'Lt'),
    values: fc.constantFrom(['4'], ['7'], ['8']),
  }),
);
const nodeTerm = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      matchExpressions: fc.array(nodeRequirement, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      matchFields: fc
        .record({
          operator: fc.constantFrom('In', 'NotIn'),
          values: fc.constantFrom(['worker-1'], ['odd-2'], ['odd-3']),
        })
        .map((field) => [{ key: 'metadata.name', ...field }]),
    }),
  },
);
const toleration = fc.oneof(
  fc.record(
    {
      key: fc.constantFrom('dedicated', 'gpu', 'spot', 'node-role.kubernetes.io/control-plane'),
      operator: fc.constant('Exists'),
      effect: fc.constantFrom('NoSchedule', 'NoExecute'),
    },
    { requiredKeys: ['key', 'operator'], noNullPrototype: true },
  ),
  fc.record({
    key: fc.constantFrom('dedicated', 'gpu', 'spot'),
    operator: fc.constant('Equal'),
    value: fc.constantFrom('', 'batch', 'web'),
    effect: fc.constantFrom('NoSchedule', 'NoExecute'),
  }),
  fc.constant({ operator: 'Exists' }),
);

export const placing = 'placing';

/** A DaemonSet's controller says on how many nodes a pod may run. */
export function placements(): readonly Manifest[] {
  const anySpec = fc.record(
    {
      nodeSelector: fc.constantFrom<Labels>(
        {},
        { disk: 'ssd' },
        { pool: 'a' },
        { disk: 'hdd', pool: 'b' },
      ),
      affinity: fc.array(nodeTerm, { minLength: 1, maxLength: 3 }).map((nodeSelectorTerms) => ({
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
      })),
      tolerations: fc.array(toleration, { maxLength: 3 }),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  return samples(anySpec, 60, 400).map((spec, index) => {
    const name = `set-${index}`;
    const set = workload('DaemonSet', name, {});
    return inNamespace(
      { ...set, spec: { ...specOf(set), template: template({ own: name }, spec) } },
      placing,
    );
  });
}

const specOf = (manifest: Manifest) => manifest['spec'] as object;

export const scaling = 'scaling';

/** Autoscalers by every way to name a target, right and wrong. */
export function autoscalers(): readonly Manifest[] {
  const kinds = ['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController', 'DaemonSet'];
  const targets = kinds.map((kind) =>
    workload(kind, `own-${kind.toLowerCase()}`, {}, kind === 'DaemonSet' ? {} : { replicas: 2 }),
  );
  const versions = ['apps/v1', 'apps/v1beta1', 'extensions/v1beta1', 'v1'];
  // The server takes the core group for its own kinds only.
  const versionsOf = (kind: string) =>
    versions.filter((version) => version !== 'v1' || kind === 'ReplicationController');
  const references = kinds.flatMap((kind) =>
    versionsOf(kind).flatMap((apiVersion) =>
      [`own-${kind.toLowerCase()}`, 'absent'].map((name) => ({ apiVersion, kind, name })),
    ),
  );
  const scalers = references.map((scaleTargetRef, index) => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: `scaler-${index}` },
    spec: {
      scaleTargetRef,
      minReplicas: 2,
      maxReplicas: 3,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ],
    },
  }));
  return [...targets, ...scalers].map((manifest) => inNamespace(manifest, scaling));
}

export const rolling = 'rolling';

/** The most pods that a rollout may have: the controller writes it on the ReplicaSet. */
export function surges(): readonly Manifest[] {
  const bound = fc.oneof(fc.integer({ min: 0, max: 5 }), percentage);
  const anyStrategy = fc
    .record({ replicas: fc.integer({ min: 1, max: 9 }), maxSurge: bound, maxUnavailable: bound })
    .filter(({ maxSurge, maxUnavailable }) => !(isZero(maxSurge) && isZero(maxUnavailable)));
  return samples(anyStrategy, 40, 500).map(({ replicas, ...rollingUpdate }, index) =>
    inNamespace(
      workload(
        'Deployment',
        `rolling-${index}`,
        {},
        { replicas, strategy: { type: 'RollingUpdate', rollingUpdate } },
      ),
      rolling,
    ),
  );
}

const isZero = (bound: number | string) => Number.parseInt(String(bound), 10) === 0;

export const evicting = 'evicting';

const states = ['ready', 'unready', 'pending', 'finished'] as const;
export type PodState = (typeof states)[number];

interface EvictionCase {
  readonly pod: Manifest;
  readonly state: PodState;
  readonly budgets: readonly Manifest[];
}

/** A pod in each state below each kind of budget; two pods make one of them spare. */
export function evictions(): readonly EvictionCase[] {
  const policies: readonly object[] = [
    { minAvailable: 1 },
    { minAvailable: 2 },
    { minAvailable: 0 },
    { maxUnavailable: 1 },
    { maxUnavailable: '100%' },
    { maxUnavailable: 0 },
  ];
  const unhealthy = [
    {},
    { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    { unhealthyPodEvictionPolicy: 'IfHealthyBudget' },
  ];
  const sets: readonly (readonly object[])[] = [
    [],
    ...policies.flatMap((policy) => unhealthy.map((own) => [{ ...policy, ...own }])),
    [{ minAvailable: 0 }, { maxUnavailable: 1 }],
  ];
  return sets.flatMap((specs, set) =>
    states.map((state) => {
      const name = `pod-${set}-${state}`;
      const labels = { case: name };
      const budgets = specs.map((spec, index) => ({
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: `${name}-${index}`, namespace: evicting },
        spec: { ...spec, selector: { matchLabels: labels } },
      }));
      const pending = state === 'pending' ? { nodeSelector: { 'no-such': 'node' } } : {};
      const pod = bare(name, labels);
      return {
        state,
        budgets,
        pod: inNamespace({ ...pod, spec: { ...specOf(pod), ...pending } }, evicting),
      };
    }),
  );
}
