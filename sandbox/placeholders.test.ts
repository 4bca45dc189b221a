import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Client } from './client.ts';
import { fillIn } from './placeholders.ts';
import { topologies } from './topologies.ts';

describe('placeholders', () => {
  const asked: string[] = [];
  const found = { metadata: { name: 'cart-1', uid: 'u1' }, spec: { nodeName: 'worker-2' } };
  const client: Client = {
    send: async () => ({ status: 200, body: found }),
    demand: async ({ path }) => {
      asked.push(path);
      return path.includes('?') ? { items: [found] } : found;
    },
    close: () => undefined,
  };
  const fill = async (data: unknown) => {
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data };
    const [filled] = await fillIn([manifest], topologies.ha, client);
    return filled?.['data'];
  };

  it('become what the topology says, numbers as numbers', async () => {
    const data = { a: '$(controlPlanes)', b: ['$(workers) of $(controlPlaneTopology)'] };
    assert.deepEqual(await fill(data), { a: 3, b: ['3 of HighlyAvailable'] });
  });

  it('become what the cluster says', async () => {
    const data = { a: '$(pod shop app=cart)_1', b: '$(node shop app=cart)', c: '$(uid /api/v1/x)' };
    assert.deepEqual(await fill(data), { a: 'cart-1_1', b: 'worker-2', c: 'u1' });
    assert.ok(asked.includes('/api/v1/namespaces/shop/pods?labelSelector=app=cart'));
  });

  it('are refused when nobody knows them', async () => {
    await assert.rejects(fill('$(nonsense)'), /unknown placeholder \$\(nonsense\)/);
  });
});
