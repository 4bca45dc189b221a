import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Fields } from '../test/objects.ts';
import {
  daemonSet,
  deployment,
  estate,
  make,
  ownedBy,
  pod,
  replicaSet,
  statefulSet,
  workload,
} from '../test/objects.ts';
import { blockingPod, leftover, revisionOf } from './rollout-state.ts';

const left = (object: AnyObject) => leftover(workload(object.metadata.name, estate([object])));
const message = (object: AnyObject) => left(object)?.message;

describe('what is paused', () => {
  const paused = (status: object, metadata: object = {}) =>
    deployment('web', {
      metadata: { generation: 3, ...metadata },
      spec: { replicas: 3, paused: true },
      status: { observedGeneration: 3, replicas: 3, updatedReplicas: 3, ...status },
    });
  const condition = (fields: object) => ({
    conditions: [{ type: 'Progressing', status: 'Unknown', reason: 'DeploymentPaused', ...fields }],
  });

  it('is nothing that goes on', () => {
    assert.equal(left(deployment('web', { spec: { paused: false } })), undefined);
    assert.equal(left(deployment('web')), undefined);
  });

  it('is shown with the field and the way back', () => {
    assert.deepEqual(left(paused({})), {
      path: 'spec.paused',
      message: 'paused',
      patch: { spec: { paused: false } },
    });
  });

  it('is dated by its condition', () => {
    const since = ' (condition Progressing, reason DeploymentPaused)';
    const updated = condition({
      lastUpdateTime: '2026-01-09T08:00:00Z',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    });
    assert.equal(message(paused(updated)), `paused since 2026-01-09${since}`);
    const turned = condition({ lastTransitionTime: '2026-01-01T00:00:00Z' });
    assert.equal(message(paused(turned)), `paused since 2026-01-01${since}`);
  });

  it('is not dated by any other condition, nor by one without a date', () => {
    const others = [
      condition({}),
      condition({ type: 'Available', lastUpdateTime: '2026-01-09T08:00:00Z' }),
      condition({ reason: 'ProgressDeadlineExceeded', lastUpdateTime: '2026-01-09T08:00:00Z' }),
    ];
    for (const other of others) assert.equal(message(paused(other)), 'paused');
  });

  const waiting: readonly (readonly [string, AnyObject, boolean])[] = [
    ['when not all replicas are of the new template', paused({ updatedReplicas: 1 }), true],
    ['when none is', paused({ updatedReplicas: undefined }), true],
    ['when there are more than are asked for', paused({ replicas: 4 }), true],
    ['not when all are', paused({}), false],
    [
      'not when the controller lags behind',
      paused({ updatedReplicas: 1, observedGeneration: 2 }),
      false,
    ],
    ['not when the controller has seen nothing', paused({ observedGeneration: undefined }), false],
    ['not in a manifest', paused({ updatedReplicas: 1 }, { uid: undefined }), false],
  ];
  for (const [what, object, expected] of waiting) {
    it(`has a change waiting ${what}`, () => {
      assert.equal(message(object)?.includes(', a template change is waiting'), expected);
    });
  }

  it('has a change waiting where one replica is the default', () => {
    const object = deployment('web', { spec: { paused: true }, status: {} });
    assert.equal(message(object), 'paused, a template change is waiting');
  });

  it('has none waiting where the one replica is of the new template', () => {
    const status = { observedGeneration: 3, replicas: 1, updatedReplicas: 1 };
    const object = deployment('web', { spec: { paused: true }, status });
    assert.equal(message(object), 'paused');
  });

  it('has none waiting where the controller has seen nothing of the first generation', () => {
    const metadata = { generation: 1 };
    const object = deployment('web', { metadata, spec: { paused: true, replicas: 2 } });
    assert.equal(message(object), 'paused');
  });

  it('may be a DeploymentConfig, too', () => {
    const config = make('deploymentConfigs', 'old', { spec: { paused: true, replicas: 0 } });
    assert.equal(message(config), 'paused');
  });

  it('may be a Rollout, whose generation is a text', () => {
    const rollout = (observedGeneration: string) =>
      make('rollouts', 'web', {
        metadata: { generation: 3 },
        spec: { paused: true, replicas: 2 },
        status: { observedGeneration, replicas: 2, updatedReplicas: 1 },
      });
    assert.equal(message(rollout('3')), 'paused, a template change is waiting');
    assert.equal(message(rollout('2')), 'paused');
    assert.equal(message(rollout('6f8c9d')), 'paused');
  });

  it('is no other kind', () => {
    assert.equal(left(replicaSet('web', { spec: { paused: true } })), undefined);
  });
});

const staged = (updateStrategy: object, status: object, fields: Fields = {}) =>
  statefulSet('db', {
    ...fields,
    spec: { replicas: 3, updateStrategy, ...(fields['spec'] as object) },
    status,
  });
const partition = (n: number) => ({ type: 'RollingUpdate', rollingUpdate: { partition: n } });
const unequal = { currentRevision: 'a', updateRevision: 'b' };
const equal = { currentRevision: 'b', updateRevision: 'b' };

describe('what is staged', () => {
  const path = 'spec.updateStrategy.rollingUpdate.partition';

  it('is a StatefulSet of two revisions with a partition', () => {
    assert.deepEqual(left(staged(partition(2), unequal)), {
      path,
      message: 'partition 2 of 3: ordinals 0–1 stay on the old revision',
      patch: { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } },
    });
    const one = 'partition 1 of 3: ordinal 0 stays on the old revision';
    assert.equal(message(staged(partition(1), unequal)), one);
  });

  it('is paused entirely with a partition above all ordinals', () => {
    assert.equal(message(staged(partition(3), unequal)), 'paused entirely: partition 3 of 3');
    const single = statefulSet('db', { spec: { updateStrategy: partition(1) }, status: unequal });
    assert.equal(message(single), 'paused entirely: partition 1 of 1');
  });

  it('is nothing that is finished, rolling or only written down', () => {
    assert.equal(left(staged(partition(2), equal)), undefined);
    assert.equal(left(staged(partition(0), unequal)), undefined);
    assert.equal(left(staged({}, unequal)), undefined);
    assert.equal(left(statefulSet('db')), undefined);
    const manifest = { metadata: { uid: undefined } };
    assert.equal(left(staged(partition(2), unequal, manifest)), undefined);
  });
});

describe('what waits for its pods to be deleted', () => {
  const onDelete = { type: 'OnDelete' };

  it('is a StatefulSet with old pods, whatever its revisions', () => {
    const expected = {
      path: 'spec.updateStrategy',
      message: 'OnDelete: 2 of 3 pods on the old revision',
    };
    const status = { replicas: 3, updatedReplicas: 1 };
    assert.deepEqual(left(staged(onDelete, { ...status, ...unequal })), expected);
    assert.deepEqual(left(staged(onDelete, { ...status, ...equal })), expected);
    assert.equal(
      message(staged(onDelete, { replicas: 3 })),
      'OnDelete: 3 of 3 pods on the old revision',
    );
  });

  it('is no StatefulSet whose pods are all new', () => {
    assert.equal(
      left(staged(onDelete, { replicas: 3, updatedReplicas: 3, ...unequal })),
      undefined,
    );
    assert.equal(left(staged(onDelete, {})), undefined);
  });

  const agent = (type: string, status?: object) =>
    daemonSet('agent', { spec: { updateStrategy: { type } }, status });

  it('is a DaemonSet with old pods', () => {
    const status = { desiredNumberScheduled: 6, updatedNumberScheduled: 2 };
    assert.equal(message(agent('OnDelete', status)), 'OnDelete: 4 of 6 pods on the old revision');
  });

  it('is a DaemonSet with one old pod, or with old pods only', () => {
    const one = agent('OnDelete', { desiredNumberScheduled: 6, updatedNumberScheduled: 5 });
    assert.equal(message(one), 'OnDelete: 1 of 6 pods on the old revision');
    const all = agent('OnDelete', { desiredNumberScheduled: 6 });
    assert.equal(message(all), 'OnDelete: 6 of 6 pods on the old revision');
  });

  it('is no DaemonSet that rolls or is finished', () => {
    const status = { desiredNumberScheduled: 6, updatedNumberScheduled: 6 };
    assert.equal(left(agent('OnDelete', status)), undefined);
    assert.equal(left(agent('OnDelete')), undefined);
    assert.equal(left(agent('RollingUpdate', { desiredNumberScheduled: 6 })), undefined);
    assert.equal(left(daemonSet('agent')), undefined);
  });
});

describe('blockingPod', () => {
  const old = '2026-01-01T00:00:00Z';
  const member = (i: number, revision: string | undefined, isReady = true, own: object = {}) =>
    pod(`db-${i}`, {
      metadata: {
        creationTimestamp: old,
        ...own,
        ...ownedBy(statefulSet('db')),
        labels: revision === undefined ? {} : { 'controller-revision-hash': revision },
      },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
      },
    });
  const blocking = (set: AnyObject, ...pods: AnyObject[]) => {
    const all = estate([set, ...pods]);
    return blockingPod(workload(set.metadata.name, all), all.scope)?.metadata.name;
  };
  const rolling = (status: object, spec: object = {}) => staged({}, status, { spec });

  it('is the unready pod of a set of two revisions, be it old or new', () => {
    assert.equal(blocking(rolling(unequal), member(0, 'a'), member(1, 'b', false)), 'db-1');
    assert.equal(blocking(rolling(unequal), member(0, 'a', false), member(1, 'b')), 'db-0');
  });

  it('is none where all are ready', () => {
    assert.equal(blocking(rolling(unequal), member(0, 'a'), member(1, 'b')), undefined);
  });

  it('is none where the update is finished, ready or not', () => {
    assert.equal(blocking(rolling(equal), member(0, 'b'), member(1, 'b', false)), undefined);
  });

  it('is the stuck pod of a revision that was taken back', () => {
    assert.equal(blocking(rolling(equal), member(0, 'b'), member(1, 'c', false)), 'db-1');
    assert.equal(blocking(rolling(equal), member(0, undefined, false)), 'db-0');
  });

  it('is neither a young pod nor one that makes room, but the one behind them', () => {
    const young = member(0, 'a', false, { creationTimestamp: estate([]).snapshot.takenAt });
    const leaving = member(1, 'a', false, { deletionTimestamp: old });
    assert.equal(blocking(rolling(unequal), young, leaving, member(2, 'b')), undefined);
    assert.equal(blocking(rolling(unequal), young, leaving, member(2, 'b', false)), 'db-2');
  });

  it('is of a parallel set a pod of the new revision only', () => {
    const parallel = rolling(unequal, { podManagementPolicy: 'Parallel' });
    assert.equal(blocking(parallel, member(0, 'a', false), member(1, 'b')), undefined);
    assert.equal(blocking(parallel, member(0, 'a', false), member(1, 'b', false)), 'db-1');
  });

  it('is none under a partition, OnDelete, or of another kind', () => {
    const stuck = member(1, 'b', false);
    assert.equal(blocking(staged(partition(1), unequal), stuck), undefined);
    assert.equal(blocking(staged({ type: 'OnDelete' }, unequal), stuck), undefined);
    assert.equal(blocking(deployment('web')), undefined);
    assert.equal(blocking(statefulSet('db')), undefined);
  });
});

describe('revisionOf', () => {
  it('is the label that the controller sets', () => {
    const labels = { 'controller-revision-hash': 'db-5f7' };
    assert.equal(revisionOf(pod('db-0', { metadata: { labels } })), 'db-5f7');
    assert.equal(revisionOf(pod('db-0')), undefined);
  });
});
