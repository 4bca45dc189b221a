/** Reads a check's fixture: kubectl-style YAML whose leading comments say what is expected of it. */
import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import type { Kind } from '../core/kinds.ts';
import { kindNames, kinds } from '../core/kinds.ts';
import { groupOf } from '../core/owner.ts';
import { readObject } from '../core/read.ts';
import type { Options } from '../core/scope.ts';
import type { Listings, Snapshot } from '../core/snapshot.ts';
import type { Thresholds, WorkloadThresholds } from '../core/thresholds.ts';
import { presetNodes } from './preset-nodes.ts';
import { podsOf } from './preset-pods.ts';

export interface Fixture {
  readonly snapshot: Snapshot;
  readonly namespace: string;
  readonly openshift: boolean;
  readonly options: Partial<Options>;
  readonly thresholds: Partial<Thresholds>;
  /** The fewest replicas of single workloads. */
  readonly minimums: readonly WorkloadThresholds[];
  /**
   * `pass`, `skip: …`, `error: …`, `note: …`, `stage: at most …` or
   * `Kind/namespace/name[/container]: message`.
   */
  readonly expected: readonly string[];
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    labels?: Record<string, string>;
    ownerReferences?: Record<string, unknown>[];
    [field: string]: unknown;
  };
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
  [field: string]: unknown;
}

/**
 * Directives, one per comment line: expect, namespace, nodes (a preset of test/preset-nodes.ts),
 * pods (`Deployment/web: worker-1 worker-2!`, the one with the mark not ready), input, server,
 * takenAt (or `unknown`), openshift, option, threshold (`poolShareMax 30`), minimum
 * (`Deployment/shop/web 3`), unserved, missing (`leases forbidden`; what is `partial` was read in
 * part). A comment without a colon is for readers.
 */
export function readFixture(
  path: string,
  edit: (object: Manifest) => Manifest = (object) => object,
): Fixture {
  const text = readFileSync(path, 'utf8');
  const said = directives(text);
  const input = said.get('input')?.[0] === 'manifests' ? 'manifests' : 'live';
  const documents = loadAll(text) as (Manifest | null)[];
  const written = documents.filter((object) => object !== null).map(edit);
  const pods = (said.get('pods') ?? []).flatMap((line) => podsOf(line, written));
  const nodes = presetNodes(said.get('nodes')?.[0] ?? 'ha');
  const all = [...written, ...pods, ...(written.some(isNode) ? [] : nodes)];
  const objects = input === 'live' ? all.map(stored) : written;
  const namespaced = written.find((object) => object.metadata.namespace !== undefined);
  const listings = listingsOf(objects, input, said);
  const server = said.get('server')?.[0] ?? 'v1.36.3';
  const takenAt = said.get('takenAt')?.[0] ?? '2026-01-10T12:00:00Z';
  return {
    snapshot: {
      input: { kind: input, name: path },
      ...(input === 'live' && takenAt !== 'unknown' && { takenAt }),
      ...(input === 'live' && { serverVersion: server }),
      listings,
      complete: true,
    },
    namespace: said.get('namespace')?.[0] ?? namespaced?.metadata.namespace ?? 'default',
    openshift: said.has('openshift'),
    options: Object.fromEntries((said.get('option') ?? []).map(option)),
    thresholds: Object.fromEntries((said.get('threshold') ?? []).map(threshold)),
    minimums: (said.get('minimum') ?? []).map(minimum),
    expected: said.get('expect') ?? [],
  };
}

function directives(text: string): ReadonlyMap<string, readonly string[]> {
  const said = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    if (!line.startsWith('#')) break;
    const [, key, value] = /^# (\w+): ?(.*)$/.exec(line) ?? [];
    if (key === undefined) continue;
    if (!known.has(key)) throw new Error(`no directive of fixtures is called ${key}`);
    said.set(key, [...(said.get(key) ?? []), value ?? '']);
  }
  return said;
}

const known = new Set(
  'expect namespace nodes pods input server takenAt openshift option threshold minimum unserved missing'.split(
    ' ',
  ),
);

function option(line: string): [string, unknown] {
  const [name = '', ...words] = line.split(' ');
  return [name, words.length === 0 ? true : words];
}

function threshold(line: string): [string, number] {
  const [name = '', value] = line.split(' ');
  return [name, Number(value)];
}

function minimum(line: string): WorkloadThresholds {
  const [, kind = '', namespace = '', name = '', least] =
    /^(\w+)\/([\w-]+)\/([\w.-]+) (\d+)$/.exec(line) ?? [];
  return { kind, namespace, name, minReplicas: Number(least) };
}

const isNode = (object: Manifest) => object.kind === 'Node';

/** Adds what the API server, or the controller behind it, would have added. */
function stored(object: Manifest): Manifest {
  const { kind, metadata } = object;
  const ownerReferences = metadata.ownerReferences?.map((reference) => ({
    apiVersion: 'apps/v1',
    controller: true,
    uid: `${reference['kind']}/${reference['name']}`,
    ...reference,
  }));
  return {
    ...object,
    ...(kind === 'Pod' && { status: { ...running, ...object.status } }),
    metadata: {
      uid: `${kind}/${metadata.name}`,
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
      ...(ownerReferences && { ownerReferences }),
    },
  };
}

const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

function listingsOf(
  objects: readonly Manifest[],
  input: 'live' | 'manifests',
  said: ReadonlyMap<string, readonly string[]>,
): Listings {
  const entries = kindNames.map((kind) => {
    const cause = said.get('missing')?.find((line) => line.startsWith(`${kind} `));
    const gap = cause && gapOf(cause.slice(kind.length + 1));
    if (gap && gap.cause !== 'partial') return [kind, { state: 'missing', ...gap }];
    if (said.get('unserved')?.includes(kind)) return [kind, { state: 'not served' }];
    const own = objects.filter((object) => isOf(kind, object));
    if (input === 'manifests' && own.length === 0 && unknownInManifests.includes(kind)) {
      return [kind, { state: 'unknown' }];
    }
    const read = own.map((object) => readObject(kind, object, object));
    return [kind, { state: 'read', objects: read, gaps: gap ? [gap] : [] }];
  });
  return Object.fromEntries(entries) as Listings; // by the table of kinds
}

const gapOf = (cause: string) => ({ cause, detail: `could not be listed: ${cause}` });

const unknownInManifests: readonly Kind[] = ['nodes', 'infrastructures', 'clusterVersions'];

function isOf(kind: Kind, { apiVersion, kind: name }: Manifest): boolean {
  const info = kinds[kind];
  const isRoute = kind === 'gatewayRoutes' && name.endsWith('Route');
  return groupOf(apiVersion) === info.group && (name === info.kind || isRoute);
}
