/** Reads a check's fixture: kubectl-style YAML whose leading comments say what is expected of it. */
import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import type { Kind } from '../core/kinds.ts';
import { kindNames, kinds } from '../core/kinds.ts';
import { groupOf } from '../core/owner.ts';
import { readObject } from '../core/read.ts';
import type { Options } from '../core/scope.ts';
import type { Listings, Snapshot } from '../core/snapshot.ts';
import { presetNodes } from './preset-nodes.ts';
import { podsOf } from './preset-pods.ts';

export interface Fixture {
  readonly snapshot: Snapshot;
  readonly namespace: string;
  readonly openshift: boolean;
  readonly options: Partial<Options>;
  /** `pass`, `skip: …`, `error: …`, `note: …` or `Kind/namespace/name[/container]: message`. */
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
 * takenAt, openshift, option, unserved, missing.
 */
export function readFixture(path: string): Fixture {
  const text = readFileSync(path, 'utf8');
  const said = directives(text);
  const input = said.get('input')?.[0] === 'manifests' ? 'manifests' : 'live';
  const written = (loadAll(text) as (Manifest | null)[]).filter((object) => object !== null);
  const pods = (said.get('pods') ?? []).flatMap((line) => podsOf(line, written));
  const nodes = presetNodes(said.get('nodes')?.[0] ?? 'ha');
  const all = [...written, ...pods, ...(written.some(isNode) ? [] : nodes)];
  const objects = input === 'live' ? all.map(stored) : written;
  const namespaced = written.find((object) => object.metadata.namespace !== undefined);
  const listings = listingsOf(objects, input, said);
  const server = said.get('server')?.[0] ?? 'v1.36.3';
  return {
    snapshot: {
      input: { kind: input, name: path },
      ...(input === 'live' && { takenAt: said.get('takenAt')?.[0] ?? '2026-01-10T12:00:00Z' }),
      ...(input === 'live' && { serverVersion: server }),
      listings,
      complete: true,
    },
    namespace: said.get('namespace')?.[0] ?? namespaced?.metadata.namespace ?? 'default',
    openshift: said.has('openshift'),
    options: Object.fromEntries((said.get('option') ?? []).map(option)),
    expected: said.get('expect') ?? [],
  };
}

function directives(text: string): ReadonlyMap<string, readonly string[]> {
  const said = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    if (!line.startsWith('#')) break;
    const [, key, value] = /^# (\w+): ?(.*)$/.exec(line) ?? [];
    if (key !== undefined) said.set(key, [...(said.get(key) ?? []), value ?? '']);
  }
  return said;
}

function option(line: string): [string, unknown] {
  const [name = '', ...words] = line.split(' ');
  return [name, words.length === 0 ? true : words];
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
    const [, cause] =
      said
        .get('missing')
        ?.map((l) => l.split(' '))
        ?.find(([k]) => k === kind) ?? [];
    if (cause) return [kind, { state: 'missing', cause, detail: `could not be listed: ${cause}` }];
    if (said.get('unserved')?.includes(kind)) return [kind, { state: 'not served' }];
    const own = objects.filter((object) => isOf(kind, object));
    if (input === 'manifests' && own.length === 0 && unknownInManifests.includes(kind)) {
      return [kind, { state: 'unknown' }];
    }
    const read = own.map((object) => readObject(kind, object, object));
    return [kind, { state: 'read', objects: read, gaps: [] }];
  });
  return Object.fromEntries(entries) as Listings; // by the table of kinds
}

const unknownInManifests: readonly Kind[] = ['nodes', 'infrastructures', 'clusterVersions'];

function isOf(kind: Kind, { apiVersion, kind: name }: Manifest): boolean {
  const info = kinds[kind];
  const isRoute = kind === 'gatewayRoutes' && name.endsWith('Route');
  return groupOf(apiVersion) === info.group && (name === info.kind || isRoute);
}
