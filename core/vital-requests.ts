/** Requests that must go through for pods to come back, for leaders to stay and for nodes to be seen. */
import type { AdmissionRequest } from './admission.ts';
import type { Artifacts } from './artifacts.ts';
import type { usesOfW, W } from './kinds.ts';
import type { Scope } from './scope.ts';
import type { Labels } from './selector.ts';
import { serviceSelects } from './selector.ts';
import { olderThan } from './version.ts';
import { workloadsOf } from './workload.ts';

type VitalArtifacts = Artifacts<
  (typeof W)[number] | 'services' | 'namespaces',
  (typeof usesOfW)[number] | 'nodes'
>;

/** A request for an object in a namespace. */
export interface PlacedRequest extends AdmissionRequest {
  readonly namespace: string;
}

type Place = Pick<PlacedRequest, 'namespace' | 'namespaceLabels'>;
type What = Pick<AdmissionRequest, 'operation' | 'group' | 'versions' | 'resource'>;

/** What is asked of the API server until the pods behind a Service of the scope's namespace are back. */
export function restartRequests(name: string, artifacts: VitalArtifacts, scope: Scope) {
  const service = artifacts.services.get(scope.namespace, name);
  const workloads = workloadsOf(artifacts, scope).all.filter(
    ({ labels }) => service && serviceSelects(service, labels),
  );
  const here = place(scope.namespace ?? '', artifacts);
  const pods = known(workloads.map(({ labels }) => labels));
  const endpoints = service ? [{ ...service.metadata.labels, ...endpointLabels(name) }] : [];
  const rolled = workloads.filter(({ kind }) => kind === 'Deployment' || kind === 'Rollout');
  return {
    pods: [
      ...requests([core('CREATE', 'pods'), core('UPDATE', 'pods/status')], here, pods),
      ...requests([core('CREATE', 'pods/binding')], here, unlabelled),
      ...requests([core('CREATE', 'serviceaccounts/token')], here, unlabelled),
      ...requests(endpointUpdates(scope), here, endpoints),
    ],
    // Pods of the present ReplicaSet do come back without these.
    rollout: requests(
      [apps('CREATE', 'replicasets'), apps('UPDATE', 'replicasets')],
      here,
      rolled.map(({ labels }) => labels),
    ),
  };
}

/** What keeps the control plane going: its pods, and the locks of its leaders. */
export function controlPlaneRequests(
  artifacts: VitalArtifacts & Artifacts<'pods'>,
  scope: Scope,
): readonly PlacedRequest[] {
  return controlPlaneNamespaces(artifacts, scope).flatMap((name) => {
    const there = place(name, artifacts);
    const pods = known(artifacts.pods.in(name).map(({ metadata }) => metadata.labels));
    return [
      ...requests([core('CREATE', 'pods')], there, pods),
      ...requests([leaseUpdate(scope)], there, unlabelled),
    ];
  });
}

/** OpenShift marks the namespaces that must start before everything else. */
function controlPlaneNamespaces({ namespaces }: VitalArtifacts, { cluster }: Scope) {
  const first = cluster.openshift
    ? namespaces.all.filter(({ metadata }) => isFirst(metadata.labels?.[runLevel]))
    : [];
  return [...new Set(['kube-system', ...first.map(({ metadata }) => metadata.name)])];
}

/** Of a namespace: what starts before its admission webhooks do. */
export const runLevel = 'openshift.io/run-level';
const isFirst = (level: string | undefined) => level === '0' || level === '1';

/** What tells the control plane that a node is alive. */
export function heartbeatRequests(artifacts: VitalArtifacts, scope: Scope) {
  const nodes = known(artifacts.nodes?.all.map(({ metadata }) => metadata.labels) ?? []);
  return {
    leases: requests([leaseUpdate(scope)], place('kube-node-lease', artifacts), unlabelled),
    nodes: requests(
      [core('CREATE', 'nodes'), core('UPDATE', 'nodes'), core('UPDATE', 'nodes/status')],
      {},
      nodes,
    ),
  };
}

const unlabelled: readonly Labels[] = [{}];

/** Of objects that nobody has seen yet no label is known. */
const known = (all: readonly Labels[]) => (all.length > 0 ? all : unlabelled);

function requests<P extends Partial<Place>>(
  what: readonly What[],
  where: P,
  objects: readonly Labels[],
) {
  return what.flatMap((request) => objects.map((labels) => ({ ...request, ...where, labels })));
}

function place(namespace: string, { namespaces }: VitalArtifacts): Place {
  const own = namespaces.get(undefined, namespace)?.metadata.labels;
  // The API server keeps this label on every namespace.
  return { namespace, namespaceLabels: { ...own, 'kubernetes.io/metadata.name': namespace } };
}

const core = (operation: What['operation'], resource: string): What => ({
  operation,
  group: '',
  versions: ['v1'],
  resource,
});

const apps = (operation: What['operation'], resource: string): What => ({
  ...core(operation, resource),
  group: 'apps',
});

function leaseUpdate({ cluster: { serverVersion } }: Scope): What {
  return {
    operation: 'UPDATE',
    group: 'coordination.k8s.io',
    versions: isOlder(serverVersion, '1.22') ? ['v1', 'v1beta1'] : ['v1'],
    resource: 'leases',
  };
}

function endpointUpdates({ cluster: { serverVersion } }: Scope): readonly What[] {
  const both = ['CREATE', 'UPDATE'] as const;
  const slices = both.map((operation) => ({
    operation,
    group: 'discovery.k8s.io',
    versions: isOlder(serverVersion, '1.25') ? (['v1', 'v1beta1'] as const) : (['v1'] as const),
    resource: 'endpointslices',
  }));
  // The API server itself finds its webhooks by slices from this version on.
  const isBySlices = !isOlder(serverVersion, '1.33');
  return isBySlices
    ? slices
    : [...slices, ...both.map((operation) => core(operation, 'endpoints'))];
}

function endpointLabels(service: string) {
  return {
    'kubernetes.io/service-name': service,
    'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
  };
}

const isOlder = (version: string | undefined, than: string) =>
  version !== undefined && olderThan(version, than);
