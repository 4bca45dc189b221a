/** Reads a live cluster: every wanted kind once, a few lists at a time, and says what could not be read. */
import pLimit from 'p-limit';
import { MissingError } from '../core/errors.ts';
import type { Kind } from '../core/kinds.ts';
import { kinds } from '../core/kinds.ts';
import type { Listing, Listings, Snapshot } from '../core/snapshot.ts';
import type { Lists } from './connect.ts';
import type { Served } from './discovery.ts';
import { discover } from './discovery.ts';
import { interner } from './intern.ts';
import type { ListContext, Listed, ListRequest } from './list.ts';
import { list } from './list.ts';
import type { Ask, RequestLimits } from './request.ts';
import { asker, defaultLimits } from './request.ts';

export interface GatherOptions {
  readonly kinds: readonly Kind[];
  /** Ends the reading: the deadline of the run, or a signal. What was read until then is kept. */
  readonly signal: AbortSignal;
  /** Asked for one by one where the whole cluster may not be listed. */
  readonly namespaces?: readonly string[];
  readonly onPage?: ListContext['onPage'];
  readonly onRetry?: RequestLimits['onRetry'];
}

const pageSize = 500;

/** Never rejects for what a server does: what is missing stands in the snapshot with its cause. */
export async function gather(connection: Lists, options: GatherOptions): Promise<Snapshot> {
  const { signal, onRetry } = options;
  const ask = asker(connection, { ...defaultLimits, signal, onRetry });
  const [start, served] = await Promise.all([contact(ask), discovered(options.kinds, ask)]);
  if (isAbsent(start) && isAbsent(served)) return unreachable(connection, options, start);
  const context = { ask, intern: interner(), limit: pageSize, onPage: options.onPage };
  const limit = pLimit(defaultLimits.concurrency);
  const entries = await Promise.all(
    largestFirst(options.kinds).map((kind) =>
      limit(async () => [kind, await listingOf(kind, served, context, options)] as const),
    ),
  );
  return {
    input: { kind: 'live', name: connection.name },
    ...(start instanceof MissingError ? {} : start),
    listings: Object.fromEntries(entries) as Listings, // one entry per kind, of that kind
    complete: !signal.aborted,
  };
}

/** Pages of one list come one after the other: the longest list, begun last, would be read alone. */
function largestFirst(wanted: readonly Kind[]): readonly Kind[] {
  const largest: readonly Kind[] = ['pods', 'replicaSets', 'deployments'];
  const rank = (kind: Kind) => largest.indexOf(kind) + 1 || Number.POSITIVE_INFINITY;
  return wanted.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

/** A server that does not answer at all is not asked once more for every kind. */
const isAbsent = (answer: unknown): answer is MissingError =>
  answer instanceof MissingError &&
  (answer.missing === 'unavailable' || answer.missing === 'timeout');

function unreachable(
  { name }: Lists,
  { kinds: wanted, signal }: GatherOptions,
  { missing: cause, message: detail }: MissingError,
): Snapshot {
  const listing = { state: 'missing', cause, detail } as const;
  const listings = Object.fromEntries(wanted.map((kind) => [kind, listing]));
  return { input: { kind: 'live', name }, listings, complete: !signal.aborted };
}

/** The server's version and its clock, in one request; a MissingError when it cannot be had. */
async function contact(ask: Ask) {
  try {
    const { headers, body } = await ask('/version', 'application/json');
    const answer: { readonly gitVersion?: unknown } | null = JSON.parse(body.toString('utf8'));
    const date = new Date(String(headers['date']));
    return {
      ...(!Number.isNaN(date.valueOf()) && { takenAt: date.toISOString().replace('.000Z', 'Z') }),
      ...(typeof answer?.gitVersion === 'string' && { serverVersion: answer.gitVersion }),
    };
  } catch (error) {
    if (error instanceof MissingError) return error;
    if (error instanceof SyntaxError) return new MissingError('malformed', 'is not an API server');
    throw error;
  }
}

async function discovered(wanted: readonly Kind[], ask: Ask): Promise<Served | MissingError> {
  try {
    return await discover(wanted, ask);
  } catch (error) {
    if (error instanceof MissingError) return error;
    throw error;
  }
}

async function listingOf<K extends Kind>(
  kind: K,
  served: Served | MissingError,
  context: ListContext,
  options: GatherOptions,
): Promise<Listing<K>> {
  const found = served instanceof MissingError ? assumed(kind) : served.get(kind);
  if (!found) return { state: 'not served' };
  const lists: Listed<K>[] = [];
  for (const resource of found.resources) {
    const request = { kind, version: found.version, resource };
    const listed = await list(request, context);
    const isRefused = listed.end instanceof MissingError && listed.end.missing === 'forbidden';
    const { namespaces = [] } = options;
    if (isRefused && kinds[kind].namespaced && namespaces.length > 0) {
      lists.push(
        ...(await Promise.all(namespaces.map((ns) => listNamespace(request, ns, context)))),
      );
    } else lists.push(listed);
  }
  return combine(lists);
}

/** Where the server does not say what it serves, each list finds out for itself. */
const assumed = (kind: Kind) => ({
  version: kinds[kind].versions[0],
  resources: kinds[kind].resources,
});

/** Who may read some namespaces only is told about the others, but gets these. */
async function listNamespace<K extends Kind>(
  request: ListRequest<K>,
  namespace: string,
  context: ListContext,
): Promise<Listed<K>> {
  const listed = await list({ ...request, namespace }, context);
  if (!(listed.end instanceof MissingError)) return listed;
  const { missing, message: detail } = listed.end;
  // As with a whole list: what was read before it broke off may be judged.
  const cause = listed.objects.length > 0 ? 'partial' : missing;
  return { ...listed, gaps: [...listed.gaps, { namespace, cause, detail }], end: 'done' };
}

function combine<K extends Kind>(lists: readonly Listed<K>[]): Listing<K> {
  if (lists.every(({ end }) => end === 'not served')) return { state: 'not served' };
  const objects = lists.flatMap((listed) => listed.objects);
  const gaps = lists.flatMap((listed) => listed.gaps);
  const broken = lists.map(({ end }) => end).find((end) => end instanceof MissingError);
  if (!broken) return { state: 'read', objects, gaps };
  const { missing: cause, message: detail } = broken;
  if (objects.length === 0) return { state: 'missing', cause, detail };
  // Cut off in the middle: what is in it may be judged, what is not may not.
  return { state: 'read', objects, gaps: [...gaps, { cause: 'partial', detail }] };
}
