/** The one table of kinds that can be gathered: how the API names them, what is kept of them. */

import type { ApiObject } from './objects.ts';
import * as objects from './objects.ts';
import type { Shape } from './shape.ts';
import { isTemplated } from './templated.ts';

export interface KindInfo {
  /** The API group; the core group is ''. */
  readonly group: string;
  /** The served versions that are understood, the preferred one first. */
  readonly versions: readonly [string, ...string[]];
  readonly kind: string;
  /** The resource's name in URLs; some kinds of ours are several resources of one group. */
  readonly resources: readonly [string, ...string[]];
  readonly namespaced: boolean;
  readonly shape: Shape;
  /** Served as Protobuf: built-in kinds are, custom resources are not. */
  readonly protobuf: boolean;
  /** Only metadata is asked for (PartialObjectMetadata): the content never leaves the server. */
  readonly metadataOnly?: boolean;
  /** Less is kept where another object says the rest: the owner's template, for all its pods. */
  readonly narrow?: { readonly shape: Shape; applies(object: object): boolean };
}

type Entry<S extends Shape> = Omit<KindInfo, 'shape' | 'namespaced' | 'protobuf' | 'resources'> & {
  readonly shape: S;
  readonly resources?: readonly [string, ...string[]];
  readonly namespaced?: boolean;
};

const builtin = <const S extends Shape>(entry: Entry<S>) =>
  ({ ...entry, ...defaults(entry), protobuf: true }) as const;
const custom = <const S extends Shape>(entry: Entry<S>) =>
  ({ ...entry, ...defaults(entry), protobuf: false }) as const;

function defaults(entry: Entry<Shape>) {
  const resources = entry.resources ?? ([plural(entry.kind)] as const);
  return { resources, namespaced: entry.namespaced ?? true };
}

function plural(kind: string): string {
  const lower = kind.toLowerCase();
  return lower.endsWith('s') ? `${lower}es` : `${lower}s`;
}

export const kinds = {
  namespaces: builtin({
    group: '',
    versions: ['v1'],
    kind: 'Namespace',
    namespaced: false,
    shape: objects.namespace,
  }),
  nodes: builtin({
    group: '',
    versions: ['v1'],
    kind: 'Node',
    namespaced: false,
    shape: objects.node,
  }),
  infrastructures: custom({
    group: 'config.openshift.io',
    versions: ['v1'],
    kind: 'Infrastructure',
    namespaced: false,
    shape: objects.infrastructure,
  }),
  clusterVersions: custom({
    group: 'config.openshift.io',
    versions: ['v1'],
    kind: 'ClusterVersion',
    namespaced: false,
    shape: objects.clusterVersion,
  }),
  clusterOperators: custom({
    group: 'config.openshift.io',
    versions: ['v1'],
    kind: 'ClusterOperator',
    namespaced: false,
    shape: objects.clusterOperator,
  }),
  clusterServiceVersions: {
    ...custom({
      group: 'operators.coreos.com',
      versions: ['v1alpha1'],
      kind: 'ClusterServiceVersion',
      shape: objects.metadataOnly,
    }),
    metadataOnly: true,
  },
  subscriptions: {
    ...custom({
      group: 'operators.coreos.com',
      versions: ['v1alpha1'],
      kind: 'Subscription',
      shape: objects.metadataOnly,
    }),
    metadataOnly: true,
  },
  machineConfigPools: custom({
    group: 'machineconfiguration.openshift.io',
    versions: ['v1'],
    kind: 'MachineConfigPool',
    namespaced: false,
    shape: objects.machineConfigPool,
  }),
  deployments: builtin({
    group: 'apps',
    versions: ['v1'],
    kind: 'Deployment',
    shape: objects.deployment,
  }),
  statefulSets: builtin({
    group: 'apps',
    versions: ['v1'],
    kind: 'StatefulSet',
    shape: objects.statefulSet,
  }),
  daemonSets: builtin({
    group: 'apps',
    versions: ['v1'],
    kind: 'DaemonSet',
    shape: objects.daemonSet,
  }),
  replicaSets: builtin({
    group: 'apps',
    versions: ['v1'],
    kind: 'ReplicaSet',
    shape: objects.replicaSet,
  }),
  pods: {
    ...builtin({ group: '', versions: ['v1'], kind: 'Pod', shape: objects.pod }),
    narrow: { shape: objects.templatedPod, applies: isTemplated },
  },
  replicationControllers: builtin({
    group: '',
    versions: ['v1'],
    kind: 'ReplicationController',
    shape: objects.replicationController,
  }),
  deploymentConfigs: custom({
    group: 'apps.openshift.io',
    versions: ['v1'],
    kind: 'DeploymentConfig',
    shape: objects.deploymentConfig,
  }),
  rollouts: custom({
    group: 'argoproj.io',
    versions: ['v1alpha1'],
    kind: 'Rollout',
    shape: objects.argoRollout,
  }),
  jobs: builtin({ group: 'batch', versions: ['v1'], kind: 'Job', shape: objects.job }),
  cronJobs: builtin({
    group: 'batch',
    versions: ['v1', 'v1beta1'],
    kind: 'CronJob',
    shape: objects.cronJob,
  }),
  podDisruptionBudgets: builtin({
    group: 'policy',
    versions: ['v1', 'v1beta1'],
    kind: 'PodDisruptionBudget',
    shape: objects.podDisruptionBudget,
  }),
  horizontalPodAutoscalers: builtin({
    group: 'autoscaling',
    versions: ['v2', 'v1'],
    kind: 'HorizontalPodAutoscaler',
    shape: objects.horizontalPodAutoscaler,
  }),
  scaledObjects: custom({
    group: 'keda.sh',
    versions: ['v1alpha1'],
    kind: 'ScaledObject',
    shape: objects.scaledObject,
  }),
  services: builtin({ group: '', versions: ['v1'], kind: 'Service', shape: objects.service }),
  ingresses: builtin({
    group: 'networking.k8s.io',
    versions: ['v1'],
    kind: 'Ingress',
    shape: objects.ingress,
  }),
  routes: custom({
    group: 'route.openshift.io',
    versions: ['v1'],
    kind: 'Route',
    shape: objects.route,
  }),
  gatewayRoutes: custom({
    group: 'gateway.networking.k8s.io',
    versions: ['v1', 'v1beta1', 'v1alpha3', 'v1alpha2'],
    kind: 'HTTPRoute',
    resources: ['httproutes', 'grpcroutes', 'tlsroutes', 'tcproutes', 'udproutes'],
    shape: objects.gatewayRoute,
  }),
  validatingWebhookConfigurations: builtin({
    group: 'admissionregistration.k8s.io',
    versions: ['v1', 'v1beta1'],
    kind: 'ValidatingWebhookConfiguration',
    namespaced: false,
    shape: objects.validatingWebhookConfiguration,
  }),
  mutatingWebhookConfigurations: builtin({
    group: 'admissionregistration.k8s.io',
    versions: ['v1', 'v1beta1'],
    kind: 'MutatingWebhookConfiguration',
    namespaced: false,
    shape: objects.mutatingWebhookConfiguration,
  }),
  apiServices: builtin({
    group: 'apiregistration.k8s.io',
    versions: ['v1'],
    kind: 'APIService',
    namespaced: false,
    shape: objects.apiService,
  }),
  endpointSlices: builtin({
    group: 'discovery.k8s.io',
    versions: ['v1'],
    kind: 'EndpointSlice',
    shape: objects.endpointSlice,
  }),
  persistentVolumeClaims: builtin({
    group: '',
    versions: ['v1'],
    kind: 'PersistentVolumeClaim',
    shape: objects.persistentVolumeClaim,
  }),
  persistentVolumes: builtin({
    group: '',
    versions: ['v1'],
    kind: 'PersistentVolume',
    namespaced: false,
    shape: objects.persistentVolume,
  }),
  priorityClasses: builtin({
    group: 'scheduling.k8s.io',
    versions: ['v1'],
    kind: 'PriorityClass',
    namespaced: false,
    shape: objects.priorityClass,
  }),
  leases: builtin({
    group: 'coordination.k8s.io',
    versions: ['v1'],
    kind: 'Lease',
    shape: objects.lease,
  }),
  lockMetadata: {
    ...builtin({
      group: '',
      versions: ['v1'],
      kind: 'ConfigMap',
      shape: objects.metadataOnly,
    }),
    metadataOnly: true,
  },
} satisfies Record<string, KindInfo>;

export type Kind = keyof typeof kinds;
export type ObjectOf<K extends Kind> = ApiObject<(typeof kinds)[K]['shape']>;
export const kindNames = Object.keys(kinds) as readonly Kind[];

/** The groups of kinds that most checks name together. */
export const W = ['deployments', 'statefulSets', 'daemonSets', 'replicaSets', 'pods'] as const;
export const usesOfW = ['rollouts', 'deploymentConfigs', 'replicationControllers', 'jobs'] as const;
export const A = ['horizontalPodAutoscalers'] as const;
export const usesOfA = ['scaledObjects'] as const;
export const N = ['nodes'] as const;
export const usesOfN = ['infrastructures'] as const;
export const T = ['services'] as const;
export const usesOfT = [
  'routes',
  'ingresses',
  'gatewayRoutes',
  'validatingWebhookConfigurations',
  'mutatingWebhookConfigurations',
  'apiServices',
] as const;
export const usesOfL = ['leases', 'lockMetadata'] as const;
