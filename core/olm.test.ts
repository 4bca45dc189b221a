import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { estate, make } from '../test/objects.ts';
import { operatorNamespaces, ownClusterServiceVersions } from './olm.ts';

const version = (namespace: string | undefined, labels?: object) =>
  make('clusterServiceVersions', 'cache.v1.2.0', { metadata: { namespace, labels } });
const { snapshot } = estate([
  version('cache-system', { 'olm.copiedTo': 'shop' }),
  version('shop', { 'olm.copiedFrom': 'cache-system' }),
  version('kiosk', { 'olm.copiedFrom': '' }),
  version('bare'),
  version(undefined, { 'olm.copiedTo': 'shop' }),
  make('subscriptions', 'queue', { metadata: { namespace: 'queue-system' } }),
]);

describe('ownClusterServiceVersions', () => {
  it('are those that were not copied', () => {
    const namespaces = ownClusterServiceVersions(snapshot).map(
      ({ metadata }) => metadata.namespace,
    );
    assert.deepEqual(namespaces, ['cache-system', 'bare', undefined]);
  });
});

describe('operatorNamespaces', () => {
  it('hold a ClusterServiceVersion of their own, or a Subscription', () => {
    assert.deepEqual([...operatorNamespaces(snapshot)], ['cache-system', 'bare', 'queue-system']);
  });

  it('are none where nothing of the kind is served', () => {
    const listings = {
      clusterServiceVersions: { state: 'not served' },
      subscriptions: { state: 'not served' },
    } as const;
    assert.deepEqual([...operatorNamespaces(estate([], { listings }).snapshot)], []);
  });
});
