/** The estates of the bench: what teams would have written, in three sizes, the same every time. */
import type { Manifest } from '../sandbox/manifests.ts';
import type { SandboxNode } from '../sandbox/topologies.ts';
import { podTemplate } from './bench-template.ts';

export interface Size {
  readonly namespaces: number;
  readonly nodes: number;
  /** Per namespace. */
  readonly deployments: number;
  /** Per namespace. */
  readonly statefulSets: number;
  /** Written with what controllers and kubelets would add to it: they would take too long. */
  readonly isWritten: boolean;
}

/** About 1 000, 11 100 and 50 500 pods. */
export const sizes = {
  S: { namespaces: 40, nodes: 12, deployments: 6, statefulSets: 1, isWritten: false },
  M: { namespaces: 250, nodes: 100, deployments: 11, statefulSets: 2, isWritten: false },
  L: { namespaces: 1250, nodes: 250, deployments: 10, statefulSets: 2, isWritten: true },
} as const satisfies Readonly<Record<string, Size>>;

export type SizeName = keyof typeof sizes;

const teams = ['shop', 'payments', 'search', 'identity', 'media', 'ledger', 'risk', 'maps'];
const apps = ['frontend', 'api', 'worker', 'gateway', 'mailer', 'importer', 'pricing', 'catalog'];
const stores = ['postgres', 'kafka', 'redis'];

/** Element `index` of values that repeat. */
function cycle<T>(values: readonly [T, ...T[]], index: number): T {
  return values[index % values.length] ?? values[0];
}

export function workers({ nodes }: Size): readonly SandboxNode[] {
  return Array.from({ length: nodes }, (_, index) => ({
    name: `bench-worker-${index + 1}`,
    zone: cycle(['a', 'b', 'c'], index),
    roles: ['worker'],
  }));
}

/** Namespaces first, each workload before what counts its pods. */
export function manifests(size: Size): readonly Manifest[] {
  const namespaces = Array.from({ length: size.namespaces }, (_, index) => index);
  return namespaces.flatMap((index) => namespaceManifests(index, size));
}

function namespaceManifests(index: number, size: Size): readonly Manifest[] {
  const team = teams[index % teams.length];
  const namespace = `${team}-${Math.floor(index / teams.length) + 1}`;
  const own = (count: number) => Array.from({ length: count }, (_, n) => ({ namespace, index, n }));
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { team } } },
    ...own(4).map(configMap),
    ...own(size.deployments).flatMap(deployed),
    ...own(size.statefulSets).flatMap(stateful),
    ...(index < 32 && index % 8 === 7 ? own(1).map(daemonSet) : []),
    ...own(index % 3).map(job),
    ...own(1).map(cronJob),
    ...own(index % 4 === 0 ? 2 : 0).map(lease),
  ];
}

/** The `n`-th of its kind in the namespace number `index`. */
interface Place {
  readonly namespace: string;
  readonly index: number;
  readonly n: number;
}

function deployed({ namespace, index, n }: Place): readonly Manifest[] {
  const name = `${apps[n % apps.length]}${n < apps.length ? '' : `-v${Math.floor(n / apps.length) + 1}`}`;
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/instance': namespace };
  const metadata = { name, namespace, labels: { ...labels, team: namespace } };
  const replicas = cycle([3, 2, 1, 3, 5, 2, 3, 1, 10, 3], index + n);
  const variant = index + 3 * n;
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas,
      revisionHistoryLimit: 3,
      selector: { matchLabels: labels },
      strategy: cycle<object>(
        [
          { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
          { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
          { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
        ],
        variant,
      ),
      template: podTemplate({ name, namespace, labels, variant }),
    },
  };
  const others = [
    ...(n % 3 === 2 ? [] : [service(metadata, labels)]),
    ...(n === 0 ? [ingress(metadata)] : []),
    ...(replicas === 1 || n % 4 === 3 ? [] : [budget(metadata, labels, replicas, variant)]),
    ...(n % 5 === 1 ? [autoscaler(metadata, replicas)] : []),
  ];
  return [deployment, ...others];
}

function stateful({ namespace, index, n }: Place): readonly Manifest[] {
  const name = stores[(index + n) % stores.length] ?? 'store';
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': `store-${n}` };
  const metadata = { name: `${name}-${n}`, namespace, labels: { ...labels, team: namespace } };
  const replicas = cycle([3, 1, 3, 5], index + n);
  const set = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: {
      replicas,
      serviceName: metadata.name,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: labels },
      template: podTemplate({ name, namespace, labels, variant: index + n }),
    },
  };
  const budgets = replicas === 1 ? [] : [budget(metadata, labels, replicas, index)];
  return [set, service(metadata, labels), ...budgets];
}

function daemonSet({ namespace, index }: Place): Manifest {
  const name = 'log-collector';
  const labels = { 'app.kubernetes.io/name': name };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
      template: podTemplate({ name, namespace, labels, variant: index }),
    },
  };
}

function jobSpec(name: string, namespace: string) {
  const template = podTemplate({ name, namespace, labels: { job: name }, variant: 0 });
  return {
    backoffLimit: 2,
    template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } },
  };
}

function job({ namespace, n }: Place): Manifest {
  const name = `migrate-${n + 1}`;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace },
    spec: jobSpec(name, namespace),
  };
}

function cronJob({ namespace }: Place): Manifest {
  const name = 'nightly-report';
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, namespace },
    // On one day of the year: no run of the bench should change the estate.
    spec: { schedule: '0 3 29 2 *', jobTemplate: { spec: jobSpec(name, namespace) } },
  };
}

type Metadata = Manifest['metadata'] & { readonly namespace: string };
type Labels = Readonly<Record<string, string>>;

function service(metadata: Metadata, selector: Labels): Manifest {
  const ports = [
    { name: 'http', port: 80, targetPort: 'http' },
    { name: 'metrics', port: 9090, targetPort: 'metrics' },
  ];
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { clusterIP: 'None', selector, ports },
  };
}

function ingress(metadata: Metadata): Manifest {
  const backend = { service: { name: metadata.name, port: { name: 'http' } } };
  const paths = [{ path: '/', pathType: 'Prefix', backend }];
  const host = `${metadata.name}.${metadata.namespace}.example.com`;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata,
    spec: { ingressClassName: 'public', rules: [{ host, http: { paths } }] },
  };
}

function budget(metadata: Metadata, labels: Labels, replicas: number, variant: number): Manifest {
  const allowed = cycle<object>(
    [
      { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      { minAvailable: 1 },
      { maxUnavailable: '25%' },
      { minAvailable: replicas },
    ],
    variant,
  );
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec: { ...allowed, selector: { matchLabels: labels } },
  };
}

function autoscaler(metadata: Metadata, replicas: number): Manifest {
  const target = { type: 'Utilization', averageUtilization: 70 };
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata,
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: metadata.name },
      minReplicas: replicas,
      maxReplicas: replicas * 3,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
    },
  };
}

function configMap({ namespace, n }: Place): Manifest {
  const lines = Array.from({ length: 20 }, (_, line) => `setting.${line}=${namespace}-${line}`);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `settings-${n + 1}`, namespace },
    data: { 'application.properties': lines.join('\n') },
  };
}

/** As an operator holds it that elects a leader among its replicas. */
function lease({ namespace, n }: Place): Manifest {
  const time = '2026-01-05T08:00:00.000000Z';
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: `${apps[n]}-leader`, namespace },
    spec: {
      holderIdentity: `${apps[n]}-6d8f9c7b5-x2x7q_4f0c`,
      leaseDurationSeconds: 15,
      acquireTime: time,
      renewTime: time,
      leaseTransitions: 3,
    },
  };
}
