/** Who sends requests to a workload: Services, webhooks, aggregated APIs, routes and host ports. */
import type { TrafficArtifacts } from './callers.ts';
import { calledServices } from './callers.ts';
import type { Container, Service } from './objects.ts';
import { takesHostPorts } from './pods.ts';
import type { Scope } from './scope.ts';
import { serviceSelects } from './selector.ts';
import type { Workload } from './workload.ts';

/**
 * The Services that send traffic to the pods of a workload, or of one of them, which may have got its
 * label from elsewhere: the leader's. One without selector selects nothing.
 */
export function servicesOf(workload: Workload, artifacts: TrafficArtifacts): readonly Service[] {
  const labels = [workload.labels, ...workload.counted.map((pod) => pod.metadata.labels)];
  return artifacts.services
    .in(workload.namespace)
    .filter((service) => labels.some((own) => serviceSelects(service, own)));
}

/** Scraped, not called: ServiceMonitors are no evidence, they also scrape ports that serve. */
export function isMetricsOnly(service: Service): boolean {
  const { name } = service.metadata;
  const ports = portsOf(service);
  if (name === 'metrics' || name.endsWith('-metrics')) return true;
  return ports.length > 0 && ports.every(isScraped);
}

const portsOf = ({ spec = {} }: Service) => spec.ports ?? [];

const isScraped = ({ name = '' }: { readonly name?: string }) =>
  /(^|-)(metrics|mtrc)(-|$)/.test(name);

/** Somebody outside its own application waits for an answer: its absence is an outage for them. */
export function isFrontDoor(
  workload: Workload,
  artifacts: TrafficArtifacts,
  scope: Scope,
): boolean {
  return servicesOf(workload, artifacts).some((service) => isCalled(service, artifacts, scope));
}

function isCalled({ metadata, spec = {} }: Service, artifacts: TrafficArtifacts, scope: Scope) {
  return (
    calledServices(artifacts, scope).has(metadata.name) ||
    spec.type === 'LoadBalancer' ||
    spec.type === 'NodePort' ||
    (spec.externalIPs ?? []).length > 0
  );
}

/** The Services of a workload over which more than scrapes come in. */
export function trafficServices(workload: Workload, artifacts: TrafficArtifacts, scope: Scope) {
  return servicesOf(workload, artifacts).filter(
    (service) => !isMetricsOnly(service) || isCalled(service, artifacts, scope),
  );
}

/** In a data path, as far as objects show. */
export function isServing(workload: Workload, artifacts: TrafficArtifacts, scope: Scope): boolean {
  return trafficServices(workload, artifacts, scope).length > 0 || takesHostPorts(workload.spec);
}

/** Where the ports of a workload's serving Services lead. */
export interface TrafficTargets {
  /** Containers that declare a target. */
  readonly containers: readonly (Target & { readonly container: Container })[];
  /** Numbers that no container declares: legal, the list of ports only informs. */
  readonly undeclared: readonly Target[];
}

interface Target {
  readonly target: number | string;
  readonly protocol: string;
  /** `Service shop/web port http`. */
  readonly via: string;
}

/** A name is resolved per pod template, and both number and name within the same protocol. */
export function trafficTargets(
  workload: Workload,
  artifacts: TrafficArtifacts,
  scope: Scope,
): TrafficTargets {
  const declared = new Map<Container, Target>();
  const undeclared: Target[] = [];
  for (const service of trafficServices(workload, artifacts, scope)) {
    for (const port of trafficPorts(service)) {
      const { name = port.port, protocol = 'TCP', targetPort = port.port ?? 0 } = port;
      const title = `Service ${workload.namespace}/${service.metadata.name}`;
      const target = { target: targetPort, protocol, via: `${title} port ${name}` };
      const found = (workload.spec.containers ?? []).filter((c) => declares(c, target));
      // A name that no container declares leads nowhere: such a pod is no endpoint of the port.
      if (found.length === 0 && typeof targetPort === 'number') {
        undeclared.push({ ...target, via: title });
      }
      for (const container of found) {
        if (!declared.has(container)) declared.set(container, target);
      }
    }
  }
  return {
    containers: [...declared].map(([container, target]) => ({ container, ...target })),
    undeclared,
  };
}

/** Beside ports that serve, one that is scraped has no clients of its own. */
function trafficPorts(service: Service) {
  const ports = portsOf(service);
  return isMetricsOnly(service) ? ports : ports.filter((port) => !isScraped(port));
}

export function declares(
  container: Container,
  { target, protocol }: Pick<Target, 'target' | 'protocol'>,
): boolean {
  return (container.ports ?? []).some(
    (port) =>
      (port.protocol ?? 'TCP') === protocol &&
      (typeof target === 'number' ? port.containerPort === target : port.name === target),
  );
}
