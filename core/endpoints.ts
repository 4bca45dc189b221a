/** The pods behind a Service, and those of them that get its requests. */
import type { Artifacts } from './artifacts.ts';
import { kubectlGet } from './finding.ts';
import type { EndpointSlice, Pod, Service } from './objects.ts';
import { isReady, isTerminal, isTerminating } from './pods.ts';
import { serviceSelects } from './selector.ts';

export interface Endpoint {
  readonly pod: string;
  readonly node?: string;
}

/** Static pods are among them: a Service asks for labels only. */
export function selectedPods(service: Service, { pods }: Artifacts<'pods'>): readonly Pod[] {
  return pods
    .in(service.metadata.namespace)
    .filter((pod) => !isTerminal(pod) && !isTerminating(pod))
    .filter((pod) => serviceSelects(service, pod.metadata.labels));
}

/** One for each pod: in a cluster of two address families each pod has two addresses in two slices. */
export function readyEndpoints(
  service: Service,
  artifacts: Artifacts<'pods', 'endpointSlices'>,
): readonly Endpoint[] {
  const slices = artifacts.endpointSlices;
  // No slice in the whole cluster: its API server is too old to serve them. The pods tell as much.
  if (!slices || slices.all.length === 0) {
    return selectedPods(service, artifacts)
      .filter(isReady)
      .map(({ metadata, spec = {} }) => endpoint(metadata.name, spec.nodeName));
  }
  const { name, namespace } = service.metadata;
  const ready = slices
    .in(namespace)
    .filter(({ metadata }) => metadata.labels?.[serviceLabel] === name)
    .flatMap(({ endpoints = [] }) => endpoints)
    .filter((candidate) => getsRequests(candidate, service));
  const byPod = new Map<string, Endpoint>();
  for (const { targetRef, nodeName } of ready) {
    const { uid, name: pod = uid } = targetRef ?? {};
    if (uid !== undefined && pod !== undefined) byPod.set(uid, endpoint(pod, nodeName));
  }
  return [...byPod.values()];
}

const serviceLabel = 'kubernetes.io/service-name';

const endpoint = (pod: string, node: string | undefined): Endpoint => ({
  pod,
  ...(node !== undefined && { node }),
});

function getsRequests(
  { conditions = {} }: NonNullable<EndpointSlice['endpoints']>[number],
  { spec = {} }: Service,
): boolean {
  // Its endpoints are called ready whatever they are: what they really are stands beside it.
  if (spec.publishNotReadyAddresses) {
    return conditions.serving !== false && conditions.terminating !== true;
  }
  return conditions.ready !== false;
}

export function endpointsCommand({ metadata: { namespace = '', name } }: Service): string {
  const label = `${serviceLabel}=${name}`;
  return kubectlGet(['endpointslices', '-n', namespace, '-l', label, '-o', 'yaml']);
}
