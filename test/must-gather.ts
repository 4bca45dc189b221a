/**
 * Writes a sandbox's objects in the layout of a must-gather, completed by what one leaves out: Leases,
 * Ingresses, and the whole lists of definitions, API services, volumes and priority classes.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dump } from 'js-yaml';
import { kindNames, kinds } from '../core/kinds.ts';
import type { Client } from '../sandbox/client.ts';
import { createClient } from '../sandbox/client.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

interface Resource {
  readonly group: string;
  readonly version: string;
  readonly name: string;
}

interface Thing {
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

interface List {
  readonly apiVersion: string;
  readonly kind: string;
  readonly items: readonly Thing[];
}

const resources = (isNamespaced: boolean): readonly Resource[] =>
  kindNames
    .map((kind) => kinds[kind])
    .filter(({ namespaced }) => namespaced === isNamespaced)
    .flatMap(({ group, versions: [version], resources: names }) =>
      names.map((name) => ({ group, version, name })),
    );

/** Of the cluster, and not in the table of kinds: they tell what was served. */
const evidence: readonly Resource[] = [
  { group: 'apiextensions.k8s.io', version: 'v1', name: 'customresourcedefinitions' },
];

/** A must-gather has some of these at most, one by one; only a list says that there are no others. */
const savedAsLists: ReadonlySet<string> = new Set([
  'apiservices',
  'customresourcedefinitions',
  'persistentvolumes',
  'priorityclasses',
]);

type Path = string;
type Tree = Map<Path, object | string>;

/** `takenAt` is what the recording says of its time. */
export async function writeMustGather(root: Path, sandbox: Sandbox, takenAt: string) {
  const client = createClient(sandbox);
  const tree: Tree = new Map([['timestamp', goTime(takenAt)]]);
  await addCluster(tree, client);
  await addNamespaces(tree, client).finally(() => client.close());
  for (const [path, content] of tree) {
    const at = join(root, 'must-gather.local', 'image', path);
    await mkdir(path.endsWith('/') ? at : dirname(at), { recursive: true });
    if (path.endsWith('/')) continue;
    await writeFile(at, typeof content === 'string' ? content : dump(content));
  }
}

async function addCluster(tree: Tree, client: Client): Promise<void> {
  const wanted = resources(false).filter((resource) => !isNamespace(resource));
  for (const { resource, list } of await listed([...wanted, ...evidence], client)) {
    const { group, name } = resource;
    const folder = `cluster-scoped-resources/${group || 'core'}/${name}`;
    if (savedAsLists.has(name)) {
      tree.set(`${folder}.yaml`, list);
    } else {
      for (const one of itemsOf(list)) tree.set(`${folder}/${one.metadata.name}.yaml`, one);
      // A group's folder says that its resources were asked for.
      tree.set(`cluster-scoped-resources/${group || 'core'}/`, '');
    }
  }
}

async function addNamespaces(tree: Tree, client: Client): Promise<void> {
  const [namespaces] = await listed(resources(false).filter(isNamespace), client);
  const all = await listed(resources(true), client);
  for (const namespace of namespaces ? itemsOf(namespaces.list) : []) {
    const { name } = namespace.metadata;
    tree.set(`namespaces/${name}/${name}.yaml`, namespace);
    for (const { resource, list } of all) {
      const items = list.items.filter(({ metadata }) => metadata.namespace === name);
      const path = `namespaces/${name}/${resource.group || 'core'}/${resource.name}.yaml`;
      tree.set(path, { ...list, items });
    }
  }
}

const isNamespace = ({ name }: Resource) => name === 'namespaces';

/** Those that the cluster serves. */
async function listed(wanted: readonly Resource[], client: Client) {
  const lists = wanted.map(async (resource) => {
    const { group, version, name } = resource;
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const { status, body } = await client.send({ method: 'GET', path: `${root}/${name}` });
    if (status !== 200 && status !== 404) throw new Error(`${name}: ${status}`);
    return status === 200 ? [{ resource, list: body as List }] : []; // as the API has them
  });
  return (await Promise.all(lists)).flat();
}

/** The items of a list leave out their type; a file of their own has it. */
function itemsOf({ apiVersion, kind, items }: List): readonly Thing[] {
  return items.map((item) => ({ apiVersion, kind: kind.replace(/List$/, ''), ...item }));
}

/** As Go prints a time that it has just taken. */
function goTime(rfc3339: string): string {
  const [day, time = ''] = rfc3339.split('T');
  return `${day} ${time.replace('Z', '')}.912345678 +0000 UTC m=+1.651641915\n`;
}
