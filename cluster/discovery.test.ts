import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, it } from 'mocha';
import type { Kind } from '../core/kinds.ts';
import { connectTo } from '../test/kubeconfigs.ts';
import { answer, byPath, standIn } from '../test/stand-in.ts';
import { discover } from './discovery.ts';
import type { Ask } from './request.ts';
import { asker, defaultLimits } from './request.ts';

/** What is found on a server that answers so, and what it was asked for. */
async function discovered(wanted: readonly Kind[], listener: RequestListener) {
  await using server = await standIn(listener);
  await using connection = await connectTo({ server: server.server });
  const signal = AbortSignal.timeout(10_000);
  const served = await discover(
    wanted,
    asker(connection, { ...defaultLimits, retries: 0, signal }),
  );
  return { served: Object.fromEntries(served), asked: server.requests.map(({ url }) => url) };
}

const apis = (body: unknown): RequestListener => byPath({ '/apis': answer(200, body) });
const group = (name: string, versions: object) => ({
  metadata: { name },
  versions: Object.entries(versions).map(([version, resources]) => ({
    version,
    freshness: 'Current',
    resources: (resources as string[]).map((resource) => ({ resource })),
  })),
});
const aggregated = (...items: readonly object[]) => ({
  apiVersion: 'apidiscovery.k8s.io/v2',
  kind: 'APIGroupDiscoveryList',
  items,
});

describe('discover', () => {
  describe('with aggregated discovery', () => {
    for (const version of ['v2', 'v2beta1']) {
      it(`finds in ${version}, by one request, what is served`, async () => {
        const apps = group('apps', { v1: ['deployments', 'daemonsets'] });
        const body = { ...aggregated(apps), apiVersion: `apidiscovery.k8s.io/${version}` };
        const wanted = ['deployments', 'statefulSets', 'jobs', 'pods'] as const;
        const { served, asked } = await discovered(wanted, apis(body));
        assert.deepEqual(served, {
          deployments: { version: 'v1', resources: ['deployments'] },
          pods: { version: 'v1', resources: ['pods'] },
        });
        assert.deepEqual(asked, ['/apis']);
      });
    }

    it('asks for the newest form that the server knows', async () => {
      await using server = await standIn(apis(aggregated()));
      await using connection = await connectTo({ server: server.server });
      const limits = { ...defaultLimits, signal: AbortSignal.timeout(10_000) };
      await discover(['pods'], asker(connection, limits));
      assert.equal(
        server.requests[0]?.headers.accept,
        'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,' +
          'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,' +
          'application/json',
      );
    });

    it('takes the version that is understood best', async () => {
      const resource = ['horizontalpodautoscalers'];
      const versionOf = async (versions: object) => {
        const body = aggregated(group('autoscaling', versions));
        const { served } = await discovered(['horizontalPodAutoscalers'], apis(body));
        return served['horizontalPodAutoscalers']?.version;
      };
      assert.equal(await versionOf({ v1: resource, v2beta2: resource, v2: resource }), 'v2');
      assert.equal(await versionOf({ v2beta2: resource, v1: resource }), 'v1');
      assert.equal(await versionOf({ v2: [], v1: resource }), 'v1');
      assert.equal(await versionOf({ v3: resource }), undefined);
    });

    it('takes of a kind with several resources those that are served', async () => {
      const resources = ['gateways', 'grpcroutes', 'httproutes'];
      const body = aggregated(group('gateway.networking.k8s.io', { v1: resources }));
      const { served } = await discovered(['gatewayRoutes'], apis(body));
      assert.deepEqual(served['gatewayRoutes']?.resources, ['httproutes', 'grpcroutes']);
    });

    it('leaves to the list what a server that is down would serve', async () => {
      const stale = (resources: readonly object[]) =>
        aggregated({
          metadata: { name: 'route.openshift.io' },
          versions: [{ version: 'v1', freshness: 'Stale', resources }],
        });
      const unknown = await discovered(['routes'], apis(stale([])));
      assert.deepEqual(unknown.served, { routes: { version: 'v1', resources: ['routes'] } });
      const others = await discovered(['routes'], apis(stale([{ resource: 'others' }])));
      assert.deepEqual(others.served, {});
    });
  });

  describe('on a server that only names its groups', () => {
    const groups = (...versions: readonly string[]) => ({
      kind: 'APIGroupList',
      groups: [{ name: 'some', versions: versions.map((groupVersion) => ({ groupVersion })) }],
    });
    const resources = (...names: readonly string[]) =>
      answer(200, { kind: 'APIResourceList', resources: names.map((name) => ({ name })) });

    it('asks for the versions that are understood, and for no others', async () => {
      const { served, asked } = await discovered(
        ['deployments', 'podDisruptionBudgets', 'cronJobs', 'leases'],
        byPath({
          '/apis': answer(
            200,
            groups('apps/v1', 'apps/v1beta1', 'policy/v1beta1', 'batch/v2alpha1', 'x/v1'),
          ),
          '/apis/apps/v1': resources('deployments', 'deployments/status'),
          '/apis/policy/v1beta1': resources('poddisruptionbudgets'),
        }),
      );
      assert.deepEqual(served, {
        deployments: { version: 'v1', resources: ['deployments'] },
        podDisruptionBudgets: { version: 'v1beta1', resources: ['poddisruptionbudgets'] },
      });
      assert.deepEqual(asked.toSorted(), ['/apis', '/apis/apps/v1', '/apis/policy/v1beta1']);
    });

    const unclear = {
      'is down': answer(503),
      'is not there': answer(404),
      'answers with a page': answer(200, '<html>'),
      'answers with something else': answer(200, { kind: 'Status' }),
    };
    for (const [what, listener] of Object.entries(unclear)) {
      it(`leaves to the list what an API serves that ${what}`, async () => {
        const { served } = await discovered(
          ['deployments'],
          byPath({ '/apis': answer(200, groups('apps/v1')), '/apis/apps/v1': listener }),
        );
        assert.deepEqual(served, { deployments: { version: 'v1', resources: ['deployments'] } });
      });
    }
  });

  it('passes over entries that are none', async () => {
    const apps = group('apps', { v1: ['deployments'] });
    const items = [null, 5, {}, { metadata: null, versions: [null, {}] }, apps];
    const { served } = await discovered(['deployments'], apis({ ...aggregated(), items }));
    assert.deepEqual(Object.keys(served), ['deployments']);
    const groups = [
      null,
      { versions: null },
      { versions: [null, {}, { groupVersion: 'apps/v1' }] },
    ];
    const old = { kind: 'APIGroupList', groups };
    assert.deepEqual((await discovered(['deployments'], apis(old))).served, {
      deployments: { version: 'v1', resources: ['deployments'] },
    });
  });

  const malformed = {
    'a page': '<html>Log in</html>',
    'half a document': JSON.stringify(aggregated()).slice(0, -3),
    'a number': '5',
    null: 'null',
    'an empty object': {},
    'a refusal that claims success': { kind: 'Status', reason: 'Forbidden' },
    'a list without items': { kind: 'APIGroupDiscoveryList' },
    'a list whose items are a text': { ...aggregated(), items: 'text' },
    'groups that are none': { kind: 'APIGroupList', groups: {} },
  };
  for (const [what, body] of Object.entries(malformed)) {
    it(`does not take ${what} for a server that serves nothing`, async () => {
      await assert.rejects(discovered(['routes'], apis(body)), {
        name: 'MissingError',
        missing: 'malformed',
        message: /^discovery answered /,
      });
    });
  }

  it('says why it was refused', async () => {
    const refusal = byPath({ '/apis': answer(403, { reason: 'Forbidden', message: 'no' }) });
    await assert.rejects(discovered(['pods'], refusal), { missing: 'forbidden' });
    const absent = byPath({});
    await assert.rejects(discovered(['pods'], absent), {
      missing: 'malformed',
      message: 'discovery answered 404',
    });
  });

  it('hides no fault of its own', async () => {
    const groups = { kind: 'APIGroupList', groups: [{ versions: [{ groupVersion: 'apps/v1' }] }] };
    const ask: Ask = async (path) => {
      if (path !== '/apis') throw new TypeError('a mistake');
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(groups)) };
    };
    await assert.rejects(discover(['deployments'], ask), TypeError);
  });
});
