import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'mocha';
import type { Finding, ObjectReference } from '../core/result.ts';
import { connectTo } from '../test/kubeconfigs.ts';
import { answer, reset, silence, standIn } from '../test/stand-in.ts';
import { dryRun } from './dry-run.ts';

const cart = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'cart' };
const patch = { spec: { replicas: 2 } };

type Listener = Parameters<typeof standIn>[0];

async function ask(listener: Listener, object: ObjectReference = cart, signal = anHour) {
  await using server = await standIn(listener);
  await using connection = await connectTo({ server: server.server });
  const said = await dryRun(connection, { object, patch } satisfies Partial<Finding>, signal);
  return { said, requests: server.requests };
}

const anHour = AbortSignal.timeout(3_600_000);
const status = (reason: string, message: string) => ({ kind: 'Status', reason, message });

describe('dryRun', () => {
  it('asks what the patch would make of the object, and for nothing to be changed', async () => {
    let body = '';
    const { said, requests } = await ask(async (request, response) => {
      body = await text(request);
      answer(200, { kind: 'Deployment' })(request, response);
    });
    assert.deepEqual(said, { state: 'accepted', object: { kind: 'Deployment' } });
    assert.equal(body, JSON.stringify(patch));
    const [request] = requests;
    const asked = new URL(request?.url ?? '', 'http://x');
    assert.equal(request?.method, 'PATCH');
    assert.equal(asked.pathname, '/apis/apps/v1/namespaces/shop/deployments/cart');
    assert.deepEqual(Object.fromEntries(asked.searchParams), {
      dryRun: 'All',
      fieldManager: 'ha-compliance',
      fieldValidation: 'Strict',
    });
    assert.equal(request?.headers['content-type'], 'application/strategic-merge-patch+json');
  });

  it('merges custom resources without a strategy, and finds objects of the cluster', async () => {
    const pool = {
      apiVersion: 'machineconfiguration.openshift.io/v1',
      kind: 'MachineConfigPool',
      name: 'worker',
    };
    const { requests } = await ask(answer(200), pool);
    const path = '/apis/machineconfiguration.openshift.io/v1/machineconfigpools/worker';
    assert.equal(requests[0]?.url?.split('?')[0], path);
    assert.equal(requests[0]?.headers['content-type'], 'application/merge-patch+json');
    const route = { ...cart, apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute' };
    const custom = await ask(answer(200), route);
    assert.equal(custom.requests[0]?.headers['content-type'], 'application/merge-patch+json');
  });

  it('finds objects of the core group', async () => {
    const { requests } = await ask(answer(200), { apiVersion: 'v1', kind: 'Node', name: 'a b' });
    assert.equal(requests[0]?.url?.split('?')[0], '/api/v1/nodes/a%20b');
  });

  it('says that the server refuses it, and why', async () => {
    const invalid = answer(422, status('Invalid', 'spec.replicas: must be positive'));
    assert.deepEqual((await ask(invalid)).said, {
      state: 'refused',
      reason: '422 Invalid: spec.replicas: must be positive',
    });
    const denied = answer(403, status('Forbidden', 'exceeded quota: compute'));
    assert.deepEqual((await ask(denied)).said, {
      state: 'refused',
      reason: '403 Forbidden: exceeded quota: compute',
    });
  });

  it('says that it was not tried where the user or the server could not', async () => {
    const message = 'deployments.apps "cart" is forbidden: User "x" cannot patch resource "dep"';
    const tries: readonly (readonly [Listener, RegExp])[] = [
      [answer(403, status('Forbidden', message)), /^403 Forbidden: .* cannot patch resource/],
      [answer(401, status('Unauthorized', 'Unauthorized')), /^401 Unauthorized/],
      [answer(429), /^429 without a reason$/],
      [answer(503, 'no backend'), /^503 without a reason$/],
      [answer(200, '<html>'), /not valid JSON/],
      [reset, /ECONNRESET|other side closed/],
    ];
    for (const [listener, reason] of tries) {
      const { said } = await ask(listener);
      assert.equal(said.state, 'not tried');
      assert.match('reason' in said ? said.reason : '', reason);
    }
  });

  it('ends with the signal', async () => {
    const { said } = await ask(silence, cart, AbortSignal.abort('deadline'));
    assert.deepEqual(said, { state: 'not tried', reason: 'deadline' });
  });

  it('asks nothing of what it does not know the path of', async () => {
    const { said, requests } = await ask(answer(200), { ...cart, kind: 'Cluster' });
    assert.deepEqual(said, { state: 'not tried', reason: 'Cluster is no kind that is read' });
    assert.deepEqual(requests, []);
  });
});
