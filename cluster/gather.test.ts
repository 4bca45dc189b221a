import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener } from 'node:http';
import { describe, it } from 'mocha';
import type { Kind } from '../core/kinds.ts';
import { listing, missing } from '../core/snapshot.ts';
import { connectTo } from '../test/kubeconfigs.ts';
import { answer, byPath, inTurn, reset, silence, standIn } from '../test/stand-in.ts';
import type { Answer, Lists } from './connect.ts';
import type { GatherOptions } from './gather.ts';
import { gather } from './gather.ts';

const pathOf = ({ url }: IncomingMessage) => new URL(url ?? '', 'http://x').pathname;

/** The snapshot of what a server answers so, and the paths that were asked for. */
async function gathered(
  wanted: readonly Kind[],
  listener: RequestListener,
  options: Partial<GatherOptions> = {},
) {
  await using server = await standIn(listener);
  await using connection = await connectTo({ server: server.server });
  const signal = options.signal ?? AbortSignal.timeout(20_000);
  const snapshot = await gather(connection, { kinds: wanted, ...options, signal });
  return { snapshot, asked: server.requests.map(pathOf) };
}

const group = (name: string, resources: readonly string[]) => ({
  metadata: { name },
  versions: [{ version: 'v1', resources: resources.map((resource) => ({ resource })) }],
});
const items = [
  group('apps', ['deployments']),
  group('gateway.networking.k8s.io', ['httproutes', 'grpcroutes']),
];
const date = 'Sat, 10 Jan 2026 12:00:00 GMT';
const server: Readonly<Record<string, RequestListener>> = {
  '/version': answer(200, { gitVersion: 'v1.36.3' }, { date }),
  '/apis': answer(200, { kind: 'APIGroupDiscoveryList', items }),
};
const list = (names: readonly string[], token?: string) =>
  answer(200, {
    apiVersion: 'v1',
    kind: 'PodList',
    metadata: { continue: token },
    items: names.map((name) => ({ metadata: { name, namespace: 'shop' } })),
  });
const forbidden = answer(403, { reason: 'Forbidden', message: 'pods is forbidden' });
const down = answer(503, { reason: 'ServiceUnavailable' }, { 'retry-after': '0' });
const pods = '/api/v1/pods';
const podsOf = (namespace: string) => `/api/v1/namespaces/${namespace}/pods`;

describe('gather', () => {
  it('says what was read, where, when and from which version', async () => {
    const { snapshot } = await gathered(['pods'], byPath({ ...server, [pods]: list(['a']) }));
    assert.deepEqual(snapshot, {
      input: { kind: 'live', name: 'test' },
      takenAt: '2026-01-10T12:00:00Z',
      serverVersion: 'v1.36.3',
      listings: {
        pods: {
          state: 'read',
          objects: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'shop' } }],
          gaps: [],
        },
      },
      complete: true,
    });
  });

  it('reads nothing that is not asked for, and each list once', async () => {
    const wanted = ['pods', 'services'] as const;
    const lists = { [pods]: list(['a']), '/api/v1/services': list([]) };
    const { asked } = await gathered(wanted, byPath({ ...server, ...lists }));
    assert.deepEqual(asked.toSorted(), [pods, '/api/v1/services', '/apis', '/version']);
    assert.deepEqual((await gathered([], byPath(server))).snapshot.listings, {});
  });

  it('does not ask for what is not served', async () => {
    const { snapshot, asked } = await gathered(['routes'], byPath(server));
    assert.deepEqual(snapshot.listings, { routes: { state: 'not served' } });
    assert.deepEqual(asked.toSorted(), ['/apis', '/version']);
  });

  it('tells of its pages', async () => {
    const seen: unknown[] = [];
    const onPage = (kind: Kind, objects: number) => seen.push([kind, objects]);
    await gathered(['pods'], byPath({ ...server, [pods]: list(['a']) }), { onPage });
    assert.deepEqual(seen, [['pods', 1]]);
  });

  it('keeps an error for what could not be listed, and the rest', async () => {
    const lists = { [pods]: forbidden, '/api/v1/services': list(['a']) };
    const { snapshot } = await gathered(['pods', 'services'], byPath({ ...server, ...lists }));
    const detail = 'could not be listed: 403 Forbidden: pods is forbidden';
    assert.deepEqual(snapshot.listings.pods, { state: 'missing', cause: 'forbidden', detail });
    assert.equal(snapshot.listings.services?.state, 'read');
    assert.equal(snapshot.complete, true);
  });

  it('keeps what was read of a list that breaks off, as partial', async () => {
    const breaking = inTurn(list(['a'], 'next'), forbidden);
    const { snapshot } = await gathered(['pods'], byPath({ ...server, [pods]: breaking }));
    const read = listing(snapshot, 'pods');
    assert.ok(read.state === 'read');
    assert.deepEqual(
      read.objects.map(({ metadata }) => metadata.name),
      ['a'],
    );
    const detail = 'could not be listed: 403 Forbidden: pods is forbidden';
    assert.deepEqual(read.gaps, [{ cause: 'partial', detail }]);
    assert.equal(missing(snapshot, 'pods', 'any')?.cause, 'partial');
  });

  it('keeps what was read when the run ends, and says that it is not all', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const lists = {
      [pods]: inTurn(list(['a'], 'next'), () => controller.abort()),
      '/api/v1/nodes': silence,
    };
    const wanted = ['pods', 'nodes'] as const;
    const { snapshot } = await gathered(wanted, byPath({ ...server, ...lists }), { signal });
    assert.equal(snapshot.complete, false);
    const read = listing(snapshot, 'pods');
    assert.ok(read.state === 'read');
    assert.equal(read.objects.length, 1);
    assert.deepEqual(read.gaps, [{ cause: 'partial', detail: 'was cut short' }]);
    const cut = { state: 'missing', cause: 'timeout', detail: 'was cut short' };
    assert.deepEqual(listing(snapshot, 'nodes'), cut);
  });

  it('reads nothing after the run has ended', async () => {
    const signal = AbortSignal.abort();
    const { snapshot, asked } = await gathered(['pods'], byPath(server), { signal });
    assert.deepEqual([snapshot.complete, asked], [false, []]);
    assert.equal(missing(snapshot, 'pods')?.cause, 'timeout');
  });

  describe('of a server that is not there', () => {
    it('does not ask once more for every kind', async () => {
      const wanted = ['pods', 'services', 'routes'] as const;
      for (const [fault, cause] of [
        [down, 'unavailable'],
        [answer(504, {}, { 'retry-after': '0' }), 'timeout'],
      ] as const) {
        const { snapshot, asked } = await gathered(wanted, fault);
        assert.deepEqual(new Set(asked), new Set(['/version', '/apis']));
        for (const kind of wanted) assert.equal(missing(snapshot, kind)?.cause, cause);
        assert.equal(snapshot.complete, true);
        assert.equal('takenAt' in snapshot, false);
      }
    });

    it('asks for lists when only one of the two first answers fails', async () => {
      const lists = { [pods]: list(['a']) };
      for (const fault of ['/version', '/apis']) {
        const answers = { ...server, ...lists, [fault]: down };
        const { snapshot } = await gathered(['pods'], byPath(answers));
        assert.equal(snapshot.listings.pods?.state, 'read');
      }
    });

    it('comes back when it does', async () => {
      const first = inTurn(reset, server['/version'] ?? down);
      const answers = {
        ...server,
        '/version': first,
        [pods]: inTurn(down, forbidden, list(['a'])),
      };
      const { snapshot } = await gathered(['pods'], byPath(answers));
      assert.equal(snapshot.listings.pods?.state, 'read');
    });
  });

  describe('where discovery is refused', () => {
    it('lets each list find out for itself', async () => {
      const lists = { [pods]: list(['a']), '/apis/apps/v1/deployments': list([]) };
      const answers = { ...server, ...lists, '/apis': forbidden };
      const wanted = ['pods', 'deployments', 'routes'] as const;
      const { snapshot } = await gathered(wanted, byPath(answers));
      const states = wanted.map((kind) => listing(snapshot, kind).state);
      assert.deepEqual(states, ['read', 'read', 'not served']);
    });
  });

  describe('of the version', () => {
    const version = async (listener: RequestListener) => {
      const answers = { ...server, '/version': listener, [pods]: list([]) };
      const { snapshot } = await gathered(['pods'], byPath(answers));
      assert.equal(snapshot.listings.pods?.state, 'read');
      return [snapshot.takenAt, snapshot.serverVersion];
    };

    it('keeps the time where it does not understand the rest', async () => {
      for (const body of [{}, { gitVersion: 5 }, 'null', '5', '[]']) {
        const time = '2026-01-10T12:00:00Z';
        assert.deepEqual(await version(answer(200, body, { date })), [time, undefined]);
      }
    });

    it('has no time where the server does not say it', async () => {
      const timeless: RequestListener = (_, response) => {
        response.sendDate = false;
        response.end('{"gitVersion":"v1.36.3"}');
      };
      assert.deepEqual(await version(timeless), [undefined, 'v1.36.3']);
      const odd = answer(200, {}, { date: 'yesterday' });
      assert.deepEqual(await version(odd), [undefined, undefined]);
    });

    it('does without', async () => {
      for (const listener of [answer(200, '<html>'), forbidden]) {
        assert.deepEqual(await version(listener), [undefined, undefined]);
      }
    });
  });

  describe('of a kind that is several resources', () => {
    const gateway = '/apis/gateway.networking.k8s.io/v1';
    const routes = (http: RequestListener, grpc: RequestListener) =>
      byPath({ ...server, [`${gateway}/httproutes`]: http, [`${gateway}/grpcroutes`]: grpc });
    const read = async (http: RequestListener, grpc: RequestListener) => {
      const { snapshot } = await gathered(['gatewayRoutes'], routes(http, grpc));
      return listing(snapshot, 'gatewayRoutes');
    };

    it('puts them together', async () => {
      const both = await read(list(['a']), list(['b']));
      assert.ok(both.state === 'read');
      assert.deepEqual(
        both.objects.map(({ metadata }) => metadata.name),
        ['a', 'b'],
      );
    });

    it('is not served when none of them is', async () => {
      const absent = answer(404);
      assert.equal((await read(absent, absent)).state, 'not served');
      assert.equal((await read(absent, list([]))).state, 'read');
    });

    it('is partial when one is refused, and missing when nothing else is there', async () => {
      const half = await read(list(['a']), forbidden);
      assert.ok(half.state === 'read');
      assert.equal(half.gaps[0]?.cause, 'partial');
      const none = await read(list([]), forbidden);
      assert.ok(none.state === 'missing');
      assert.equal(none.cause, 'forbidden');
    });
  });

  describe('who may read some namespaces only', () => {
    const namespaces = ['shop', 'pay', 'web'];
    const answers = {
      ...server,
      [pods]: forbidden,
      [podsOf('shop')]: list(['a']),
      [podsOf('pay')]: forbidden,
      [podsOf('web')]: inTurn(list(['b'], 'next'), answer(400)),
    };

    it('gets these, and is told of the others', async () => {
      const { snapshot } = await gathered(['pods'], byPath(answers), { namespaces });
      const read = listing(snapshot, 'pods');
      assert.ok(read.state === 'read');
      assert.deepEqual(
        read.objects.map(({ metadata }) => metadata.name),
        ['a', 'b'],
      );
      assert.equal(missing(snapshot, 'pods', 'shop'), undefined);
      assert.equal(missing(snapshot, 'pods', 'pay')?.cause, 'forbidden');
      assert.equal(missing(snapshot, 'pods', 'web')?.cause, 'partial');
    });

    it('is not asked for namespaces where the whole list can be had', async () => {
      const { asked } = await gathered(['pods'], byPath({ ...answers, [pods]: list([]) }), {
        namespaces,
      });
      assert.ok(asked.every((path) => !path.includes('/namespaces/')));
    });

    it('is not asked for namespaces of what has none, nor where none is named', async () => {
      const nodes = '/api/v1/nodes';
      const refusing = byPath({ ...answers, [nodes]: forbidden });
      const { snapshot, asked } = await gathered(['nodes'], refusing, { namespaces });
      assert.equal(missing(snapshot, 'nodes')?.cause, 'forbidden');
      assert.equal(asked.filter((path) => path === nodes).length, 1);
      const all = await gathered(['pods'], refusing);
      assert.equal(missing(all.snapshot, 'pods')?.cause, 'forbidden');
    });

    it('does not crowd out others, however many namespaces there are', async () => {
      let running = 0;
      let most = 0;
      const counting: RequestListener = (request, response) => {
        most = Math.max(most, ++running);
        response.on('close', () => running--);
        setImmediate(() => list([])(request, response));
      };
      const many = Array.from({ length: 100 }, (_, i) => `namespace-${i}`);
      const listener: RequestListener = (request, response) => {
        const isOne = pathOf(request).includes('/namespaces/');
        (isOne ? counting : byPath(answers))(request, response);
      };
      await gathered(['pods'], listener, { namespaces: many });
      assert.ok(most <= 4, String(most));
    });
  });

  it('hides no fault of its own', async () => {
    for (const path of ['/version', '/apis']) {
      const right = { status: 200, headers: {}, body: Buffer.from('{}') };
      const wrong: Answer = {
        ...right,
        get body(): Buffer {
          throw new TypeError('a mistake');
        },
      };
      const connection: Lists = {
        name: 'test',
        server: '',
        get: async (asked) => (asked === path ? wrong : right),
      };
      const { signal } = new AbortController();
      await assert.rejects(gather(connection, { kinds: ['pods'], signal }), TypeError);
    }
  });
});
