/** The shapes of the API objects that checks read: which fields are kept, and under which Protobuf numbers. */
import { fingerprint, onlySleep } from './hidden.ts';
import type { Projected, Shape } from './shape.ts';
import {
  bool,
  inline,
  int,
  intOrString,
  list,
  object,
  optional,
  optionalBool,
  optionalInt,
  presence,
  quantityMap,
  text,
  textMap,
  texts,
  time,
  timeMap,
} from './shape.ts';

/**
 * The annotations that some rule reads. Annotations may hold anything (kubectl's last-applied
 * configuration holds environment values), so that all others stay in the cluster.
 */
const annotationsRead = new Set([
  'control-plane.alpha.kubernetes.io/leader',
  'kubernetes.io/config.mirror',
  'autoscaling.keda.sh/paused',
  'autoscaling.keda.sh/paused-replicas',
  'ha-compliance/quorum',
  'ha-compliance/jira-component',
  'debug.openshift.io/source-resource',
  'helm.sh/hook',
  'machineconfiguration.openshift.io/currentConfig',
  'machineconfiguration.openshift.io/desiredConfig',
  'machineconfiguration.openshift.io/state',
  'machineconfiguration.openshift.io/desiredDrain',
  'machineconfiguration.openshift.io/lastAppliedDrain',
]);
const keepsAnnotation = (key: string) => annotationsRead.has(key);

const ownerReference = {
  apiVersion: text(5),
  kind: text(1),
  name: text(3),
  uid: text(4),
  controller: bool(6),
} satisfies Shape;
export type OwnerReference = Projected<typeof ownerReference>;

const metadata = {
  name: text(1),
  generateName: text(2),
  namespace: text(3),
  uid: text(5),
  generation: int(7),
  creationTimestamp: time(8),
  deletionTimestamp: time(9),
  labels: textMap(11),
  annotations: textMap(12, keepsAnnotation),
  ownerReferences: list(13, ownerReference),
} satisfies Shape;

/** Every object says what it is and has a name: reading refuses one that has not. */
interface Named {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Projected<typeof metadata> & { readonly name: string };
}
export type ApiObject<S extends Shape = typeof metadataOnly> = Omit<Projected<S>, 'metadata'> &
  Named;

export const metadataOnly = { metadata: object(1, metadata) } satisfies Shape;

const labelSelector = {
  matchLabels: textMap(1),
  matchExpressions: list(2, { key: text(1), operator: text(2), values: texts(3) }),
} satisfies Shape;
export type LabelSelector = Projected<typeof labelSelector>;

const condition = {
  type: text(1),
  status: text(2),
  lastTransitionTime: time(4),
  reason: text(5),
  message: text(6),
} satisfies Shape;

const nodeSelectorTerm = {
  matchExpressions: list(1, { key: text(1), operator: text(2), values: texts(3) }),
  matchFields: list(2, { key: text(1), operator: text(2), values: texts(3) }),
} satisfies Shape;
export type NodeSelectorTerm = Projected<typeof nodeSelectorTerm>;

const podAffinityTerm = {
  labelSelector: optional(1, labelSelector),
  namespaces: texts(2),
  topologyKey: text(3),
  namespaceSelector: optional(4, labelSelector),
  matchLabelKeys: texts(5),
  mismatchLabelKeys: texts(6),
} satisfies Shape;
export type PodAffinityTerm = Projected<typeof podAffinityTerm>;

const topologySpreadConstraint = {
  maxSkew: int(1),
  topologyKey: text(2),
  whenUnsatisfiable: text(3),
  labelSelector: optional(4, labelSelector),
  minDomains: optionalInt(5),
  nodeAffinityPolicy: text(6),
  nodeTaintsPolicy: text(7),
  matchLabelKeys: texts(8),
} satisfies Shape;
export type TopologySpreadConstraint = Projected<typeof topologySpreadConstraint>;

const toleration = {
  key: text(1),
  operator: text(2),
  value: text(3),
  effect: text(4),
  tolerationSeconds: optionalInt(5),
} satisfies Shape;
export type Toleration = Projected<typeof toleration>;

// Commands and headers may hold credentials: of those of probes enough is kept to tell whether two are
// the same.
const httpGet = {
  path: text(1),
  port: intOrString(2),
  host: text(3),
  scheme: text(4),
  httpHeaders: list(5, { name: text(1), value: text(2, fingerprint) }),
} satisfies Shape;

const probe = {
  handler: inline(1, {
    exec: optional(1, { command: texts(1, fingerprint) }),
    httpGet: optional(2, httpGet),
    tcpSocket: optional(3, { port: intOrString(1), host: text(2) }),
    grpc: optional(4, { port: int(1), service: text(2) }),
  }),
  initialDelaySeconds: int(2),
  timeoutSeconds: int(3),
  periodSeconds: int(4),
  successThreshold: int(5),
  failureThreshold: int(6),
} satisfies Shape;
export type Probe = Projected<typeof probe>;

const containerPort = {
  name: text(1),
  hostPort: int(2),
  containerPort: int(3),
  protocol: text(4),
} satisfies Shape;

const isRequested = (resource: string) => resource === 'cpu' || resource === 'memory';
const resources = {
  limits: quantityMap(1, isRequested),
  requests: quantityMap(2, isRequested),
} satisfies Shape;
export type Resources = Projected<typeof resources>;

const container = {
  name: text(1),
  ports: list(6, containerPort),
  resources: object(8, resources),
  volumeMounts: list(9, { name: text(1), readOnly: bool(2) }),
  lifecycle: optional(12, {
    preStop: optional(2, {
      exec: optional(1, { command: texts(1, onlySleep) }),
      httpGet: presence(2),
      tcpSocket: presence(3),
      sleep: optional(4, { seconds: int(1) }),
    }),
  }),
  restartPolicy: text(24),
  livenessProbe: optional(10, probe),
  readinessProbe: optional(11, probe),
  startupProbe: optional(22, probe),
} satisfies Shape;
export type Container = Projected<typeof container>;

const volume = {
  name: text(1),
  volumeSource: inline(2, {
    hostPath: presence(1),
    persistentVolumeClaim: optional(10, { claimName: text(1), readOnly: bool(2) }),
  }),
} satisfies Shape;

const podSpec = {
  volumes: list(1, volume),
  initContainers: list(20, container),
  containers: list(2, container),
  restartPolicy: text(3),
  terminationGracePeriodSeconds: optionalInt(4),
  nodeSelector: textMap(7),
  nodeName: text(10),
  hostNetwork: bool(11),
  affinity: optional(18, {
    nodeAffinity: optional(1, {
      requiredDuringSchedulingIgnoredDuringExecution: optional(1, {
        nodeSelectorTerms: list(1, nodeSelectorTerm),
      }),
    }),
    podAffinity: optional(2, {
      requiredDuringSchedulingIgnoredDuringExecution: list(1, podAffinityTerm),
    }),
    podAntiAffinity: optional(3, {
      requiredDuringSchedulingIgnoredDuringExecution: list(1, podAffinityTerm),
      preferredDuringSchedulingIgnoredDuringExecution: list(2, {
        podAffinityTerm: object(2, podAffinityTerm),
      }),
    }),
  }),
  tolerations: list(22, toleration),
  priorityClassName: text(24),
  readinessGates: list(28, { conditionType: text(1) }),
  topologySpreadConstraints: list(33, topologySpreadConstraint),
  resources: optional(40, resources),
} satisfies Shape;
export type PodSpec = Projected<typeof podSpec>;

const podTemplate = {
  metadata: object(1, { labels: textMap(11) }),
  spec: object(2, podSpec),
} satisfies Shape;
export type PodTemplate = Projected<typeof podTemplate>;

export const pod = {
  metadata: object(1, metadata),
  spec: object(2, podSpec),
  status: object(3, {
    phase: text(1),
    conditions: list(2, {
      type: text(1),
      status: text(2),
      lastTransitionTime: time(4),
      reason: text(5),
      message: text(6),
    }),
    containerStatuses: list(8, {
      name: text(1),
      state: object(2, { waiting: optional(1, { reason: text(1) }) }),
      restartCount: int(5),
    }),
  }),
} satisfies Shape;
export type Pod = ApiObject<typeof pod>;

/** Of a pod whose owner's template says the rest; admission may have added requests. */
export const templatedPod = {
  ...pod,
  spec: object(2, {
    containers: list(2, { name: text(1), resources: object(8, resources) }),
    restartPolicy: text(3),
    nodeName: text(10),
    hostNetwork: bool(11),
  }),
} satisfies Shape;

export const deployment = {
  metadata: object(1, metadata),
  spec: object(2, {
    replicas: optionalInt(1),
    selector: optional(2, labelSelector),
    template: object(3, podTemplate),
    strategy: object(4, {
      type: text(1),
      rollingUpdate: optional(2, { maxUnavailable: intOrString(1), maxSurge: intOrString(2) }),
    }),
    minReadySeconds: int(5),
    revisionHistoryLimit: optionalInt(6),
    paused: bool(7),
    progressDeadlineSeconds: optionalInt(9),
  }),
  status: object(3, {
    observedGeneration: int(1),
    replicas: int(2),
    updatedReplicas: int(3),
    readyReplicas: int(7),
    availableReplicas: int(4),
    conditions: list(6, {
      type: text(1),
      status: text(2),
      lastUpdateTime: time(6),
      lastTransitionTime: time(7),
      reason: text(4),
      message: text(5),
    }),
  }),
} satisfies Shape;
export type Deployment = ApiObject<typeof deployment>;

export const statefulSet = {
  metadata: object(1, metadata),
  spec: object(2, {
    replicas: optionalInt(1),
    selector: optional(2, labelSelector),
    template: object(3, podTemplate),
    volumeClaimTemplates: list(4, { metadata: object(1, { name: text(1) }) }),
    podManagementPolicy: text(6),
    updateStrategy: object(7, {
      type: text(1),
      rollingUpdate: optional(2, { partition: optionalInt(1), maxUnavailable: intOrString(2) }),
    }),
    revisionHistoryLimit: optionalInt(8),
    minReadySeconds: int(9),
    ordinals: optional(11, { start: int(1) }),
  }),
  status: object(3, {
    observedGeneration: int(1),
    replicas: int(2),
    readyReplicas: int(3),
    currentReplicas: int(4),
    updatedReplicas: int(5),
    currentRevision: text(6),
    updateRevision: text(7),
    availableReplicas: int(11),
  }),
} satisfies Shape;
export type StatefulSet = ApiObject<typeof statefulSet>;

export const daemonSet = {
  metadata: object(1, metadata),
  spec: object(2, {
    selector: optional(1, labelSelector),
    template: object(2, podTemplate),
    updateStrategy: object(3, {
      type: text(1),
      rollingUpdate: optional(2, { maxUnavailable: intOrString(1), maxSurge: intOrString(2) }),
    }),
    minReadySeconds: int(4),
  }),
  status: object(3, {
    desiredNumberScheduled: int(3),
    numberReady: int(4),
    observedGeneration: int(5),
    updatedNumberScheduled: int(6),
    numberAvailable: int(7),
  }),
} satisfies Shape;
export type DaemonSet = ApiObject<typeof daemonSet>;

export const replicaSet = {
  metadata: object(1, metadata),
  spec: object(2, {
    replicas: optionalInt(1),
    selector: optional(2, labelSelector),
    template: object(3, podTemplate),
  }),
  status: object(3, { replicas: int(1), availableReplicas: int(5), observedGeneration: int(3) }),
} satisfies Shape;
export type ReplicaSet = ApiObject<typeof replicaSet>;

export const replicationController = {
  metadata: object(1, metadata),
  spec: object(2, {
    replicas: optionalInt(1),
    selector: textMap(2),
    template: optional(3, podTemplate),
  }),
} satisfies Shape;
export type ReplicationController = ApiObject<typeof replicationController>;

const jobCondition = { type: text(1), status: text(2) } satisfies Shape;

export const job = {
  metadata: object(1, metadata),
  spec: object(2, { suspend: bool(10) }),
  status: object(3, { conditions: list(1, jobCondition) }),
} satisfies Shape;
export type Job = ApiObject<typeof job>;

export const cronJob = {
  metadata: object(1, metadata),
  spec: object(2, { suspend: bool(4) }),
} satisfies Shape;

export const podDisruptionBudget = {
  metadata: object(1, metadata),
  spec: object(2, {
    minAvailable: intOrString(1),
    selector: optional(2, labelSelector),
    maxUnavailable: intOrString(3),
    unhealthyPodEvictionPolicy: text(4),
  }),
  status: object(3, {
    observedGeneration: int(1),
    disruptedPods: timeMap(2),
    disruptionsAllowed: int(3),
    currentHealthy: int(4),
    desiredHealthy: int(5),
    expectedPods: int(6),
    conditions: list(7, { type: text(1), status: text(2), reason: text(5), message: text(6) }),
  }),
} satisfies Shape;
export type PodDisruptionBudget = ApiObject<typeof podDisruptionBudget>;

export const horizontalPodAutoscaler = {
  metadata: object(1, metadata),
  spec: object(2, {
    scaleTargetRef: object(1, { kind: text(1), name: text(2), apiVersion: text(3) }),
    minReplicas: optionalInt(2),
    maxReplicas: int(3),
  }),
  status: object(3, {
    conditions: list(6, {
      type: text(1),
      status: text(2),
      lastTransitionTime: time(3),
      reason: text(4),
      message: text(5),
    }),
  }),
} satisfies Shape;
export type HorizontalPodAutoscaler = ApiObject<typeof horizontalPodAutoscaler>;

export const service = {
  metadata: object(1, metadata),
  spec: object(2, {
    ports: list(1, {
      name: text(1),
      protocol: text(2),
      port: int(3),
      targetPort: intOrString(4),
    }),
    selector: textMap(2),
    clusterIP: text(3),
    type: text(4),
    externalIPs: texts(5),
    publishNotReadyAddresses: bool(13),
  }),
} satisfies Shape;
export type Service = ApiObject<typeof service>;

const ingressBackend = { service: optional(4, { name: text(1) }) } satisfies Shape;

export const ingress = {
  metadata: object(1, metadata),
  spec: object(2, {
    defaultBackend: optional(1, ingressBackend),
    rules: list(3, {
      ingressRuleValue: inline(2, {
        http: optional(1, { paths: list(1, { backend: object(2, ingressBackend) }) }),
      }),
    }),
  }),
} satisfies Shape;

// A URL may hold a credential: only its being there is kept.
const webhook = {
  name: text(1),
  clientConfig: object(2, {
    service: optional(1, { namespace: text(1), name: text(2) }),
    url: text(3, () => 'https://…'),
  }),
  rules: list(3, {
    operations: texts(1),
    rule: inline(2, {
      apiGroups: texts(1),
      apiVersions: texts(2),
      resources: texts(3),
      scope: text(4),
    }),
  }),
  failurePolicy: text(4),
  namespaceSelector: optional(5, labelSelector),
  timeoutSeconds: optionalInt(7),
  matchPolicy: text(9),
} satisfies Shape;
export type WebhookRule = NonNullable<Projected<typeof webhook>['rules']>[number];

export const validatingWebhookConfiguration = {
  metadata: object(1, metadata),
  webhooks: list(2, {
    ...webhook,
    objectSelector: optional(10, labelSelector),
    matchConditions: list(11, { name: text(1) }),
  }),
} satisfies Shape;

export const mutatingWebhookConfiguration = {
  metadata: object(1, metadata),
  webhooks: list(2, {
    ...webhook,
    objectSelector: optional(11, labelSelector),
    matchConditions: list(12, { name: text(1) }),
  }),
} satisfies Shape;
export type WebhookConfiguration = ApiObject<typeof validatingWebhookConfiguration>;

export const apiService = {
  metadata: object(1, metadata),
  spec: object(2, {
    service: optional(1, { namespace: text(1), name: text(2) }),
    group: text(2),
    version: text(3),
  }),
  status: object(3, {
    conditions: list(1, { type: text(1), status: text(2), reason: text(4), message: text(5) }),
  }),
} satisfies Shape;
export type ApiService = ApiObject<typeof apiService>;

export const endpointSlice = {
  metadata: object(1, metadata),
  endpoints: list(2, {
    conditions: object(2, {
      ready: optionalBool(1),
      serving: optionalBool(2),
      terminating: optionalBool(3),
    }),
    targetRef: optional(4, { kind: text(1), name: text(3), uid: text(4) }),
    nodeName: text(6),
  }),
} satisfies Shape;
export type EndpointSlice = ApiObject<typeof endpointSlice>;

export const persistentVolumeClaim = {
  metadata: object(1, metadata),
  spec: object(2, { accessModes: texts(1), volumeName: text(3) }),
} satisfies Shape;
export type PersistentVolumeClaim = ApiObject<typeof persistentVolumeClaim>;

export const persistentVolume = {
  metadata: object(1, metadata),
  spec: object(2, {
    persistentVolumeSource: inline(2, { hostPath: presence(3), local: presence(20) }),
    accessModes: texts(3),
    claimRef: optional(4, { namespace: text(2), name: text(3), uid: text(4) }),
    nodeAffinity: optional(9, {
      required: optional(1, { nodeSelectorTerms: list(1, nodeSelectorTerm) }),
    }),
  }),
} satisfies Shape;
export type PersistentVolume = ApiObject<typeof persistentVolume>;

export const priorityClass = {
  metadata: object(1, metadata),
  value: int(2),
  globalDefault: bool(3),
} satisfies Shape;
export type PriorityClass = ApiObject<typeof priorityClass>;

export const lease = {
  metadata: object(1, metadata),
  spec: object(2, {
    holderIdentity: text(1),
    leaseDurationSeconds: optionalInt(2),
    renewTime: time(4),
  }),
} satisfies Shape;
export type Lease = ApiObject<typeof lease>;

export const node = {
  metadata: object(1, metadata),
  spec: object(2, {
    providerID: text(3),
    unschedulable: bool(4),
    taints: list(5, { key: text(1), value: text(2), effect: text(3), timeAdded: time(4) }),
  }),
  status: object(3, {
    conditions: list(4, condition),
    nodeInfo: object(7, { kubeletVersion: text(7) }),
  }),
} satisfies Shape;
export type Node = ApiObject<typeof node>;
export type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];

export const namespace = {
  metadata: object(1, metadata),
  status: object(3, { phase: text(1) }),
} satisfies Shape;
export type Namespace = ApiObject<typeof namespace>;

// From here on kinds that are served as JSON only: custom resources, and OpenShift's aggregated API.

export const infrastructure = {
  metadata: object(0, metadata),
  spec: object(0, { controlPlaneTopology: text() }),
  status: object(0, {
    controlPlaneTopology: text(),
    infrastructureTopology: text(),
    platform: text(),
    platformStatus: object(0, { type: text() }),
  }),
} satisfies Shape;
export type Infrastructure = ApiObject<typeof infrastructure>;

export const clusterVersion = {
  metadata: object(0, metadata),
  status: object(0, {
    desired: object(0, { version: text() }),
    history: list(0, { state: text(), version: text() }),
  }),
} satisfies Shape;

export const clusterOperator = {
  metadata: object(0, metadata),
  status: object(0, {
    relatedObjects: list(0, { group: text(), resource: text(), namespace: text(), name: text() }),
  }),
} satisfies Shape;

export const machineConfigPool = {
  metadata: object(0, metadata),
  spec: object(0, {
    paused: bool(),
    maxUnavailable: intOrString(),
    configuration: object(0, { name: text() }),
  }),
  status: object(0, {
    configuration: object(0, { name: text() }),
    machineCount: int(),
    updatedMachineCount: int(),
    conditions: list(0, condition),
  }),
} satisfies Shape;
export type MachineConfigPool = ApiObject<typeof machineConfigPool>;

export const scaledObject = {
  metadata: object(0, metadata),
  spec: object(0, {
    scaleTargetRef: object(0, { apiVersion: text(), kind: text(), name: text() }),
    minReplicaCount: optionalInt(),
    maxReplicaCount: optionalInt(),
    idleReplicaCount: optionalInt(),
  }),
} satisfies Shape;
export type ScaledObject = ApiObject<typeof scaledObject>;

export const deploymentConfig = {
  metadata: object(0, metadata),
  spec: object(0, {
    replicas: optionalInt(),
    selector: textMap(),
    template: optional(0, podTemplate),
    paused: bool(),
    strategy: object(0, {
      type: text(),
      rollingParams: optional(0, { maxUnavailable: intOrString(), maxSurge: intOrString() }),
    }),
  }),
  status: object(0, { observedGeneration: int(), replicas: int(), updatedReplicas: int() }),
} satisfies Shape;
export type DeploymentConfig = ApiObject<typeof deploymentConfig>;

export const argoRollout = {
  metadata: object(0, metadata),
  spec: object(0, {
    replicas: optionalInt(),
    selector: optional(0, labelSelector),
    template: optional(0, podTemplate),
    workloadRef: optional(0, { apiVersion: text(), kind: text(), name: text() }),
    paused: bool(),
  }),
  status: object(0, { observedGeneration: text(), replicas: int(), updatedReplicas: int() }),
} satisfies Shape;
export type ArgoRollout = ApiObject<typeof argoRollout>;

export const route = {
  metadata: object(0, metadata),
  spec: object(0, {
    to: object(0, { kind: text(), name: text() }),
    alternateBackends: list(0, { kind: text(), name: text() }),
  }),
} satisfies Shape;

export const gatewayRoute = {
  metadata: object(0, metadata),
  spec: object(0, {
    rules: list(0, {
      backendRefs: list(0, { group: text(), kind: text(), name: text(), namespace: text() }),
    }),
  }),
} satisfies Shape;
export type GatewayRoute = ApiObject<typeof gatewayRoute>;
