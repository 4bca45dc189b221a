/** What inspected trees say of each kind: read, with its gaps; not served; or missing. */
import type { Kind } from '../../core/kinds.ts';
import { kinds } from '../../core/kinds.ts';
import type { Gap, Listing, Listings } from '../../core/snapshot.ts';
import type { Failure } from './content.ts';
import { servedResources } from './evidence.ts';
import type { Inspected } from './inspect.ts';
import { listPath, slotKey } from './tree.ts';

/** Of these, must-gather saves every object, one by one. Of API services only an operator's own. */
const savedWhole: ReadonlySet<Kind> = new Set([
  'nodes',
  'infrastructures',
  'clusterVersions',
  'clusterOperators',
  'machineConfigPools',
  'validatingWebhookConfigurations',
  'mutatingWebhookConfigurations',
]);

/** Where their group was saved, no folder means no object. */
const noneWithoutFolder: ReadonlySet<Kind> = new Set([
  'machineConfigPools',
  'validatingWebhookConfigurations',
  'mutatingWebhookConfigurations',
]);

/** `damage`: why the recording ends too early, so that what is not there proves nothing. */
export function inspectedListings(
  wanted: readonly Kind[],
  seen: Inspected,
  damage?: string,
): Listings {
  nameNamespaces(seen);
  return Object.fromEntries(
    wanted.map((kind) => [
      kind,
      kind === 'namespaces' ? namespaces(seen, damage) : inspectedListing(kind, seen, damage),
    ]),
  ) as Listings; // each kind with a listing of its own objects
}

/** Every folder is a namespace, whether or not its Namespace object was saved. */
function nameNamespaces({ objects, namespaces: names }: Inspected) {
  const saved = new Set(objects.objects('namespaces').map(({ metadata }) => metadata.name));
  for (const name of names) {
    if (saved.has(name)) continue;
    const raw = { metadata: { name } };
    objects.add('namespaces', { raw, apiVersion: 'v1', kind: 'Namespace', where: name });
  }
}

function namespaces({ objects, lists }: Inspected, damage: string | undefined): Listing {
  const failed = lists.get(slotKey({ kind: 'namespaces', resource: 'namespaces' }));
  const gaps = failed === undefined || failed === 'read' ? [] : [failed];
  if (!objects.has('namespaces')) return missing('no folder is a namespace', damage);
  return objects.listing('namespaces', damage === undefined ? gaps : [...gaps, cutShort(damage)]);
}

export function inspectedListing(kind: Kind, seen: Inspected, damage: string | undefined): Listing {
  const recorded = recordedResources(kind, seen);
  const evidence = damage === undefined ? seen.evidence() : {};
  const resources = servedResources(kind, evidence, recorded);
  if (resources.length === 0) return { state: 'not served' };
  if (!kinds[kind].namespaced) return inCluster(kind, seen, damage);
  if (recorded.size > 0) return inNamespaces(kind, seen, { resources, damage });
  const files = resources.map((resource) => `${kinds[kind].group || 'core'}/${resource}.yaml`);
  return missing(`no namespace has ${files.join(' or ')}`, damage);
}

function recordedResources(kind: Kind, { lists, singles, namespaces }: Inspected) {
  const keys = (resource: string) =>
    [undefined, ...namespaces].map((namespace) => slotKey({ kind, resource, namespace }));
  return new Set(
    kinds[kind].resources.filter((resource) =>
      keys(resource).some((key) => lists.has(key) || singles.has(key)),
    ),
  );
}

function inNamespaces(
  kind: Kind,
  { objects, lists, singles }: Inspected,
  {
    resources,
    damage,
  }: { readonly resources: readonly string[]; readonly damage?: string | undefined },
): Listing {
  const gaps = objects.objects('namespaces').flatMap(({ metadata: { name: namespace } }) =>
    resources.flatMap((resource): readonly Gap[] => {
      const key = slotKey({ kind, resource, namespace });
      const path = listPath(kind, resource, namespace);
      const outcome = lists.get(key) ?? (singles.has(key) ? oneByOne(path) : noFile(path, damage));
      return outcome === 'read' ? [] : [{ namespace, ...outcome }];
    }),
  );
  return objects.listing(kind, gaps);
}

function inCluster(kind: Kind, seen: Inspected, damage: string | undefined): Listing {
  const { objects, lists, singles, groups } = seen;
  const { group, resources } = kinds[kind];
  const key = slotKey({ kind, resource: resources[0] });
  const path = listPath(kind, resources[0]);
  const outcome = lists.get(key);
  if (outcome !== undefined && outcome !== 'read') {
    return objects.has(kind) ? objects.listing(kind, [outcome]) : { state: 'missing', ...outcome };
  }
  if (outcome === 'read') return objects.listing(kind);
  if (singles.has(key)) {
    const whole = savedWhole.has(kind) && damage === undefined;
    return objects.listing(kind, whole ? [] : [oneByOne(path)]);
  }
  const none = noneWithoutFolder.has(kind) && groups.has(group) && damage === undefined;
  return none ? objects.listing(kind) : { state: 'missing', ...noFile(path, damage) };
}

function oneByOne(path: string): Failure {
  return { cause: 'partial', detail: `are known in part: there is no ${path}` };
}

function noFile(path: string, damage: string | undefined): Failure {
  return damage === undefined
    ? { cause: 'not collected', detail: `were not collected: there is no ${path}` }
    : cutShort(damage);
}

function missing(why: string, damage: string | undefined): Listing {
  const detail = `were not collected: ${why}`;
  return {
    state: 'missing',
    ...(damage === undefined ? { cause: 'not collected', detail } : cutShort(damage)),
  };
}

function cutShort(damage: string): Failure {
  return { cause: 'partial', detail: `are not all there: ${damage}` };
}
