/** What a probe asks, and what its numbers amount to. */
import type { Container, PodSpec, Probe } from './objects.ts';
import { isNativeSidecar } from './pods.ts';

/** A container that runs as long as its pod, and the list of the pod that it stands in. */
export interface Probeable {
  readonly container: Container;
  readonly list: 'containers' | 'initContainers';
}

/** The containers that may have probes: the regular ones, and native sidecars. */
export function probeable({ containers = [], initContainers = [] }: PodSpec): readonly Probeable[] {
  return [
    ...containers.map((container) => ({ container, list: 'containers' as const })),
    ...initContainers
      .filter(isNativeSidecar)
      .map((container) => ({ container, list: 'initContainers' as const })),
  ];
}

export interface NamedProbe {
  readonly name: 'readiness' | 'liveness' | 'startup';
  readonly probe: Probe;
}

export function probesOf(container: Container): readonly NamedProbe[] {
  const { readinessProbe, livenessProbe, startupProbe } = container;
  return [
    ...(readinessProbe ? [{ name: 'readiness', probe: readinessProbe } as const] : []),
    ...(livenessProbe ? [{ name: 'liveness', probe: livenessProbe } as const] : []),
    ...(startupProbe ? [{ name: 'startup', probe: startupProbe } as const] : []),
  ];
}

/** The numbers of a probe, with the API server's defaults. */
export function timingOf(probe: Probe) {
  const { initialDelaySeconds = 0, periodSeconds = 10, timeoutSeconds = 1 } = probe;
  const { failureThreshold = 3 } = probe;
  return { initialDelaySeconds, periodSeconds, timeoutSeconds, failureThreshold };
}

/** Seconds that a container has to start before its liveness probe restarts it. */
export function startBudget({ startupProbe, livenessProbe }: Container): number {
  const timing = timingOf(startupProbe ?? livenessProbe ?? {});
  return timing.initialDelaySeconds + timing.periodSeconds * timing.failureThreshold;
}

/** Seconds between two runs that hang: the next one waits for the timeout of the one before. */
export function longestPeriod(probe: Probe): number {
  const { periodSeconds, timeoutSeconds } = timingOf(probe);
  return Math.max(periodSeconds, timeoutSeconds);
}

/** Seconds until a probe gives up on a container that hangs, in the worst case. */
export function detectSeconds(probe: Probe): number {
  const { failureThreshold, timeoutSeconds } = timingOf(probe);
  return failureThreshold * longestPeriod(probe) + timeoutSeconds;
}

/** What a probe calls: the same text for two probes of a container that call the same. */
export function handlerOf(probe: Probe, container: Container): string | undefined {
  const { exec, httpGet, tcpSocket, grpc } = probe;
  if (exec) return JSON.stringify(['exec', exec.command]);
  if (httpGet) {
    const { scheme = 'HTTP', host, path = '/', httpHeaders = [] } = httpGet;
    const headers = httpHeaders.map(({ name, value }) => `${name?.toLowerCase()}: ${value}`);
    const port = resolvePort(httpGet.port, container);
    return JSON.stringify(['httpGet', scheme, host, port, path, headers.toSorted()]);
  }
  if (tcpSocket) {
    const port = resolvePort(tcpSocket.port, container);
    return JSON.stringify(['tcpSocket', tcpSocket.host, port]);
  }
  return grpc && JSON.stringify(['grpc', grpc.port, grpc.service]);
}

/** The number that a name stands for, whatever its protocol; the name where no port has it. */
export function resolvePort(
  port: number | string | undefined,
  { ports = [] }: Container,
): number | string | undefined {
  if (typeof port !== 'string') return port;
  const named = ports.find(({ name }) => name === port);
  // As a last resort the kubelet takes the text for a number.
  return named?.containerPort ?? (/^\d+$/.test(port) ? Number(port) : port);
}
