/** Lists a resource page by page: consistent as of one moment, projected as it comes. */
import { MissingError } from '../core/errors.ts';
import type { Kind, ObjectOf } from '../core/kinds.ts';
import { kinds } from '../core/kinds.ts';
import type { Gap } from '../core/snapshot.ts';
import type { Answer } from './connect.ts';
import type { Intern } from './intern.ts';
import type { Page } from './page.ts';
import { accepts, readPage } from './page.ts';
import type { Ask } from './request.ts';

export interface ListRequest<K extends Kind> {
  readonly kind: K;
  readonly version: string;
  readonly resource: string;
  /** One namespace only; all without it. */
  readonly namespace?: string;
}

export interface ListContext {
  readonly ask: Ask;
  readonly intern: Intern;
  /** Objects per page. */
  readonly limit: number;
  readonly onPage?: ((kind: Kind, objects: number, bytes: number) => void) | undefined;
}

/** What a list came to. What was read before it broke off is kept. */
export interface Listed<K extends Kind> {
  readonly objects: readonly ObjectOf<K>[];
  readonly gaps: readonly Gap[];
  readonly end: 'done' | 'not served' | MissingError;
}

/** How often a list is begun anew because its continue token expired. */
const restarts = 3;

/** Never rejects for what a server does. */
export async function list<K extends Kind>(
  request: ListRequest<K>,
  context: ListContext,
): Promise<Listed<K>> {
  for (let restart = 0; ; restart++) {
    // Larger pages from one attempt to the next: fewer requests in which the token may expire.
    const listed = await readPages(request, { ...context, limit: context.limit * 4 ** restart });
    if (listed.end !== 'expired') return { ...listed, end: listed.end };
    if (restart === restarts) {
      // Which objects are missing is unknown, and so many attempts say that they are many.
      return { objects: [], gaps: [], end: new MissingError('expired', expired) };
    }
  }
}

const expired = 'could not be listed: the continue token expired (410) on every attempt';

type Pages<K extends Kind> = Omit<Listed<K>, 'end'> & {
  readonly end: Listed<K>['end'] | 'expired';
};

/**
 * The next page is asked for before the last one is decoded, so that the server encodes while this
 * side decodes. A 410 offers a token that continues with another state of the cluster: pages of two
 * states are not one list, so that it is never taken.
 */
async function readPages<K extends Kind>(
  request: ListRequest<K>,
  context: ListContext,
): Promise<Pages<K>> {
  const accept = accepts(kinds[request.kind]);
  const get = (token?: string) => context.ask(pathOf(request, context.limit, token), accept);
  const objects: ObjectOf<K>[] = [];
  const gaps: Gap[] = [];
  try {
    let next: Promise<Answer> | undefined = get();
    while (next) {
      const answer: Answer = await next;
      if (answer.status === 404) return { objects: [], gaps: [], end: notFound(request.kind) };
      if (answer.status === 410) return { objects, gaps, end: 'expired' };
      const page: Page<K> = readPage(answer, request, context.intern);
      next = page.continue === undefined ? undefined : get(page.continue);
      // Awaited above: a refusal is not unhandled only because this page is decoded first.
      next?.catch(() => undefined);
      const read = page.objects();
      answer.release?.();
      for (const object of read.objects) objects.push(object);
      gaps.push(...read.gaps);
      context.onPage?.(request.kind, objects.length, answer.body.length);
    }
    return { objects, gaps, end: 'done' };
  } catch (error) {
    if (error instanceof MissingError) return { objects, gaps, end: error };
    throw error;
  }
}

/** An API that is not there is not served, but for the core one: without it, this is no API server. */
function notFound(kind: Kind): 'not served' | MissingError {
  return kinds[kind].group === ''
    ? new MissingError('malformed', 'could not be listed: 404, as no API server answers')
    : 'not served';
}

function pathOf<K extends Kind>(
  { kind, version, resource, namespace }: ListRequest<K>,
  limit: number,
  token?: string,
): string {
  const { group } = kinds[kind];
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  const query = new URLSearchParams({ limit: String(limit), ...(token && { continue: token }) });
  return `${base}${scope}/${resource}?${query}`;
}
