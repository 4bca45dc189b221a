/** Brings manifests to the API server: what is there is patched, what is not is created. */
import pLimit from 'p-limit';
import { z } from 'zod';
import { type Client, type ClientRequest, refusal } from './client.ts';
import type { Manifest } from './manifests.ts';
import { until } from './until.ts';

export interface ApplyOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Kinds that others need, in order; whatever is not named comes after them. */
const first = [
  ['CustomResourceDefinition', 'Namespace', 'PriorityClass'],
  ['ServiceAccount', 'ConfigMap', 'Secret', 'Service', 'PodDisruptionBudget'],
];
/** Kinds that could refuse objects that are applied with them. */
const last = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'APIService'];

export async function apply(manifests: readonly Manifest[], options: ApplyOptions): Promise<void> {
  const resources = resourceFinder(options);
  const limit = pLimit(16);
  for (const group of inOrder(manifests)) {
    const applied = group.map((manifest) =>
      limit(async () => put(manifest, await resources(manifest), options.client)),
    );
    await Promise.all(applied);
    await serviceAccounts(group, options);
  }
}

function inOrder(manifests: readonly Manifest[]): readonly (readonly Manifest[])[] {
  const rank = ({ kind }: Manifest) => {
    const early = first.findIndex((kinds) => kinds.includes(kind));
    if (early >= 0) return early;
    return last.includes(kind) ? first.length + 1 : first.length;
  };
  return Array.from({ length: first.length + 2 }, (_, index) =>
    manifests.filter((manifest) => rank(manifest) === index),
  );
}

async function put(manifest: Manifest, resource: Resource, client: Client): Promise<void> {
  const { name, namespace = 'default' } = manifest.metadata;
  const scope = resource.namespaced ? `/namespaces/${namespace}` : '';
  const collection = `${root(manifest.apiVersion)}${scope}/${resource.name}`;
  const path = `${collection}/${name}`;
  const create: ClientRequest = { method: 'POST', path: collection, body: manifest };
  const answer = await client.send(create);
  // A manifest that only changes something is invalid as an object of its own.
  if (answer.status === 409 || answer.status === 422) {
    const change: ClientRequest = { ...patchOf(manifest), path, body: manifest };
    const second = await client.send(change);
    if (second.status === 404) throw refusal(create, answer);
    if (second.status >= 300) throw refusal(change, second);
  } else if (answer.status >= 300) throw refusal(create, answer);
  // Custom resources lose their status when they are created; a Node keeps it, and others get it from controllers.
  if (manifest['status'] !== undefined && manifest.kind !== 'Node') {
    await client.demand({
      method: 'PATCH',
      path: `${path}/status`,
      contentType: 'application/merge-patch+json',
      body: { status: manifest['status'] },
    });
  }
}

/** Kubernetes' own kinds merge lists by their keys; custom resources know only plain merging. */
function patchOf({ apiVersion }: Manifest): Pick<ClientRequest, 'method' | 'contentType'> {
  const own = !apiVersion.includes('.') || /(^|\.)k8s\.io\//.test(apiVersion);
  return {
    method: 'PATCH',
    contentType: own ? 'application/strategic-merge-patch+json' : 'application/merge-patch+json',
  };
}

interface Resource {
  readonly name: string;
  readonly namespaced: boolean;
}

const resourcesSchema = z.looseObject({
  resources: z.array(
    z.looseObject({ name: z.string(), kind: z.string(), namespaced: z.boolean() }),
  ),
});

/** Asks the server what a kind is called in paths, and waits for one that is only just being defined. */
function resourceFinder({ client, signal }: ApplyOptions) {
  const known = new Map<string, Promise<Resource>>();
  const find = async ({ apiVersion, kind }: Manifest): Promise<Resource> => {
    let found: Resource | undefined;
    await until(
      async () => {
        const { body } = await client.send({ method: 'GET', path: root(apiVersion) });
        const listed = resourcesSchema.safeParse(body).data?.resources ?? [];
        found = listed.find((one) => one.kind === kind && !one.name.includes('/'));
        return found ? undefined : `the API server serves no ${kind} of ${apiVersion}`;
      },
      { signal, timeout: 10_000, every: 100 },
    );
    return found ?? { name: kind, namespaced: false };
  };
  return (manifest: Manifest): Promise<Resource> => {
    const key = `${manifest.apiVersion} ${manifest.kind}`;
    const resource = known.get(key) ?? find(manifest);
    known.set(key, resource);
    return resource;
  };
}

function root(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/** No pod is admitted to a namespace before its default service account is there. */
async function serviceAccounts(
  manifests: readonly Manifest[],
  { client, signal }: ApplyOptions,
): Promise<void> {
  for (const { kind, metadata } of manifests) {
    if (kind !== 'Namespace') continue;
    const path = `/api/v1/namespaces/${metadata.name}/serviceaccounts/default`;
    await until(
      async () => {
        const { status } = await client.send({ method: 'GET', path });
        return status === 200 ? undefined : `namespace ${metadata.name} has no service account`;
      },
      { signal, timeout: 30_000 },
    );
  }
}
