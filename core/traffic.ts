/** Who sends requests to a workload: Services, webhooks, aggregated APIs, routes and host ports. */
import type { TrafficArtifacts } from './callers.ts';
import { calledServices } from './callers.ts';
import type { Container, Service } from './objects.ts';
import { hostPorts } from './pods.ts';
import type { Scope } from './scope.ts';
import { includes } from './selector.ts';
import type { Workload } from './workload.ts';

type ServicePort = NonNullable<NonNullable<Service['spec']>['ports']>[number];

/** The Services that send traffic to the pods of a workload; one without selector selects nothing. */
export function servicesOf(workload: Workload, artifacts: TrafficArtifacts): readonly Service[] {
  return artifacts.services.in(workload.namespace).filter(({ spec = {} }) => {
    const { selector, type } = spec;
    return selector !== undefined && type !== 'ExternalName' && includes(workload.labels, selector);
  });
}

/** Scraped, not called: ServiceMonitors are no evidence, they also scrape ports that serve. */
export function isMetricsOnly({ metadata: { name }, spec = {} }: Service): boolean {
  const { ports = [] } = spec;
  if (name === 'metrics' || name.endsWith('-metrics')) return true;
  return (
    ports.length > 0 && ports.every((port) => /(^|-)(metrics|mtrc)(-|$)/.test(port.name ?? ''))
  );
}

/** Somebody outside the workload's own kind waits for an answer: its absence is an outage for them. */
export function isFrontDoor(
  workload: Workload,
  artifacts: TrafficArtifacts,
  scope: Scope,
): boolean {
  const called = calledServices(artifacts, scope);
  return servicesOf(workload, artifacts).some(
    ({ metadata: { name }, spec = {} }) =>
      called.has(name) ||
      spec.type === 'LoadBalancer' ||
      spec.type === 'NodePort' ||
      (spec.externalIPs ?? []).length > 0,
  );
}

/** In a data path, as far as objects show. */
export function isServing(workload: Workload, artifacts: TrafficArtifacts, scope: Scope): boolean {
  return (
    isFrontDoor(workload, artifacts, scope) ||
    servicesOf(workload, artifacts).some((service) => !isMetricsOnly(service)) ||
    (workload.spec.containers ?? []).some(
      (container) => hostPorts(workload.spec, container).length > 0,
    )
  );
}

/** Where the ports of a workload's serving Services lead. */
export interface TrafficTargets {
  /** Containers that declare a target, with what leads there. */
  readonly containers: readonly { readonly container: Container; readonly via: string }[];
  /** Targets that no container declares: legal, the list of ports only informs. */
  readonly undeclared: readonly { readonly target: number | string; readonly service: string }[];
}

/** A name is resolved per pod template, and both number and name within the same protocol. */
export function trafficTargets(workload: Workload, artifacts: TrafficArtifacts): TrafficTargets {
  const containers = new Map<Container, string>();
  const undeclared: { target: number | string; service: string }[] = [];
  for (const service of servicesOf(workload, artifacts).filter((s) => !isMetricsOnly(s))) {
    for (const port of service.spec?.ports ?? []) {
      const target = port.targetPort ?? port.port ?? 0;
      const found = (workload.spec.containers ?? []).filter((c) => declares(c, port, target));
      const via = `Service ${workload.namespace}/${service.metadata.name}`;
      if (found.length === 0) undeclared.push({ target, service: via });
      for (const container of found) {
        if (!containers.has(container)) containers.set(container, `${via} port ${portName(port)}`);
      }
    }
  }
  return {
    containers: [...containers].map(([container, via]) => ({ container, via })),
    undeclared,
  };
}

const portName = (port: ServicePort) => port.name ?? String(port.port);

function declares(
  container: Container,
  { protocol = 'TCP' }: ServicePort,
  target: number | string,
) {
  return (container.ports ?? []).some(
    (port) =>
      (port.protocol ?? 'TCP') === protocol &&
      (typeof target === 'number' ? port.containerPort === target : port.name === target),
  );
}
