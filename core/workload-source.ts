/** The kinds of objects that a workload is made from, and where each keeps its figures. */
import type {
  ArgoRollout,
  DaemonSet,
  Deployment,
  DeploymentConfig,
  OwnerReference,
  PodTemplate,
  ReplicaSet,
  StatefulSet,
} from './objects.ts';
import type { Owner, OwnerArtifacts, Source } from './owner.ts';
import { groupOf, ownership } from './owner.ts';
import type { Scope } from './scope.ts';

/** The objects of the scope's namespace that are highest on their chain of owners. */
export function sourcesOf(artifacts: OwnerArtifacts, scope: Scope): readonly Source[] {
  const collections = [
    artifacts.deployments,
    artifacts.statefulSets,
    artifacts.daemonSets,
    artifacts.replicaSets,
    artifacts.replicationControllers,
    artifacts.deploymentConfigs,
    artifacts.rollouts,
  ];
  const objects = collections.flatMap(
    (collection): readonly Source[] => collection?.in(scope.namespace) ?? [],
  );
  return objects.filter((object) => {
    const { chain, isGone } = ownership(artifacts, scope, object);
    return chain.length === 0 && !isGone;
  });
}

export function isDeployment(source: Source | undefined): source is Deployment {
  return source?.kind === 'Deployment' && groupOf(source.apiVersion) === 'apps';
}

export function isStatefulSet(source: Source | undefined): source is StatefulSet {
  return source?.kind === 'StatefulSet';
}

export function isDaemonSet(source: Source | undefined): source is DaemonSet {
  return source?.kind === 'DaemonSet';
}

export function isReplicaSet(source: Owner | undefined): source is ReplicaSet {
  return source?.kind === 'ReplicaSet';
}

export function isDeploymentConfig(source: Source | undefined): source is DeploymentConfig {
  return source?.kind === 'DeploymentConfig';
}

export function isArgoRollout(source: Source | undefined): source is ArgoRollout {
  return source?.kind === 'Rollout';
}

/** `spec.replicas` as it is written; undefined where nothing is. */
export function declaredReplicas(source: Source | undefined): number | undefined {
  return source?.spec && 'replicas' in source.spec ? source.spec.replicas : undefined;
}

/** The pods that are asked for. Of a DaemonSet in a manifest that is unknown, but not none. */
export function replicasOf(source: Source): number {
  if (!isDaemonSet(source)) return source.spec?.replicas ?? 1;
  if (source.metadata.uid === undefined) return 1;
  return source.status?.desiredNumberScheduled ?? 0;
}

/** Undefined when the pods' template is written elsewhere and was not read. */
export function templateOf(source: Source, artifacts: OwnerArtifacts) {
  const template = isArgoRollout(source)
    ? rolloutTemplate(source, artifacts)
    : source.spec?.template;
  return template && { labels: template.metadata?.labels ?? {}, spec: template.spec ?? {} };
}

// A Rollout may borrow the template of a Deployment or a ReplicaSet, which is then scaled to zero.
function rolloutTemplate(rollout: ArgoRollout, artifacts: OwnerArtifacts): PodTemplate | undefined {
  const { template, workloadRef: { kind, name = '' } = {} } = rollout.spec ?? {};
  if (template) return template;
  const { namespace } = rollout.metadata;
  if (kind === 'Deployment') return artifacts.deployments.get(namespace, name)?.spec?.template;
  if (kind === 'ReplicaSet') return artifacts.replicaSets.get(namespace, name)?.spec?.template;
  return undefined;
}

/**
 * The object above a workload. OLM refers to the ClusterServiceVersion without making it the
 * controller, and yet it is what sets the replicas.
 */
export function managerOf(source: Source, above: OwnerReference | undefined) {
  const reference =
    above ?? source.metadata.ownerReferences?.find(({ kind }) => kind === 'ClusterServiceVersion');
  if (!reference) return undefined;
  const { kind = '', name = '' } = reference;
  const { namespace } = source.metadata;
  return {
    kind,
    ...(namespace !== undefined && !isClusterSingleton(reference) && { namespace }),
    name,
  };
}

// A reference says nothing of scope. OpenShift's own configuration objects are singletons of the cluster.
function isClusterSingleton({ apiVersion, name }: OwnerReference): boolean {
  return name === 'cluster' && groupOf(apiVersion).endsWith('.openshift.io');
}
