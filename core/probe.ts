/** What the numbers of a probe amount to. */
import type { Container, Probe } from './objects.ts';

/** The API server's defaults. */
const defaultPeriod = 10;
const defaultFailureThreshold = 3;

/** Seconds that a container has to start before its liveness probe restarts it. */
export function startBudget({ startupProbe, livenessProbe }: Container): number {
  return giveUp(startupProbe ?? livenessProbe ?? {});
}

function giveUp(probe: Probe): number {
  const { initialDelaySeconds = 0, periodSeconds = defaultPeriod } = probe;
  return initialDelaySeconds + periodSeconds * (probe.failureThreshold ?? defaultFailureThreshold);
}
