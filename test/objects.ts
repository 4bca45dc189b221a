/** Objects for tests, made through the same projection as those of a cluster, and estates of them. */
import type { Artifacts } from '../core/artifacts.ts';
import { artifactsOf } from '../core/artifacts.ts';
import type { Kind, ObjectOf } from '../core/kinds.ts';
import { kindNames, kinds } from '../core/kinds.ts';
import { readObject } from '../core/read.ts';
import type { ClusterFacts, Scope } from '../core/scope.ts';
import { defaultOptions } from '../core/scope.ts';
import type { Listing, Listings, Snapshot } from '../core/snapshot.ts';
import { defaultThresholds } from '../core/thresholds.ts';
import type { Workload } from '../core/workload.ts';
import { workloadsOf } from '../core/workload.ts';

export interface Fields {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: object;
  readonly [field: string]: unknown;
}

export type AnyObject = ObjectOf<Kind>;

const takenAt = '2026-01-10T12:00:00Z';

/** An object as an API server holds it, in namespace `shop`; `uid: undefined` makes it a manifest's. */
export function make<K extends Kind>(kind: K, name: string, fields: Fields = {}): ObjectOf<K> {
  const { group, versions, kind: kindName, namespaced } = kinds[kind];
  const [version = ''] = versions;
  const type = {
    apiVersion: fields.apiVersion ?? (group === '' ? version : `${group}/${version}`),
    kind: fields.kind ?? kindName,
  };
  const metadata = {
    name,
    uid: `${type.kind}/${name}`,
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...(namespaced && { namespace: 'shop' }),
    ...fields.metadata,
  };
  return readObject(kind, { ...fields, metadata }, type);
}

const maker =
  <K extends Kind>(kind: K) =>
  (name: string, fields?: Fields) =>
    make(kind, name, fields);

export const deployment = maker('deployments');
export const statefulSet = maker('statefulSets');
export const daemonSet = maker('daemonSets');
export const replicaSet = maker('replicaSets');
export const job = maker('jobs');
export const node = maker('nodes');
export const service = maker('services');
export const budget = maker('podDisruptionBudgets');
export const hpa = maker('horizontalPodAutoscalers');
export const scaledObject = maker('scaledObjects');
export const lease = maker('leases');
export const configMap = maker('lockMetadata');

/** A running and ready pod. */
export function pod(name: string, fields: Fields = {}): ObjectOf<'pods'> {
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  return make('pods', name, { status, ...fields });
}

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid?: string };
}

/** Metadata that says whose an object is. */
export function ownedBy({ apiVersion, kind, metadata }: Owner, controller = true) {
  const { name, uid } = metadata;
  return { ownerReferences: [{ apiVersion, kind, name, uid, controller }] };
}

/** The same for an owner that no kind of ours describes. */
export function ownedByKind(apiVersion: string, kind: string, name: string) {
  return ownedBy({ apiVersion, kind, metadata: { name, uid: `${kind}/${name}` } });
}

/** A Deployment with its ReplicaSet and as many pods as it asks for. */
export function running(of: ObjectOf<'deployments'>, pods = of.spec?.replicas ?? 1) {
  const { name } = of.metadata;
  const labels = { ...of.spec?.template?.metadata?.labels, 'pod-template-hash': 'h1' };
  const set = replicaSet(`${name}-h1`, {
    metadata: ownedBy(of),
    spec: { replicas: pods, template: { ...of.spec?.template, metadata: { labels } } },
  });
  return [of, set, ...podsOf(set, pods)] as const;
}

/** Pods of an owner, `<name>-0` and so on, with the labels and the spec of its template. */
export function podsOf(of: Owner & { readonly spec?: object }, count: number, fields: Fields = {}) {
  const template = of.spec && 'template' in of.spec ? (of.spec.template as Template) : {};
  return Array.from({ length: count }, (_, i) =>
    pod(`${of.metadata.name}-${i}`, {
      spec: template.spec,
      ...fields,
      metadata: { ...template.metadata, ...ownedBy(of), ...fields.metadata },
    }),
  );
}

interface Template {
  readonly metadata?: object;
  readonly spec?: object;
}

export interface Given {
  readonly listings?: { readonly [K in Kind]?: Listing };
  readonly snapshot?: Partial<Snapshot>;
  readonly cluster?: Partial<ClusterFacts>;
  readonly scope?: Partial<Scope>;
}

/** A cluster in which every kind was read; other listings and facts where they are given. */
export function estate(objects: readonly AnyObject[], given: Given = {}) {
  const read = kindNames.map((kind) => {
    const own = objects.filter((object) => isOf(kind, object));
    return [kind, { state: 'read', objects: own, gaps: [] }] as const;
  });
  const listings = { ...Object.fromEntries(read), ...given.listings } as Listings; // by kind
  const snapshot: Snapshot = {
    input: { kind: 'live', name: 'https://api.example.org:6443' },
    takenAt,
    serverVersion: 'v1.36.3',
    complete: true,
    listings,
    ...given.snapshot,
  };
  const scope = scopeOf(given);
  const artifacts = artifactsOf(snapshot)(scope.namespace);
  // Every kind of an estate was read, unless a test says otherwise and looks for undefined itself.
  return { snapshot, scope, artifacts: artifacts as Artifacts<Kind> };
}

function isOf(kind: Kind, object: AnyObject): boolean {
  const info = kinds[kind];
  const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '';
  const isRoute = kind === 'gatewayRoutes' && object.kind.endsWith('Route');
  return group === info.group && (object.kind === info.kind || isRoute);
}

export function scopeOf({ cluster, scope }: Given = {}): Scope {
  return {
    namespace: 'shop',
    class: 'user',
    cluster: {
      input: 'live',
      openshift: false,
      topology: {
        controlPlaneTopology: 'HighlyAvailable',
        infrastructureTopology: 'HighlyAvailable',
        source: 'nodes',
      },
      takenAt,
      serverVersion: 'v1.36.3',
      thresholds: { ...defaultThresholds, workloads: [] },
      options: defaultOptions,
      ...cluster,
    },
    ...scope,
  };
}

/** The one workload of that name. */
export function workload(name: string, { artifacts, scope }: ReturnType<typeof estate>): Workload {
  const found = workloadsOf(artifacts, scope).all.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`the estate has no workload ${name}`);
  return found;
}
