/** The thresholds that a configuration file may set: exactly those that the rules know. */
import { z } from 'zod';
import type { Thresholds, WorkloadThresholds } from '../core/thresholds.ts';

const seconds = z.int().min(1);
const name = z.string().min(1, 'text');

const workload = z.strictObject({
  kind: name,
  namespace: name,
  name,
  minReplicas: z.int().min(1),
} satisfies Record<keyof WorkloadThresholds, z.ZodType>);

export const thresholdsSchema = z
  .strictObject({
    minReplicas: z.int().min(1).describe('Fewest replicas of a redundant workload'),
    readinessDetectMax: seconds.describe('Longest time until a failing readiness probe gives up'),
    livenessDetectMax: seconds.describe('Longest time until a failing liveness probe gives up'),
    startBudgetMin: seconds.describe('Shortest time to start before liveness counts'),
    execPeriodMin: seconds.describe('Shortest period of a probe that runs a command'),
    endpointPropagation: seconds.describe(
      'How long proxies need to learn that an endpoint is gone',
    ),
    graceMax: seconds.describe('Longest termination grace period'),
    tolerationMax: seconds.describe('Longest stay on a lost node'),
    leaseDurationMin: seconds.describe('Shortest lease of a leader election'),
    webhookTimeoutMax: seconds.describe('Longest wait for a webhook'),
    poolShareMax: z.int().min(1).max(100).describe('Percent of a pool that is updated at once'),
    settle: z.int().min(0).describe('What is younger is not judged by a transient check'),
    workloads: z
      .array(workload)
      .superRefine(oneEach, { when: ({ issues }) => issues.length === 0 })
      .meta({ uniqueItems: true })
      .describe('Other values for single workloads'),
  } satisfies Record<keyof Thresholds, z.ZodType>)
  .partial();

/** The first of two entries would win, without a word. */
function oneEach(entries: readonly WorkloadThresholds[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const workload = `${entry.kind} ${entry.namespace}/${entry.name}`;
    if (seen.has(workload)) {
      context.addIssue({ code: 'custom', path: [index], message: `one entry for ${workload}` });
    }
    seen.add(workload);
  }
}
