/** Which kinds an API server serves, and in which version: one request, on old servers one per group. */
import { MissingError } from '../core/errors.ts';
import type { Kind } from '../core/kinds.ts';
import { kinds } from '../core/kinds.ts';
import type { Ask } from './request.ts';

/** How to list a kind. A kind that is not served is not in the map. */
export type Served = ReadonlyMap<Kind, ServedKind>;

interface ServedKind {
  readonly version: string;
  readonly resources: readonly string[];
}

/** The resources of `group/version`; undefined where the server that has them does not answer. */
type GroupVersions = Map<string, readonly string[] | undefined>;

const aggregated = ['v2', 'v2beta1'].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
);

/** Throws MissingError when the server does not say what it serves. */
export async function discover(wanted: readonly Kind[], ask: Ask): Promise<Served> {
  const { body, status } = await ask('/apis', [...aggregated, 'application/json'].join(','));
  if (status !== 200) throw new MissingError('malformed', `discovery answered ${status}`);
  const answer = parse(body);
  const found =
    answer['kind'] === 'APIGroupDiscoveryList'
      ? aggregatedVersions(answer)
      : await listedVersions(answer, wanted, ask);
  return new Map(
    wanted.flatMap((kind) => {
      const served = servedAs(kind, found);
      return served ? [[kind, served] as const] : [];
    }),
  );
}

/** In the preferred version of those that are served. The core group is always there. */
function servedAs(kind: Kind, found: GroupVersions): ServedKind | undefined {
  const { group, versions, resources } = kinds[kind];
  const [preferred] = versions;
  if (group === '') return { version: preferred, resources };
  for (const version of versions) {
    const key = `${group}/${version}`;
    if (!found.has(key)) continue;
    const served = found.get(key);
    // Of an API that is down nobody knows the resources: listing them will tell.
    const own = resources.filter((resource) => served?.includes(resource) ?? true);
    if (own.length > 0) return { version, resources: own };
  }
  return undefined;
}

interface Json {
  readonly [field: string]: unknown;
}

function parse(body: Buffer): Json {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Json; // fields are checked where they are read
  } catch {
    // Falls through: a page of a proxy is no more discovery than a number is.
  }
  throw new MissingError('malformed', 'discovery answered something else than JSON');
}

function aggregatedVersions(answer: Json): GroupVersions {
  const found: GroupVersions = new Map();
  for (const group of demandedList(answer, 'items')) {
    for (const version of listOf(group['versions'])) {
      const resources = listOf(version['resources']).map(({ resource }) => String(resource));
      const isUnknown = version['freshness'] === 'Stale' && resources.length === 0;
      const name = textOf(group['metadata'], 'name');
      found.set(`${name}/${version['version']}`, isUnknown ? undefined : resources);
    }
  }
  return found;
}

/** Servers older than 1.27 name their groups only. */
async function listedVersions(answer: Json, wanted: readonly Kind[], ask: Ask) {
  const understood = new Set(
    wanted.flatMap((kind) => kinds[kind].versions.map((v) => `${kinds[kind].group}/${v}`)),
  );
  const keys = demandedList(answer, 'groups')
    .flatMap((group) => listOf(group['versions']))
    .map((version) => String(version['groupVersion']))
    .filter((key) => understood.has(key));
  const found: GroupVersions = new Map();
  await Promise.all(keys.map(async (key) => found.set(key, await resourcesOf(key, ask))));
  return found;
}

async function resourcesOf(key: string, ask: Ask): Promise<readonly string[] | undefined> {
  try {
    const { body } = await ask(`/apis/${key}`, 'application/json');
    return demandedList(parse(body), 'resources').map(({ name }) => String(name));
  } catch (error) {
    // The server behind this API is down; what is listed there will say so.
    if (error instanceof MissingError) return undefined;
    throw error;
  }
}

/** What says nothing of what is served does not say that nothing is. */
function demandedList(answer: Json, field: string): readonly Json[] {
  if (Array.isArray(answer[field])) return listOf(answer[field]);
  throw new MissingError('malformed', `discovery answered without ${field}`);
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item) : [];
}

function textOf(value: unknown, field: string): string {
  return typeof value === 'object' && value !== null ? String((value as Json)[field]) : '';
}
