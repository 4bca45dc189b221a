/** Which kind of the table a resource's name, or an object's type, stands for. */
import type { Kind } from '../../core/kinds.ts';
import { kindNames, kinds } from '../../core/kinds.ts';

const byResource = new Map<string, Kind>();
const byType = new Map<string, Kind>();
for (const kind of kindNames) {
  const info = kinds[kind];
  for (const resource of info.resources) {
    byResource.set(`${info.group}/${resource}`, kind);
    // Of several resources in one kind the type's name is not in the table: httproutes, HTTPRoute.
    const type = info.resources.length === 1 ? info.kind.toLowerCase() : resource.slice(0, -1);
    byType.set(`${info.group}/${type}`, kind);
  }
}

/** `''` is the core group. */
export function kindOfResource(group: string, resource: string): Kind | undefined {
  return byResource.get(`${group}/${resource}`);
}

/** The kind that an object's type stands for, in a version that is understood or in another. */
export function kindOfType(apiVersion: string, type: string): Kind | undefined {
  const group = groupOf(apiVersion);
  const name = type.toLowerCase();
  const kind = byType.get(`${group}/${name}`);
  if (kind) return kind;
  const later = formerGroups[group]?.find((candidate) => kinds[candidate].kind === type);
  return later;
}

/** Groups that these kinds had before: an object in one is no object of another kind. */
const formerGroups: Readonly<Record<string, readonly Kind[]>> = {
  extensions: ['deployments', 'daemonSets', 'replicaSets', 'ingresses'],
  '': ['routes', 'deploymentConfigs'],
};

export function isUnderstood(kind: Kind, apiVersion: string): boolean {
  const { group, versions } = kinds[kind];
  return versions.some(
    (version) => apiVersion === (group === '' ? version : `${group}/${version}`),
  );
}

/** The place of an object among those of a kind with several resources. */
export function resourceIndex(kind: Kind, type: string): number {
  return Math.max(
    0,
    (kinds[kind].resources as readonly string[]).indexOf(`${type.toLowerCase()}s`),
  );
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
