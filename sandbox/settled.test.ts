import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toLiveObject } from './objects.ts';
import { budgetLacks, podLacks, serviceLacks } from './settled-pods.ts';
import {
  autoscalerLacks,
  daemonSetLacks,
  deploymentLacks,
  jobLacks,
  statefulSetLacks,
} from './settled-workloads.ts';

const object = (spec: object, status: object, metadata: object = {}) =>
  toLiveObject({
    metadata: { name: 'x', namespace: 'n', generation: 2, ...metadata },
    spec,
    status,
  });
const condition = (type: string, status: string, reason?: string) => ({ type, status, reason });

describe('a settled workload', () => {
  const counts = { observedGeneration: 2, replicas: 3, readyReplicas: 3, updatedReplicas: 3 };
  const finished = [condition('Progressing', 'True', 'NewReplicaSetAvailable')];
  const halfway = { annotations: { 'ha-compliance-sandbox/updated': '1' } };

  it('is a Deployment whose pods are all ready and new', () => {
    const done = { ...counts, conditions: finished };
    const lacks = (status: object) => deploymentLacks(object({ replicas: 3 }, status));
    assert.equal(lacks(done), undefined);
    assert.match(lacks({ ...done, observedGeneration: 1 }) ?? '', /generation 2 is not observed/);
    assert.match(lacks({ ...done, readyReplicas: 2 }) ?? '', /2 ready pods, expected 3/);
    assert.match(lacks({ ...done, replicas: 4 }) ?? '', /4 pods, expected 3/);
    assert.match(lacks(counts) ?? '', /has not started/);
  });

  it('is a Deployment that is meant to be stuck, once it has said so', () => {
    const status = { ...counts, replicas: 4, updatedReplicas: 1 };
    const lacks = (reason: string) =>
      deploymentLacks(
        object(
          { replicas: 3 },
          { ...status, conditions: [condition('Progressing', 'False', reason)] },
          halfway,
        ),
      );
    assert.match(lacks('ReplicaSetUpdated') ?? '', /is progressing/);
    assert.equal(lacks('ProgressDeadlineExceeded'), undefined);
  });

  it('is a Deployment without a deadline, which never says anything', () => {
    const spec = { replicas: 3, progressDeadlineSeconds: 2147483647 };
    assert.equal(deploymentLacks(object(spec, counts)), undefined);
  });

  it('is a StatefulSet at one revision, unless it is meant to be staged', () => {
    const status = { ...counts, currentRevision: 'a', updateRevision: 'b' };
    const spec = { replicas: 3 };
    assert.match(statefulSetLacks(object(spec, status)) ?? '', /not finished/);
    assert.equal(statefulSetLacks(object(spec, { ...status, updateRevision: 'a' })), undefined);
    assert.equal(
      statefulSetLacks(object(spec, { ...status, updatedReplicas: 1 }, halfway)),
      undefined,
    );
  });

  it('is a DaemonSet with a ready pod for every node', () => {
    const all = { currentNumberScheduled: 2, numberReady: 2, updatedNumberScheduled: 2 };
    const status = { observedGeneration: 2, desiredNumberScheduled: 2, ...all };
    assert.equal(daemonSetLacks(object({}, status)), undefined);
    assert.match(daemonSetLacks(object({}, { ...status, numberReady: 1 })) ?? '', /1 ready/);
  });

  it('is a Job that has finished or is suspended', () => {
    const suspended = { conditions: [condition('Suspended', 'True')] };
    assert.equal(jobLacks(object({ suspend: true }, suspended)), undefined);
    assert.equal(jobLacks(object({}, { conditions: [condition('Complete', 'True')] })), undefined);
    assert.match(jobLacks(object({}, { conditions: null })) ?? '', /is not Complete or Failed/);
  });

  it('is an autoscaler that has brought its target to its minimum, or cannot', () => {
    const able = (status: string) => [condition('AbleToScale', status)];
    const lacks = (status: object) => autoscalerLacks(object({ minReplicas: 3 }, status));
    assert.match(lacks({}) ?? '', /has not looked/);
    assert.match(lacks({ conditions: able('True'), currentReplicas: 1 }) ?? '', /has 1 of 3/);
    assert.equal(lacks({ conditions: able('True'), currentReplicas: 3 }), undefined);
    assert.equal(lacks({ conditions: able('False') }), undefined);
  });
});

describe('settled pods', () => {
  const ready = { phase: 'Running', podIP: '10.0.0.1', conditions: [condition('Ready', 'True')] };
  const labels = { app: 'web', tier: '' };
  const pod = object({}, ready, { labels, uid: 'u1' });
  const bare = (status: object, metadata: object = {}) => podLacks(object({}, status, metadata));

  it('are ready or finished, and not terminating', () => {
    assert.equal(podLacks(pod), undefined);
    assert.equal(bare({ phase: 'Succeeded' }), undefined);
    assert.match(bare({ phase: 'Pending' }) ?? '', /not ready/);
    assert.match(bare(ready, { deletionTimestamp: '2026-01-01T00:00:00Z' }) ?? '', /terminating/);
  });

  it('are left to their controller, if they have one other than a Node', () => {
    const owned = (kind: string) => ({ ownerReferences: [{ kind, controller: true }] });
    assert.equal(bare({ phase: 'Pending' }, owned('ReplicaSet')), undefined);
    assert.match(bare({ phase: 'Pending' }, owned('Node')) ?? '', /not ready/);
  });

  it('are all counted by the budgets that select them', () => {
    const lacks = (selector: object | undefined, currentHealthy: number) =>
      budgetLacks(object({ selector }, { observedGeneration: 2, currentHealthy }), [], [pod]);
    const expression = (key: string, operator: string, values?: string[]) => ({
      matchExpressions: [{ key, operator, values }],
    });
    assert.equal(lacks({ matchLabels: { app: 'web' } }, 1), undefined);
    assert.equal(lacks({}, 1), undefined);
    assert.equal(lacks(undefined, 0), undefined);
    assert.equal(lacks(expression('tier', 'Exists'), 1), undefined);
    assert.equal(lacks(expression('app', 'DoesNotExist'), 0), undefined);
    assert.equal(lacks(expression('app', 'In', ['api']), 0), undefined);
    assert.equal(lacks(expression('env', 'NotIn', ['dev']), 1), undefined);
    assert.match(lacks({ matchLabels: { app: 'web' } }, 0) ?? '', /counts 0 ready pods, not 1/);
  });

  it('need not be counted by two budgets', () => {
    const budget = object({ selector: {} }, { observedGeneration: 2 });
    assert.match(budgetLacks(budget, [budget], [pod]) ?? '', /counts 0/);
    assert.equal(budgetLacks(budget, [budget, object({ selector: {} }, {})], [pod]), undefined);
  });

  it('have budgets that cannot be computed', () => {
    const failed = { conditions: [condition('DisruptionAllowed', 'False', 'SyncFailed')] };
    assert.equal(budgetLacks(object({ selector: {} }, failed), [], [pod]), undefined);
    assert.match(budgetLacks(object({ selector: {} }, {}), [], [pod]) ?? '', /not observed/);
  });

  it('are all endpoints of the Services that select them', () => {
    const slice = toLiveObject({
      metadata: { name: 's', namespace: 'n', labels: { 'kubernetes.io/service-name': 'x' } },
      endpoints: [{ conditions: { ready: true }, targetRef: { uid: 'u1' } }],
    });
    const service = object({ selector: { app: 'web' } }, {});
    assert.equal(serviceLacks(service, [pod], [slice]), undefined);
    assert.match(serviceLacks(service, [pod], []) ?? '', /counts 0 ready pods, not 1/);
    assert.equal(serviceLacks(object({}, {}), [pod], []), undefined);
  });
});
