/** The fields of live objects by which one sees that their controllers are done. */
import { z } from 'zod';
import type { Client } from './client.ts';

const conditionSchema = z.looseObject({
  type: z.string(),
  status: z.string(),
  reason: z.string().optional(),
});

const referenceSchema = z.looseObject({ kind: z.string(), controller: z.boolean().optional() });

const metadataSchema = z.looseObject({
  name: z.string(),
  namespace: z.string().default(''),
  uid: z.string().default(''),
  generation: z.number().default(0),
  deletionTimestamp: z.string().optional(),
  labels: z.record(z.string(), z.string()).default({}),
  annotations: z.record(z.string(), z.string()).default({}),
  ownerReferences: z.array(referenceSchema).default([]),
});

const specSchema = z.looseObject({
  replicas: z.number().optional(),
  minReplicas: z.number().optional(),
  progressDeadlineSeconds: z.number().optional(),
  suspend: z.boolean().optional(),
  publishNotReadyAddresses: z.boolean().optional(),
  taints: z.array(z.looseObject({ key: z.string() })).default([]),
  /** A label selector, or a Service's plain map. */
  selector: z.unknown().optional(),
});

const count = z.number().default(0);
const statusSchema = z.looseObject({
  observedGeneration: count,
  replicas: count,
  readyReplicas: count,
  updatedReplicas: count,
  currentReplicas: count,
  desiredReplicas: count,
  desiredNumberScheduled: count,
  currentNumberScheduled: count,
  updatedNumberScheduled: count,
  numberReady: count,
  currentHealthy: count,
  currentRevision: z.string().optional(),
  updateRevision: z.string().optional(),
  phase: z.string().optional(),
  podIP: z.string().optional(),
  conditions: z
    .array(conditionSchema)
    .nullish()
    .transform((conditions) => conditions ?? []),
});

const endpointSchema = z.looseObject({
  conditions: z.looseObject({ ready: z.boolean().optional() }).default({}),
  targetRef: z.looseObject({ uid: z.string().optional() }).optional(),
});

const liveObjectSchema = z.looseObject({
  metadata: metadataSchema,
  spec: specSchema.prefault({}),
  status: statusSchema.prefault({}),
  endpoints: z
    .array(endpointSchema)
    .nullish()
    .transform((endpoints) => endpoints ?? []),
});

export type LiveObject = z.infer<typeof liveObjectSchema>;

export function toLiveObject(value: unknown): LiveObject {
  return liveObjectSchema.parse(value);
}

const listSchema = z.looseObject({ items: z.array(liveObjectSchema) });

export async function list(client: Client, path: string): Promise<readonly LiveObject[]> {
  return listSchema.parse(await client.demand({ method: 'GET', path })).items;
}

export function conditionOf(object: LiveObject, type: string) {
  return object.status.conditions.find((condition) => condition.type === type);
}

export function isReady(pod: LiveObject): boolean {
  return conditionOf(pod, 'Ready')?.status === 'True';
}
