import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import {
  budget,
  daemonSet,
  deployment,
  estate,
  job,
  make,
  node,
  ownedBy,
  ownedByKind,
  pod,
  podsOf,
  replicaSet,
  running,
  statefulSet,
} from '../test/objects.ts';
import { allowanceOf, desiredHealthy, matchOf } from './budget.ts';

const template = (labels: object) => ({ metadata: { labels } });
const web = (replicas: number, labels: object = { app: 'web' }, name = 'web') =>
  deployment(name, { spec: { replicas, template: template(labels) } });
const selectsWeb = { matchLabels: { app: 'web' } };
const of = (policy: object, fields: object = {}) =>
  budget('pdb', { spec: { selector: selectsWeb, ...policy }, ...fields });
const maxOne = of({ maxUnavailable: 1 });
const minTwo = of({ minAvailable: 2 });
const labelled = (metadata: object = {}) => ({ labels: { app: 'web' }, ...metadata });

type Budget = ReturnType<typeof budget>;

function matched(objects: readonly AnyObject[], own = maxOne, given?: Given) {
  const { artifacts, scope } = estate(objects, given);
  const { pods, workloads } = matchOf(own, artifacts, scope);
  return {
    pods: pods.map(({ metadata }) => metadata.name),
    workloads: workloads.map(({ kind, name }) => `${kind} ${name}`),
  };
}

function allowance(own: Budget, objects: readonly AnyObject[], given?: Given) {
  const { artifacts, scope } = estate(objects, given);
  return allowanceOf(own, matchOf(own, artifacts, scope), artifacts, scope);
}

const numbers = (expected: number, desired: number, allowed: number) => ({
  expected,
  desired,
  allowed,
});

describe('matchOf', () => {
  it('finds pods whatever their phase, and their workloads', () => {
    const done = pod('done', { metadata: labelled(), status: { phase: 'Succeeded' } });
    const found = matched([...running(web(2)), done]);
    assert.deepEqual(found, {
      pods: ['done', 'web-h1-0', 'web-h1-1'],
      workloads: ['Deployment web'],
    });
  });

  it('finds by its template what has no pods', () => {
    assert.deepEqual(matched([web(2)]), { pods: [], workloads: ['Deployment web'] });
    assert.deepEqual(matched([web(0)]), { pods: [], workloads: ['Deployment web'] });
    assert.deepEqual(matched([web(2, { app: 'api' })]), { pods: [], workloads: [] });
  });

  it('goes by the pods of what has some, not by its template', () => {
    const relabelled = running(web(2, { app: 'api' })).map((object) =>
      object.kind === 'Deployment' ? web(2) : object,
    );
    assert.deepEqual(matched(relabelled as AnyObject[]), { pods: [], workloads: [] });
  });

  it('stays within the namespace', () => {
    const metadata = labelled({ namespace: 'other' });
    assert.deepEqual(matched([pod('a', { metadata })]), { pods: [], workloads: [] });
  });

  it('finds nothing without a selector', () => {
    const none = budget('pdb', { spec: { maxUnavailable: 1 } });
    assert.deepEqual(matched(running(web(2)), none), { pods: [], workloads: [] });
  });
});

describe('allowanceOf', () => {
  const table: readonly (readonly [object, number, ReturnType<typeof numbers>])[] = [
    [{ maxUnavailable: 1 }, 3, numbers(3, 2, 1)],
    [{ maxUnavailable: 0 }, 3, numbers(3, 3, 0)],
    [{ maxUnavailable: 5 }, 3, numbers(3, 0, 3)],
    [{ maxUnavailable: 1 }, 1, numbers(1, 0, 1)],
    [{ maxUnavailable: '25%' }, 2, numbers(2, 1, 1)],
    [{ maxUnavailable: '0%' }, 3, numbers(3, 3, 0)],
    [{ maxUnavailable: '100%' }, 3, numbers(3, 0, 3)],
    [{ minAvailable: 1 }, 1, numbers(1, 1, 0)],
    [{ minAvailable: 0 }, 1, numbers(1, 0, 1)],
    [{ minAvailable: 2 }, 3, numbers(3, 2, 1)],
    [{ minAvailable: 3 }, 3, numbers(3, 3, 0)],
    [{ minAvailable: 4 }, 3, numbers(3, 4, 0)],
    [{ minAvailable: '70%' }, 3, numbers(3, 3, 0)],
    [{ minAvailable: '50%' }, 3, numbers(3, 2, 1)],
    [{ minAvailable: '100%' }, 3, numbers(3, 3, 0)],
    [{ minAvailable: '0%' }, 3, numbers(3, 0, 3)],
    [{ minAvailable: 3, maxUnavailable: 1 }, 3, numbers(3, 2, 1)],
  ];
  for (const [policy, replicas, expected] of table) {
    const what = `${JSON.stringify(policy)} of ${replicas}`;
    it(`allows ${expected.allowed} with ${what}, running or in a manifest`, () => {
      assert.deepEqual(allowance(of(policy), running(web(replicas))), expected);
      const manifest = deployment('web', {
        metadata: { uid: undefined },
        spec: { replicas, template: template({ app: 'web' }) },
      });
      assert.deepEqual(allowance(of(policy), [manifest]), expected);
    });
  }

  it('allows nothing without a policy', () => {
    const expected = { ...numbers(0, 0, 0), cause: 'no-policy' };
    assert.deepEqual(allowance(of({}), running(web(3))), expected);
    assert.deepEqual(allowance(budget('pdb'), running(web(3))), expected);
  });

  it('allows nothing with what is neither an integer nor a percentage', () => {
    const expected = { ...numbers(0, 0, 0), cause: 'malformed' };
    for (const policy of [{ minAvailable: '2' }, { maxUnavailable: 'one' }]) {
      assert.deepEqual(allowance(of(policy), running(web(3))), expected);
    }
  });

  it('allows nothing where nothing matches', () => {
    assert.deepEqual(allowance(maxOne, running(web(3, { app: 'api' }))), numbers(0, 0, 0));
    assert.deepEqual(allowance(of({ minAvailable: 0 }), []), numbers(0, 0, 0));
  });

  it('reckons as if every pod were healthy', () => {
    const [whole, set] = running(web(3));
    const pending = pod('web-h1-0', {
      metadata: labelled(ownedBy(set)),
      status: { phase: 'Pending' },
    });
    assert.deepEqual(allowance(maxOne, [whole, set, pending]), numbers(3, 2, 1));
  });

  it('counts a Deployment once, whatever ReplicaSets it has', () => {
    const [whole, set, ...pods] = running(web(2));
    const next = replicaSet('web-h2', {
      metadata: ownedBy(whole),
      spec: { template: template({ app: 'web' }), replicas: 1 },
    });
    const all = [whole, set, ...pods, next, ...podsOf(next, 1)];
    assert.deepEqual(allowance(maxOne, all), numbers(2, 1, 1));
  });

  it('counts of a workload that is selected in part the pods that are', () => {
    const [whole, set, ...pods] = running(web(3));
    const other = pod('web-h1-2', { metadata: { ...ownedBy(set), labels: { app: 'web-v2' } } });
    const all = [whole, set, ...pods.slice(0, 2), other];
    assert.deepEqual(allowance(maxOne, all), numbers(3, 2, 0));
    assert.deepEqual(allowance(of({ minAvailable: 1 }), all), numbers(2, 1, 1));
  });

  it('adds up what several controllers want', () => {
    const db = statefulSet('db', { spec: { replicas: 2, template: template({ app: 'web' }) } });
    const all = [...running(web(2)), db, ...podsOf(db, 2)];
    assert.deepEqual(allowance(minTwo, all), numbers(4, 2, 2));
    assert.deepEqual(allowance(of({ maxUnavailable: '25%' }), all), numbers(4, 3, 1));
  });

  it('counts bare pods as pods, but not as expected of anybody', () => {
    const bare = pod('bare', { metadata: labelled() });
    assert.deepEqual(allowance(minTwo, [bare, ...running(web(2))]), numbers(3, 2, 1));
    assert.deepEqual(allowance(maxOne, [bare]), numbers(0, 0, 0));
    assert.deepEqual(allowance(maxOne, [bare, ...running(web(1))]), numbers(1, 0, 2));
  });

  it('counts finished pods as matched, never as healthy', () => {
    const done = pod('done', { metadata: labelled(), status: { phase: 'Failed' } });
    assert.deepEqual(allowance(minTwo, [done, ...running(web(2))]), numbers(3, 2, 0));
  });

  it('counts what a workload without pods will have', () => {
    const stuck = web(2, { app: 'web' }, 'stuck');
    const all = [...running(web(2)), stuck];
    assert.deepEqual(allowance(of({ maxUnavailable: 0 }), all), numbers(4, 4, 0));
    assert.deepEqual(allowance(maxOne, all), numbers(4, 3, 1));
    assert.deepEqual(allowance(minTwo, all), numbers(4, 2, 2));
  });

  it('counts nothing of what is switched off', () => {
    const off = web(0, { app: 'web' }, 'off');
    assert.deepEqual(allowance(maxOne, [...running(web(2)), off]), numbers(2, 1, 1));
    assert.deepEqual(allowance(maxOne, [off]), numbers(0, 0, 0));
  });

  it('does not count the pods of an owner that is gone', () => {
    const set = replicaSet('gone-h1');
    const lost = podsOf(set, 2, { metadata: labelled() });
    assert.deepEqual(allowance(maxOne, [...lost, ...running(web(2))]), numbers(2, 1, 3));
  });
});

describe('the scale of a controller', () => {
  const expected = (objects: readonly AnyObject[], given?: Given) =>
    allowance(maxOne, objects, given).expected;
  const spec = { replicas: 3, template: template({ app: 'web' }) };
  const one = (of: AnyObject) => podsOf(of, 1, { metadata: labelled() });

  it('is the StatefulSet’s own, though something manages it', () => {
    const metadata = ownedByKind('monitoring.coreos.com/v1', 'Prometheus', 'k8s');
    const set = statefulSet('db', { metadata, spec });
    assert.equal(expected([set, ...one(set)]), 3);
  });

  it('is 1 where nothing is said', () => {
    const set = statefulSet('db');
    assert.equal(expected([set, ...one(set)]), 1);
    const without = statefulSet('db', { spec: { template: spec.template } });
    assert.equal(expected([without, ...one(without)]), 1);
  });

  it('is the ReplicationController’s, not the DeploymentConfig’s', () => {
    const config = make('deploymentConfigs', 'old', { spec: { ...spec, replicas: 5 } });
    const controller = make('replicationControllers', 'old-1', { metadata: ownedBy(config), spec });
    assert.equal(expected([config, controller, ...one(controller)]), 3);
  });

  it('is the ReplicaSet’s where no Deployment owns it', () => {
    const bare = replicaSet('bare', { spec });
    assert.equal(expected([bare, ...one(bare)]), 3);
    const rollout = make('rollouts', 'web', { spec: { ...spec, replicas: 5 } });
    const set = replicaSet('web-1', { metadata: ownedBy(rollout), spec });
    assert.equal(expected([rollout, set, ...one(set)]), 3);
  });

  it('is of a custom controller the number of its counted pods', () => {
    const metadata = labelled(ownedByKind('core.strimzi.io/v1', 'StrimziPodSet', 'kafka'));
    const done = pod('kafka-2', { metadata, status: { phase: 'Failed' } });
    const members = ['kafka-0', 'kafka-1'].map((name) => pod(name, { metadata }));
    assert.equal(expected([...members, done]), 2);
  });
});

describe('controllers without a scale', () => {
  const noScale = (...unscalable: string[]) => ({
    ...numbers(0, 0, 0),
    cause: 'no-scale',
    unscalable,
  });
  const percent = of({ minAvailable: '50%' });
  const agent = daemonSet('agent', {
    spec: { template: template({ app: 'web' }) },
    status: { desiredNumberScheduled: 2 },
  });
  const backup = job('backup');
  const done = pod('backup-x', {
    metadata: labelled(ownedBy(backup)),
    status: { phase: 'Succeeded' },
  });

  it('refuse maxUnavailable and percentages', () => {
    const objects = [agent, ...podsOf(agent, 2)];
    assert.deepEqual(allowance(maxOne, objects), noScale('DaemonSet agent'));
    assert.deepEqual(allowance(percent, objects), noScale('DaemonSet agent'));
  });

  it('do not matter to an integer minAvailable', () => {
    const one = of({ minAvailable: 1 });
    assert.deepEqual(allowance(one, [agent, ...podsOf(agent, 2)]), numbers(2, 1, 1));
  });

  it('refuse for one finished pod of a Job', () => {
    assert.deepEqual(allowance(maxOne, [...running(web(3)), backup, done]), noScale('Job backup'));
  });

  it('are named once each, in order', () => {
    const other = pod('a-static-one', {
      metadata: labelled(ownedByKind('v1', 'Node', 'master-0')),
    });
    const objects = [other, done, agent, ...podsOf(agent, 2), node('master-0')];
    assert.deepEqual(
      allowance(maxOne, objects),
      noScale('DaemonSet agent', 'Job backup', 'Node master-0'),
    );
  });

  it('refuse in a manifest, and before there are pods', () => {
    const manifest = daemonSet('agent', { metadata: { uid: undefined }, spec: agent.spec });
    assert.deepEqual(allowance(maxOne, [manifest]), noScale('DaemonSet agent'));
    assert.deepEqual(allowance(maxOne, [agent]), noScale('DaemonSet agent'));
    const idle = daemonSet('agent', { spec: agent.spec });
    assert.deepEqual(allowance(maxOne, [idle, ...running(web(2))]), numbers(2, 1, 1));
  });

  describe('of custom kinds', () => {
    const metadata = labelled(ownedByKind('example.org/v1', 'Fleet', 'x'));
    const members = ['x-0', 'x-1'].map((name) => pod(name, { metadata }));
    const other = { type: 'Other', status: 'True' };
    const withCondition = (type: string, status: string, reason: string) =>
      of({ maxUnavailable: 1 }, { status: { conditions: [other, { type, status, reason }] } });

    it('are known by the status', () => {
      const failed = withCondition('DisruptionAllowed', 'False', 'SyncFailed');
      assert.deepEqual(allowance(failed, members), noScale('Fleet x'));
    });

    it('are not known by any other status', () => {
      for (const [type, status, reason] of [
        ['DisruptionAllowed', 'False', 'InsufficientPods'],
        ['DisruptionAllowed', 'True', 'SyncFailed'],
        ['Other', 'False', 'SyncFailed'],
      ] as const) {
        assert.equal(allowance(withCondition(type, status, reason), members).expected, 2);
      }
    });

    it('are not taken for a Node of Kubernetes', () => {
      const peer = pod('p', { metadata: labelled(ownedByKind('example.org/v1', 'Node', 'x')) });
      assert.deepEqual(allowance(maxOne, [peer]), numbers(1, 0, 1));
    });

    it('are not blamed on what has a scale for sure', () => {
      const failed = withCondition('DisruptionAllowed', 'False', 'SyncFailed');
      assert.deepEqual(allowance(failed, running(web(2))), numbers(2, 1, 1));
    });
  });
});

describe('desiredHealthy', () => {
  it('is undefined without a policy', () => {
    assert.equal(
      desiredHealthy({ minAvailable: undefined, maxUnavailable: undefined }, 3),
      undefined,
    );
  });
});

describe('allowanceOf, for every estate', () => {
  const size = fc.nat({ max: 6 });
  const value = fc.oneof(
    fc.nat({ max: 8 }),
    fc.nat({ max: 100 }).map((percent) => `${percent}%`),
  );

  it('never allows less when maxUnavailable is raised', () => {
    fc.assert(
      fc.property(size, fc.nat({ max: 8 }), fc.nat({ max: 8 }), (replicas, a, b) => {
        const objects = running(web(replicas));
        const at = (maxUnavailable: number | string) =>
          allowance(of({ maxUnavailable }), objects).allowed;
        assert.ok(at(Math.min(a, b)) <= at(Math.max(a, b)));
        assert.ok(at(`${Math.min(a, b) * 12}%`) <= at(`${Math.max(a, b) * 12}%`));
      }),
    );
  });

  it('never allows more when minAvailable is raised', () => {
    fc.assert(
      fc.property(size, fc.nat({ max: 8 }), fc.nat({ max: 8 }), (replicas, a, b) => {
        const objects = running(web(replicas));
        const at = (minAvailable: number | string) =>
          allowance(of({ minAvailable }), objects).allowed;
        assert.ok(at(Math.min(a, b)) >= at(Math.max(a, b)));
      }),
    );
  });

  it('allows no more than there are, and keeps what is desired', () => {
    fc.assert(
      fc.property(size, value, fc.constantFrom('minAvailable', 'maxUnavailable'), (n, v, field) => {
        const { desired, allowed } = allowance(of({ [field]: v }), running(web(n)));
        assert.ok(allowed >= 0 && allowed <= n);
        assert.ok(allowed === 0 || n - allowed === Math.max(0, desired));
      }),
    );
  });

  it('gives the same whatever the order of the objects', () => {
    const objects = [
      ...running(web(3)),
      pod('bare', { metadata: labelled() }),
      ...podsOf(statefulSet('db'), 2, { metadata: labelled() }),
      statefulSet('db', { spec: { replicas: 2 } }),
    ];
    const shuffled = fc.shuffledSubarray(objects as readonly AnyObject[] as AnyObject[], {
      minLength: objects.length,
    });
    fc.assert(
      fc.property(shuffled, value, (order, v) => {
        const own = of({ maxUnavailable: v });
        assert.deepEqual(allowance(own, order), allowance(own, objects));
      }),
    );
  });
});
