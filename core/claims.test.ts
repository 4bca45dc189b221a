import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject } from '../test/objects.ts';
import {
  deployment,
  estate,
  make,
  ownedByKind,
  pod,
  statefulSet,
  workload,
} from '../test/objects.ts';
import { claimSlots, volumeSlots } from './claims.ts';

const slots = (objects: readonly AnyObject[], name: string, replicas: number) =>
  claimSlots(workload(name, estate(objects)), replicas);
const mounting = (...volumes: object[]) => ({ template: { spec: { volumes } } });
const claim = (name: string, claimName = name) => ({ name, persistentVolumeClaim: { claimName } });
const owning = (...volumes: string[]) => ({
  volumeClaimTemplates: volumes.map((name) => ({ metadata: { name } })),
});

describe('claimSlots', () => {
  it('are shared where the template names the claim', () => {
    const volumes = [claim('data', 'cart'), { name: 'tmp', hostPath: {} }, { name: 'none' }];
    const web = deployment('web', { spec: mounting(...volumes) });
    assert.deepEqual(slots([web], 'web', 3), [{ claims: ['cart'], isShared: true }]);
    assert.deepEqual(slots([deployment('web')], 'web', 3), []);
  });

  it('are one claim for each replica of a StatefulSet', () => {
    const db = statefulSet('db', { spec: owning('data', 'log') });
    assert.deepEqual(slots([db], 'db', 2), [
      { claims: ['data-db-0', 'data-db-1'], isShared: false },
      { claims: ['log-db-0', 'log-db-1'], isShared: false },
    ]);
    assert.deepEqual(slots([statefulSet('db')], 'db', 2), []);
    const nameless = statefulSet('db', { spec: { volumeClaimTemplates: [{}] } });
    assert.deepEqual(slots([nameless], 'db', 2), []);
  });

  it('begin at the first ordinal', () => {
    const db = statefulSet('db', { spec: { ...owning('data'), ordinals: { start: 3 } } });
    assert.deepEqual(slots([db], 'db', 2)[0]?.claims, ['data-db-3', 'data-db-4']);
  });

  it("are a StatefulSet's own rather than those of its template", () => {
    const spec = { ...owning('data'), ...mounting(claim('data', 'old'), claim('media')) };
    assert.deepEqual(slots([statefulSet('db', { spec })], 'db', 1), [
      { claims: ['media'], isShared: true },
      { claims: ['data-db-0'], isShared: false },
    ]);
  });

  it('are those of the pods where each was made by itself', () => {
    const owner = ownedByKind('core.strimzi.io/v1', 'StrimziPodSet', 'kafka');
    const kafka = (i: number, ...volumes: object[]) =>
      pod(`kafka-${i}`, { metadata: owner, spec: { volumes } });
    const pods = [0, 1].map((i) => kafka(i, claim('data', `data-${i}`), claim('media')));
    assert.deepEqual(slots(pods, 'kafka', 2), [
      { claims: ['data-0', 'data-1'], isShared: false },
      { claims: ['media'], isShared: true },
    ]);
    assert.deepEqual(slots([kafka(0, claim('data')), kafka(1)], 'kafka', 2), [
      { claims: ['data'], isShared: false },
    ]);
    assert.deepEqual(slots([pod('kafka-0', { metadata: owner })], 'kafka', 1), []);
  });
});

describe('volumeSlots', () => {
  it('have what is bound to each claim', () => {
    const db = statefulSet('db', { spec: owning('data') });
    const bound = make('persistentVolumeClaims', 'data-db-0', { spec: { volumeName: 'pv-1' } });
    const waiting = make('persistentVolumeClaims', 'data-db-1');
    const found = estate([db, bound, waiting, make('persistentVolumes', 'pv-1')]);
    const [slot] = volumeSlots(workload('db', found), 3, found.artifacts);
    assert.deepEqual(
      slot?.map(({ claim, volume }) => [claim, volume?.metadata.name]),
      [
        ['data-db-0', 'pv-1'],
        ['data-db-1', undefined],
        ['data-db-2', undefined],
      ],
    );
  });
});
