/** Waits until the controllers have done all that they will do. */
import type { Client } from './client.ts';
import { type LiveObject, list } from './objects.ts';
import type { ReadyOptions } from './ready.ts';
import { budgetLacks, podLacks, serviceLacks } from './settled-pods.ts';
import {
  autoscalerLacks,
  daemonSetLacks,
  deploymentLacks,
  jobLacks,
  observationLacks,
  statefulSetLacks,
} from './settled-workloads.ts';
import { until } from './until.ts';

/** Says what an object still lacks. */
type Judge = (object: LiveObject) => string | undefined;

/** In the order in which one waits for the other: the first that lacks something ends a look. */
const workloads: readonly (readonly [string, Judge])[] = [
  ['autoscaling/v2/horizontalpodautoscalers', autoscalerLacks],
  ['apps/v1/deployments', deploymentLacks],
  ['apps/v1/statefulsets', statefulSetLacks],
  ['apps/v1/daemonsets', daemonSetLacks],
  ['apps/v1/replicasets', observationLacks],
  ['batch/v1/jobs', jobLacks],
];

export async function settle({ client, signal, timeout }: ReadyOptions): Promise<void> {
  await until(() => lacking(client), { signal, timeout, every: 100 });
}

async function lacking(client: Client): Promise<string | undefined> {
  for (const [path, judge] of workloads) {
    const found = complaints(await list(client, `/apis/${path}`), path, judge);
    if (found !== undefined) return found;
  }
  const [pods, budgets, services, slices] = await Promise.all([
    list(client, '/api/v1/pods'),
    list(client, '/apis/policy/v1/poddisruptionbudgets'),
    list(client, '/api/v1/services'),
    list(client, '/apis/discovery.k8s.io/v1/endpointslices'),
  ]);
  return (
    complaints(pods, 'pods', podLacks) ??
    complaints(budgets, 'poddisruptionbudgets', (budget) => budgetLacks(budget, budgets, pods)) ??
    complaints(services, 'services', (service) => serviceLacks(service, pods, slices))
  );
}

/** The first few of the objects that lack something. */
function complaints(
  objects: readonly LiveObject[],
  path: string,
  judge: Judge,
): string | undefined {
  const resource = path.slice(path.lastIndexOf('/') + 1);
  const found = objects.flatMap((object) => {
    const lack = judge(object);
    const { namespace, name } = object.metadata;
    return lack === undefined ? [] : [`${resource} ${namespace}/${name}: ${lack}`];
  });
  if (found.length === 0) return undefined;
  const more = found.length > 3 ? [`${found.length - 3} more`] : [];
  return [...found.slice(0, 3), ...more].join('; ');
}
