/** What controllers, the scheduler and kubelets make of a workload, for estates too large to wait for them. */
import { createHash } from 'node:crypto';
import type { Manifest } from '../sandbox/manifests.ts';
import type { SandboxNode } from '../sandbox/topologies.ts';

/** An object that is there: its owner's reference needs the server's own uid. */
export interface Written {
  readonly manifest: Manifest;
  readonly uid: string;
}

interface Workload extends Manifest {
  readonly spec: {
    readonly replicas?: number;
    readonly selector?: object;
    readonly template: Template;
  };
}

interface Template {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly { readonly name: string; readonly image: string }[];
  };
}

const time = '2026-01-05T08:00:00Z';

/** Whether this kind makes pods. */
export function isWorkload(manifest: Manifest): manifest is Workload {
  return ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'].includes(manifest.kind);
}

export function podCount({ kind, spec }: Workload, nodes: readonly SandboxNode[]): number {
  return kind === 'DaemonSet' ? nodes.length : (spec.replicas ?? 1);
}

/** The status of a workload of which every pod is ready. */
export function workloadStatus(workload: Workload, nodes: readonly SandboxNode[]): object {
  const count = podCount(workload, nodes);
  const observedGeneration = 1;
  const { name } = workload.metadata;
  switch (workload.kind) {
    case 'DaemonSet':
      return {
        observedGeneration,
        desiredNumberScheduled: count,
        currentNumberScheduled: count,
        updatedNumberScheduled: count,
        numberAvailable: count,
        numberReady: count,
        numberMisscheduled: 0,
      };
    case 'Job':
      return {
        startTime: time,
        completionTime: time,
        succeeded: 1,
        conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
      };
    case 'StatefulSet': {
      const revision = `${name}-${hashOf(name)}`;
      const revisions = { currentRevision: revision, updateRevision: revision };
      return { observedGeneration, ...counts(count), currentReplicas: count, ...revisions };
    }
    default:
      return {
        observedGeneration,
        ...counts(count),
        conditions: [
          condition('Available', 'MinimumReplicasAvailable'),
          condition('Progressing', 'NewReplicaSetAvailable'),
        ].map((each) => ({ ...each, lastUpdateTime: time })),
      };
  }
}

const counts = (replicas: number) => ({
  replicas,
  readyReplicas: replicas,
  availableReplicas: replicas,
  updatedReplicas: replicas,
});

/** Of a Deployment, the ReplicaSet that has all its pods. */
export function replicaSetOf(deployment: Workload, owner: Written): Workload {
  const { name, namespace, labels } = owner.manifest.metadata as Manifest['metadata'] & Labelled;
  const hash = { 'pod-template-hash': hashOf(`${namespace}/${name}`) };
  const { replicas = 1, selector, template } = deployment.spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash['pod-template-hash']}`,
      ...(namespace !== undefined && { namespace }),
      labels: { ...labels, ...hash },
      annotations: {
        'deployment.kubernetes.io/desired-replicas': String(replicas),
        'deployment.kubernetes.io/revision': '1',
      },
      ownerReferences: [reference(owner)],
    },
    spec: {
      replicas,
      selector: { matchLabels: { ...(selector as Selector).matchLabels, ...hash } },
      template: {
        ...template,
        metadata: { ...template.metadata, labels: { ...template.metadata.labels, ...hash } },
      },
    },
  };
}

interface Labelled {
  readonly labels?: Readonly<Record<string, string>>;
}
interface Selector {
  readonly matchLabels: Readonly<Record<string, string>>;
}

export function replicaSetStatus({ spec: { replicas = 1 } }: Workload): object {
  const { updatedReplicas: _, ...own } = counts(replicas);
  return { observedGeneration: 1, fullyLabeledReplicas: replicas, ...own };
}

/** Spread over the nodes, by a start that differs from workload to workload. */
export function podsOf(owner: Written, nodes: readonly SandboxNode[]): readonly Manifest[] {
  const workload = owner.manifest as Workload;
  const { name, namespace = 'default' } = workload.metadata;
  const start = createHash('sha1').update(`${namespace}/${name}`).digest().readUInt16BE();
  return Array.from({ length: podCount(workload, nodes) }, (_, index) => {
    const isOrdinal = workload.kind === 'StatefulSet';
    const suffix = isOrdinal ? index : hashOf(`${namespace}/${name}/${index}`).slice(0, 5);
    const { metadata, spec } = workload.spec.template;
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...metadata,
        name: `${name}-${suffix}`,
        namespace,
        generateName: `${name}-`,
        ownerReferences: [reference(owner)],
      },
      spec: { ...spec, nodeName: nodes[(start + index) % nodes.length]?.name },
    };
  });
}

/** As a kubelet reports a pod that runs, or has run to its end. */
export function podStatus(pod: Manifest): object {
  const { containers, restartPolicy } = pod['spec'] as Template['spec'] & {
    restartPolicy?: string;
  };
  const isDone = restartPolicy === 'Never';
  const ready = isDone ? 'False' : 'True';
  const id = createHash('sha256').update(`${pod.metadata.namespace}/${pod.metadata.name}`);
  const digest = id.digest();
  const ip = `10.${digest[0]}.${digest[1]}.${digest[2]}`;
  return {
    phase: isDone ? 'Succeeded' : 'Running',
    qosClass: 'Burstable',
    hostIP: '172.18.0.9',
    podIP: ip,
    podIPs: [{ ip }],
    startTime: time,
    conditions: [
      { ...condition('PodReadyToStartContainers'), status: ready },
      condition('Initialized'),
      { ...condition('Ready'), status: ready },
      { ...condition('ContainersReady'), status: ready },
      condition('PodScheduled'),
    ],
    containerStatuses: containers.map(({ name, image }) => ({
      name,
      image,
      imageID: `${image.split(':')[0]}@sha256:${'3e8a'.repeat(16)}`,
      containerID: `containerd://${digest.toString('hex')}`,
      ready: !isDone,
      started: !isDone,
      restartCount: 0,
      state: isDone
        ? { terminated: { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time } }
        : { running: { startedAt: time } },
    })),
  };
}

/** Of a budget over workloads whose pods are all ready. */
export function budgetStatus(budget: Manifest, pods: number): object {
  const { minAvailable, maxUnavailable } = budget['spec'] as Record<string, number | string>;
  const rounded = (value: number | string) =>
    typeof value === 'number' ? value : Math.ceil((pods * Number.parseInt(value, 10)) / 100);
  const desiredHealthy =
    minAvailable === undefined ? pods - rounded(maxUnavailable ?? 0) : rounded(minAvailable);
  const disruptionsAllowed = pods - desiredHealthy;
  const isAllowed = disruptionsAllowed > 0;
  return {
    observedGeneration: 1,
    expectedPods: pods,
    currentHealthy: pods,
    desiredHealthy,
    disruptionsAllowed,
    conditions: [
      {
        ...condition('DisruptionAllowed', isAllowed ? 'SufficientPods' : 'InsufficientPods'),
        status: isAllowed ? 'True' : 'False',
        message: '',
        observedGeneration: 1,
      },
    ],
  };
}

function condition(type: string, reason?: string) {
  return { type, status: 'True', lastTransitionTime: time, ...(reason && { reason }) };
}

function reference({ manifest: { apiVersion, kind, metadata }, uid }: Written) {
  return { apiVersion, kind, name: metadata.name, uid, controller: true, blockOwnerDeletion: true };
}

/** Ten characters, as Kubernetes would choose them. */
function hashOf(text: string): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
  const bytes = createHash('sha1').update(text).digest().subarray(0, 10);
  return [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('');
}
