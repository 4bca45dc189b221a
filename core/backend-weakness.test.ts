import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import { budget, deployment, estate, running, service } from '../test/objects.ts';
import { redundantCallee, weaknessesOf } from './backend-weakness.ts';

const labels = { app: 'hook' };
const hook = (replicas: number) =>
  deployment('hook', {
    spec: { replicas, template: { metadata: { labels }, spec: { nodeName: 'worker-1' } } },
  });
const to = service('hook', { spec: { selector: labels } });
const covers = budget('hook', { spec: { maxUnavailable: 1, selector: { matchLabels: labels } } });

const one = { title: 'a.example', isPlural: false };
const many = { title: '2 webhooks', isPlural: true };

function weaknesses(objects: readonly AnyObject[], callers = one, given?: Given) {
  const { artifacts, scope } = estate(objects, given);
  const callee = redundantCallee('hook', artifacts, scope);
  return callee && weaknessesOf({ ...callee, callers }, artifacts, scope);
}

const messages = (...args: Parameters<typeof weaknesses>) =>
  weaknesses(...args)?.map(({ message }) => message);

describe('redundantCallee', () => {
  it('is unknown behind a Service without selector', () => {
    const { artifacts, scope } = estate([service('hook'), to]);
    assert.equal(redundantCallee('other', artifacts, scope)?.isUnknown, false);
    const lost = estate([service('hook')]);
    assert.equal(redundantCallee('hook', lost.artifacts, lost.scope)?.isUnknown, true);
  });

  it('is not wanted on a single node', () => {
    const topology = {
      controlPlaneTopology: 'SingleReplica',
      infrastructureTopology: 'SingleReplica',
      source: 'nodes',
    } as const;
    const given: Given = { cluster: { topology } };
    assert.equal(weaknesses([], one, given), undefined);
    assert.equal(weaknesses([to, hook(1)], one, given), undefined);
  });
});

describe('weaknessesOf', () => {
  it('finds none in what is redundant', () => {
    const [own, set, first, second] = running(hook(2));
    const elsewhere = { ...second, spec: { nodeName: 'worker-2' } } as AnyObject;
    assert.deepEqual(weaknesses([to, covers, own, set, first, elsewhere] as AnyObject[]), []);
  });

  it('finds none where nothing can be known', () => {
    assert.deepEqual(weaknesses([service('hook')]), []);
  });

  it('finds a Service that is missing', () => {
    assert.deepEqual(weaknesses([]), [
      {
        message: 'a.example: Service shop/hook does not exist',
        command: 'kubectl get services -n shop',
        isOutage: true,
      },
    ]);
  });

  it('finds one replica, for one caller and for many', () => {
    const objects = [to, ...running(hook(1))];
    assert.deepEqual(weaknesses(objects), [
      {
        message: 'a.example rests on Deployment hook with 1 replica; needs 2',
        command: 'kubectl get pods -n shop -l app=hook -o wide',
        isOutage: false,
      },
    ]);
    assert.deepEqual(messages(objects, many), [
      '2 webhooks rest on Deployment hook with 1 replica; needs 2',
    ]);
  });

  it('finds that nothing is behind it', () => {
    const found = weaknesses([to]);
    const message = 'a.example rests on nothing (Service shop/hook selects no pod); needs 2';
    assert.deepEqual(
      found?.map(({ isOutage, ...weakness }) => [weakness.message, isOutage]),
      [[message, true]],
    );
  });

  it('finds no budget and a crowded node', () => {
    assert.deepEqual(weaknesses([to, ...running(hook(2))]), [
      {
        message: 'a.example: no PodDisruptionBudget covers Deployment hook',
        command: 'kubectl get poddisruptionbudgets -n shop -o wide',
        isOutage: false,
      },
      {
        message: 'a.example: all ready endpoints on worker-1',
        command: 'kubectl get endpointslices -n shop -l kubernetes.io/service-name=hook -o yaml',
        isOutage: false,
        transient: true,
      },
    ]);
  });

  it('finds that nothing answers', () => {
    const found = weaknesses([to, covers, hook(2)]);
    assert.deepEqual(
      found?.map(({ message, isOutage, transient }) => [message, isOutage, transient]),
      [['a.example: no ready endpoint', true, true]],
    );
  });

  it('asks no endpoints of manifests', () => {
    const given: Given = { cluster: { input: 'manifests' } };
    assert.deepEqual(weaknesses([to, covers, hook(2)], one, given), []);
  });

  it('finds no budget missing where none could be read', () => {
    const missing = { state: 'missing', cause: 'forbidden', detail: '403' } as const;
    const given: Given = {
      listings: { podDisruptionBudgets: missing },
      cluster: { input: 'manifests' },
    };
    assert.deepEqual(weaknesses([to, hook(2)], one, given), []);
  });

  it('names no namespace in a scope without one', () => {
    const { artifacts, scope } = estate([]);
    const { namespace: _, ...cluster } = scope;
    const lost = service('hook', { metadata: { namespace: undefined } });
    const called = { name: 'hook', isUnknown: false, callers: one };
    const [missing] = weaknessesOf({ ...called, service: undefined }, artifacts, cluster);
    assert.equal(missing?.command, "kubectl get services -n ''");
    const [empty] = weaknessesOf({ ...called, service: lost }, artifacts, cluster);
    assert.equal(empty?.command, "kubectl get pods -n '' -l '' -o wide");
  });
});
