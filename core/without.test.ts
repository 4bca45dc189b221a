import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deployment, estate, make, node } from '../test/objects.ts';
import { reference } from './reference.ts';
import type { Snapshot } from './snapshot.ts';
import { objectsOf } from './snapshot.ts';
import { without } from './without.ts';

const named = (snapshot: Snapshot) =>
  (['deployments', 'nodes', 'routes'] as const).flatMap((kind) =>
    objectsOf(snapshot, kind).map((object) => `${object.kind} ${object.metadata.name}`),
  );

describe('without', () => {
  const web = deployment('web');
  const elsewhere = deployment('web', { metadata: { namespace: 'search' } });
  const { snapshot } = estate([web, elsewhere, node('web'), make('routes', 'web')], {
    listings: { pods: { state: 'missing', cause: 'forbidden', detail: 'refused' } },
  });

  it('leaves out the objects, and none of another namespace or kind', () => {
    const rest = without(snapshot, [reference(web)]);
    assert.deepEqual(objectsOf(rest, 'deployments'), [elsewhere]);
    assert.deepEqual(named(rest), ['Deployment web', 'Node web', 'Route web']);
    const none = without(snapshot, [reference(web), reference(elsewhere), reference(node('web'))]);
    assert.deepEqual(named(none), ['Route web']);
  });

  it('knows an object by another version of its API', () => {
    const old = { ...reference(web), apiVersion: 'apps/v1beta2' };
    assert.deepEqual(objectsOf(without(snapshot, [old]), 'deployments'), [elsewhere]);
    const other = { ...reference(web), apiVersion: 'example.org/v1' };
    assert.deepEqual(without(snapshot, [other]), snapshot);
  });

  it('changes nothing of what was not read', () => {
    assert.deepEqual(without(snapshot, [reference(web)]).listings.pods, snapshot.listings.pods);
  });
});
