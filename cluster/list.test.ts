import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener } from 'node:http';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Kind } from '../core/kinds.ts';
import { connectTo } from '../test/kubeconfigs.ts';
import { answer, inTurn, resetInBody, standIn } from '../test/stand-in.ts';
import { asWritten } from './intern.ts';
import type { ListContext, ListRequest } from './list.ts';
import { list } from './list.ts';
import { asker, defaultLimits } from './request.ts';

const services = { kind: 'services', version: 'v1', resource: 'services' } as const;
const routes = { kind: 'routes', version: 'v1', resource: 'routes' } as const;

/** The list of what a server answers so. */
async function listed<K extends Kind>(
  request: ListRequest<K>,
  listener: RequestListener,
  context: Partial<ListContext> = {},
) {
  await using server = await standIn(listener);
  await using connection = await connectTo({ server: server.server });
  const limits = { ...defaultLimits, retries: 0, signal: AbortSignal.timeout(10_000) };
  const ask = asker(connection, limits);
  const intern = asWritten;
  const { objects, gaps, end } = await list(request, { ask, intern, limit: 2, ...context });
  const names = objects.map(({ metadata }) => metadata.name);
  return { names, gaps, end, asked: server.requests.map(({ url }) => url) };
}

const named = (name: string) => ({ metadata: { name, namespace: 'shop' } });
const page = (names: readonly string[], token?: string) =>
  answer(200, {
    apiVersion: 'v1',
    kind: 'ServiceList',
    metadata: { continue: token },
    items: names.map(named),
  });
const expired = answer(410, {
  kind: 'Status',
  reason: 'Expired',
  // What a real server offers: pages of another state of the cluster.
  metadata: { continue: 'inconsistent' },
});
const query = ({ url }: IncomingMessage) => new URL(url ?? '', 'http://x').searchParams;

/** Serves these objects as an API server pages them. */
const paged =
  (names: readonly string[]): RequestListener =>
  (request, response) => {
    const from = Number(query(request).get('continue') ?? 0);
    const to = from + Number(query(request).get('limit'));
    const token = to < names.length ? String(to) : undefined;
    page(names.slice(from, to), token)(request, response);
  };

describe('list', () => {
  it('gives the same objects whatever the size of a page', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(30), fc.integer({ min: 1, max: 40 }), async (count, limit) => {
        const names = Array.from({ length: count }, (_, i) => `service-${i}`);
        const { names: read, end, asked } = await listed(services, paged(names), { limit });
        assert.deepEqual([read, end], [names, 'done']);
        assert.equal(asked.length, Math.max(1, Math.ceil(count / limit)));
      }),
      { numRuns: 20 },
    );
  });

  it('asks at the path of the kind', async () => {
    const path = async <K extends Kind>(request: ListRequest<K>) =>
      (await listed(request, page([]))).asked;
    assert.deepEqual(await path(services), ['/api/v1/services?limit=2']);
    assert.deepEqual(await path(routes), ['/apis/route.openshift.io/v1/routes?limit=2']);
    const one = { ...routes, namespace: 'a b/c' };
    const escaped = '/apis/route.openshift.io/v1/namespaces/a%20b%2Fc/routes?limit=2';
    assert.deepEqual(await path(one), [escaped]);
  });

  it('gives a token back as it came', async () => {
    const token = 'eyJ2IjoibWV0YS5rOHMuaW8vdjEi+/=&';
    const { asked } = await listed(services, inTurn(page(['a'], token), page(['b'])));
    assert.equal(new URL(asked[1] ?? '', 'http://x').searchParams.get('continue'), token);
  });

  it('tells of every page', async () => {
    const seen: unknown[] = [];
    const onPage = (kind: Kind, objects: number, bytes: number) =>
      seen.push([kind, objects, bytes > 0]);
    await listed(services, paged(['a', 'b', 'c']), { onPage });
    assert.deepEqual(seen, [
      ['services', 2, true],
      ['services', 3, true],
    ]);
  });

  describe('when the continue token has expired', () => {
    it('begins anew with larger pages, and never continues with another state', async () => {
      const second = page(['a', 'b', 'c']);
      const { names, end, asked } = await listed(
        services,
        inTurn(page(['a'], 't'), expired, second),
      );
      assert.deepEqual([names, end], [['a', 'b', 'c'], 'done']);
      assert.deepEqual(asked, [
        '/api/v1/services?limit=2',
        '/api/v1/services?limit=2&continue=t',
        '/api/v1/services?limit=8',
      ]);
    });

    it('says so when it is always so, and gives nothing that is half', async () => {
      const expiring: RequestListener = (request, response) => {
        const listener = query(request).has('continue') ? expired : page(['a'], 't');
        listener(request, response);
      };
      const { names, end, asked } = await listed(services, expiring);
      assert.deepEqual(names, []);
      assert.ok(typeof end === 'object');
      assert.equal(end.missing, 'expired');
      assert.match(end.message, /^could not be listed: the continue token expired \(410\)/);
      assert.equal(asked.length, 8);
      assert.ok(asked.at(-1)?.startsWith('/api/v1/services?limit=128&'));
      assert.ok(!asked.some((url) => url?.includes('inconsistent')));
    });
  });

  describe('of what is not there', () => {
    it('says that a kind is not served', async () => {
      const { names, end } = await listed(routes, answer(404, '404 page not found'));
      assert.deepEqual([names, end], [[], 'not served']);
      const removed = inTurn(page(['a'], 't'), answer(404));
      assert.deepEqual((await listed(routes, removed)).end, 'not served');
    });

    it('says that what has no services is no API server', async () => {
      const { end } = await listed(services, answer(404, '<html>'));
      assert.ok(typeof end === 'object');
      assert.deepEqual(
        [end.missing, end.message],
        ['malformed', 'could not be listed: 404, as no API server answers'],
      );
    });
  });

  describe('that breaks off', () => {
    const faults = {
      forbidden: answer(403, { reason: 'Forbidden', message: 'no' }),
      throttled: answer(429),
      unavailable: resetInBody,
      malformed: answer(200, '{"kind":"ServiceList"'),
    };
    for (const [cause, fault] of Object.entries(faults)) {
      it(`keeps what it has, and says why: ${cause}`, async () => {
        const { names, end } = await listed(services, inTurn(page(['a', 'b'], 't'), fault));
        assert.deepEqual(names, ['a', 'b']);
        assert.ok(typeof end === 'object');
        assert.equal(end.missing, cause);
      });

      it(`has nothing where the first page does: ${cause}`, async () => {
        const { names, end } = await listed(services, fault);
        assert.deepEqual(names, []);
        assert.ok(typeof end === 'object');
        assert.equal(end.missing, cause);
      });
    }
  });

  it('collects what was malformed on any page', async () => {
    const body = (name: string, token?: string) =>
      answer(200, {
        apiVersion: 'v1',
        kind: 'ServiceList',
        metadata: { continue: token },
        items: [named(name), { metadata: { name: 'bad', namespace: name }, spec: 5 }],
      });
    const { names, gaps, end } = await listed(services, inTurn(body('a', 't'), body('b')));
    assert.deepEqual([names, end], [['a', 'b'], 'done']);
    assert.deepEqual(
      gaps.map(({ namespace }) => namespace),
      ['a', 'b'],
    );
  });

  it('hides no fault of its own', async () => {
    const onPage = () => {
      throw new TypeError('a mistake');
    };
    await assert.rejects(listed(services, page(['a']), { onPage }), TypeError);
  });
});
