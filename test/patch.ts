/** Applies a finding's patch to a manifest as the API server would. */
import type { Finding } from '../core/result.ts';
import type { Manifest } from './fixture.ts';

/** The object of the finding patched, any other as it is. */
export function patched(object: Manifest, finding: Finding): Manifest {
  // Custom resources have no strategic merge: their lists are replaced.
  const [group = ''] = object.apiVersion.split('/');
  const isCustom = group.includes('.') && group !== 'admissionregistration.k8s.io';
  const keys = isCustom ? {} : mergeKeys;
  return isAbout(finding, object) ? (merge(object, finding.patch, keys) as Manifest) : object;
}

export function isAbout({ object: target }: Finding, { apiVersion, kind, metadata }: Manifest) {
  return (
    kind === target.kind &&
    metadata.name === target.name &&
    metadata.namespace === target.namespace &&
    apiVersion === target.apiVersion
  );
}

/** Whether two findings are of one field of one object. */
export function isSameFinding(one: Finding, other: Finding): boolean {
  const place = ({ object, path: field }: Finding) => JSON.stringify([object, field]);
  return place(one) === place(other);
}

const mergeKeys = {
  containers: 'name',
  initContainers: 'name',
  ports: 'port',
  topologySpreadConstraints: 'topologyKey',
  webhooks: 'name',
};
type MergeKeys = Readonly<Record<string, string>>;

function merge(target: unknown, patch: unknown, keys: MergeKeys): unknown {
  if (!isMap(patch)) return patch;
  const merged = new Map(Object.entries(isMap(target) ? target : {}));
  for (const [field, value] of Object.entries(patch)) {
    const key = keys[field];
    if (value === null) merged.delete(field);
    else if (key && Array.isArray(value)) merged.set(field, byKey(merged.get(field), value, key));
    else merged.set(field, merge(merged.get(field), value, keys));
  }
  return Object.fromEntries(merged);

  function byKey(own: unknown, items: readonly unknown[], key: string): readonly unknown[] {
    const found = Map.groupBy(Array.isArray(own) ? own : [], (item) => item[key]);
    for (const item of items) {
      const value = isMap(item) ? item[key] : undefined;
      found.set(value, [merge(found.get(value)?.[0], item, keys)]);
    }
    return [...found.values()].flat();
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
