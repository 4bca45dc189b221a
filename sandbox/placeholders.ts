/**
 * What a manifest cannot know before it meets the cluster. A string `$(…)` is replaced by
 *
 * - a value of the topology: `$(controlPlanes)`, `$(workers)` (numbers of nodes), `$(controlPlaneTopology)`,
 *   `$(infrastructureTopology)`
 * - `$(now)`
 * - `$(pod shop app=cart)`: the name of the first pod of that namespace and label; `$(node shop app=cart)`: its node's
 * - `$(uid /api/v1/nodes/worker-1)`: the uid of the object at that path
 */
import { z } from 'zod';
import type { Client } from './client.ts';
import { SandboxError } from './errors.ts';
import { type Manifest, toManifest } from './manifests.ts';
import type { Topology } from './topologies.ts';

export async function fillIn(
  manifests: readonly Manifest[],
  topology: Topology,
  client: Client,
): Promise<readonly Manifest[]> {
  const look = (what: string) => lookUp(what, topology, client);
  return Promise.all(manifests.map(async (manifest) => toManifest(await replace(manifest, look))));
}

type Value = string | number;
type Look = (what: string) => Promise<Value>;

const placeholder = /\$\(([^)]+)\)/g;

/** A string that is nothing but a placeholder becomes its value, which may be a number. */
async function replace(value: unknown, look: Look): Promise<unknown> {
  if (typeof value === 'string') {
    const found = [...value.matchAll(placeholder)];
    const values = await Promise.all(found.map(([, what = '']) => look(what)));
    if (found[0]?.[0] === value) return values[0];
    return value.replace(placeholder, () => String(values.shift()));
  }
  if (Array.isArray(value)) return Promise.all(value.map((item) => replace(item, look)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [
    key,
    await replace(item, look),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

async function lookUp(what: string, topology: Topology, client: Client): Promise<Value> {
  const [word = '', ...operands] = what.split(' ');
  const withRole = (role: string) => topology.nodes.filter(({ roles }) => roles.includes(role));
  switch (word) {
    case 'controlPlanes':
      return withRole('control-plane').length;
    case 'workers':
      return withRole('worker').filter(({ roles }) => roles.length === 1).length;
    case 'controlPlaneTopology':
      return topology.infrastructure.controlPlane;
    case 'infrastructureTopology':
      return topology.infrastructure.workers;
    case 'now':
      return new Date().toISOString().replace('Z', '000Z');
    case 'pod':
      return (await firstPod(operands, client)).metadata.name;
    case 'node':
      return (await firstPod(operands, client)).spec?.nodeName ?? '';
    case 'uid':
      return uidOf(operands.join(' '), client);
    default:
      throw new SandboxError(`a manifest has the unknown placeholder $(${what})`);
  }
}

const objectSchema = z.looseObject({
  metadata: z.looseObject({ name: z.string(), uid: z.string() }),
  spec: z.looseObject({ nodeName: z.string().optional() }).optional(),
});
const listSchema = z.looseObject({ items: z.array(objectSchema) });

async function firstPod([namespace, selector]: readonly string[], client: Client) {
  const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=${selector}`;
  // A list comes in the order of names.
  const [pod] = listSchema.parse(await client.demand({ method: 'GET', path })).items;
  if (pod === undefined) throw new SandboxError(`no pod ${selector} in ${namespace}`);
  return pod;
}

async function uidOf(path: string, client: Client): Promise<string> {
  return objectSchema.parse(await client.demand({ method: 'GET', path })).metadata.uid;
}
