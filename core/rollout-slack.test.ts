import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject } from '../test/objects.ts';
import {
  daemonSet,
  deployment,
  estate,
  ownedBy,
  pod,
  replicaSet,
  statefulSet,
  workload,
} from '../test/objects.ts';
import { slackOf } from './rollout-slack.ts';

function slack(object: AnyObject, ...pods: readonly AnyObject[]) {
  const found = estate([object, ...pods]);
  return slackOf(workload('web', found), found.scope);
}

/** Taken at noon. */
const member = (owner: AnyObject, time: string, isReady = false, revision = 'b') =>
  pod('web-0', {
    metadata: {
      ...ownedBy(owner),
      creationTimestamp: `2026-01-10T${time}Z`,
      labels: { 'controller-revision-hash': revision },
    },
    status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  });

describe('slackOf a Deployment', () => {
  const web = (status: object, strategy: object = {}) =>
    deployment('web', { spec: { replicas: 4, strategy }, status });
  const progressing = (status: string, reason: string) => ({
    replicas: 4,
    updatedReplicas: 4,
    conditions: [{ type: 'Progressing', status, reason }],
  });

  it('is its bound while old replicas are there', () => {
    assert.equal(slack(web({ replicas: 5, updatedReplicas: 4 })), 1);
    assert.equal(slack(web({ replicas: 4, updatedReplicas: 4 })), 0);
    assert.equal(slack(web({ replicas: 1 })), 1);
    assert.equal(slack(web({})), 0);
  });

  it('is its bound while the condition says that it progresses', () => {
    assert.equal(slack(web(progressing('True', 'ReplicaSetUpdated'))), 1);
    assert.equal(slack(web(progressing('True', 'NewReplicaSetAvailable'))), 0);
    assert.equal(slack(web(progressing('False', 'ProgressDeadlineExceeded'))), 0);
    assert.equal(slack(web(progressing('Unknown', 'DeploymentPaused'))), 0);
  });

  it('is what its strategy allows', () => {
    const rolling = { replicas: 5, updatedReplicas: 2 };
    assert.equal(slack(web(rolling, { type: 'Recreate' })), 4);
    assert.equal(slack(web(rolling, { rollingUpdate: { maxUnavailable: '50%' } })), 2);
    assert.equal(slack(web(rolling, { rollingUpdate: { maxUnavailable: 0 } })), 0);
  });
});

describe('slackOf a StatefulSet', () => {
  const web = (status: object, updateStrategy: object = {}) =>
    statefulSet('web', {
      spec: { replicas: 3, updateStrategy },
      status: { updateRevision: 'b', ...status },
    });
  const settled = web({ replicas: 3, updatedReplicas: 3 });

  it('is its bound while more are on the old revision than its partition keeps there', () => {
    const staged = { rollingUpdate: { partition: 2 } };
    assert.equal(slack(web({ replicas: 3, updatedReplicas: 2 })), 1);
    assert.equal(slack(settled), 0);
    assert.equal(slack(web({})), 0);
    assert.equal(slack(web({ replicas: 3, updatedReplicas: 1 }, staged)), 0);
    assert.equal(slack(web({ replicas: 3 }, staged)), 1);
  });

  it('is its bound while a pod of the newest revision starts', () => {
    assert.equal(slack(settled, member(settled, '11:59:01')), 1);
    assert.equal(slack(settled, member(settled, '11:59:00')), 0);
    assert.equal(slack(settled, member(settled, '11:59:01', true)), 0);
    assert.equal(slack(settled, member(settled, '11:59:01', false, 'a')), 0);
  });

  it('is nothing where pods are replaced by hand', () => {
    assert.equal(slack(web({ replicas: 3, updatedReplicas: 1 }, { type: 'OnDelete' })), 0);
  });
});

describe('slackOf a DaemonSet', () => {
  const web = (updatedNumberScheduled: number, updateStrategy: object = {}) =>
    daemonSet('web', {
      spec: { updateStrategy },
      status: { desiredNumberScheduled: 5, updatedNumberScheduled },
    });
  const upTo = (maxUnavailable: number | string) => ({ rollingUpdate: { maxUnavailable } });

  it('is its bound, rounded up, while some are not updated', () => {
    assert.equal(slack(web(4)), 1);
    assert.equal(slack(web(0)), 1);
    assert.equal(slack(web(5)), 0);
    assert.equal(slack(web(4, upTo('30%'))), 2);
    assert.equal(slack(web(4, upTo(0))), 0);
    assert.equal(slack(web(4, upTo('few'))), 0);
    assert.equal(slack(web(4, { type: 'OnDelete' })), 0);
  });

  it('is its bound while not a single one is updated', () => {
    assert.equal(slack(daemonSet('web', { status: { desiredNumberScheduled: 1 } })), 1);
  });

  it('is its bound while a pod starts', () => {
    const settled = web(5);
    assert.equal(slack(settled, member(settled, '11:59:01')), 1);
    assert.equal(slack(settled, member(settled, '11:59:00')), 0);
    assert.equal(slack(settled, member(settled, '11:59:01', true)), 0);
  });
});

describe('slackOf anything else', () => {
  it('is nothing: it has no rollouts', () => {
    assert.equal(slack(replicaSet('web', { spec: { replicas: 3 }, status: { replicas: 3 } })), 0);
  });
});
