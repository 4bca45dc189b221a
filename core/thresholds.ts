/** The numbers that rules compare with, and who may have others. */

/** Seconds, where a name does not say otherwise. */
export const defaultThresholds = {
  /** Fewest replicas of a redundant workload (replicas-sufficient). */
  minReplicas: 2,
  /** Longest time until a failing readiness or liveness probe gives up (probe-timing). */
  readinessDetectMax: 60,
  livenessDetectMax: 300,
  /** Shortest time that a container has to start before liveness counts (probe-timing). */
  startBudgetMin: 30,
  /** Shortest period of a probe that runs a command (probe-timing). */
  execPeriodMin: 10,
  /** How long every proxy needs to learn that an endpoint is gone (shutdown-window). */
  endpointPropagation: 5,
  /** Longest termination grace period (termination-grace). */
  graceMax: 600,
  /** Longest stay on a lost node (failover-time). */
  tolerationMax: 300,
  /** Shortest lease of a leader election (lease-timing). */
  leaseDurationMin: 137,
  /** Longest wait for a webhook (webhook-availability). */
  webhookTimeoutMax: 10,
  /** Percent of a pool that may be updated at once (pool-disruption-size). */
  poolShareMax: 50,
  /** What is younger is not judged by a transient check. */
  settle: 60,
};

export type Thresholds = Readonly<typeof defaultThresholds> & {
  /** Other values for single workloads, by exact kind, namespace and name. */
  readonly workloads: readonly WorkloadThresholds[];
};

export interface WorkloadThresholds {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly minReplicas: number;
}

/** The fewest replicas that a workload should keep. */
export function minimumReplicas(
  thresholds: Thresholds,
  workload: { readonly kind: string; readonly namespace: string; readonly name: string },
): number {
  const own = thresholds.workloads.find(
    (entry) =>
      entry.kind === workload.kind &&
      entry.namespace === workload.namespace &&
      entry.name === workload.name,
  );
  return own?.minReplicas ?? thresholds.minReplicas;
}
