import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject } from '../test/objects.ts';
import {
  daemonSet,
  deployment,
  estate,
  ownedByKind,
  pod,
  statefulSet,
  workload,
} from '../test/objects.ts';
import { isQuorumSet, isTooSmallForQuorum, majority, need, survives } from './quorum.ts';

const of = (object: AnyObject, name = object.metadata.name) => workload(name, estate([object]));
const set = (labels: object, containers: readonly object[] = [], annotations: object = {}) =>
  statefulSet('db', {
    metadata: { annotations },
    spec: { template: { metadata: { labels }, spec: { containers } } },
  });
const nameLabel = 'app.kubernetes.io/name';

/** Section 1.13 of the specification. */
const quorumNames = `etcd, zookeeper, consul, vault, rabbitmq, mongodb,
cockroachdb, nats, redis-sentinel, sentinel, galera, pxc`.split(/,\s+/);

describe('isQuorumSet', () => {
  for (const name of quorumNames) {
    it(`knows ${name} by its label or by a container`, () => {
      assert.equal(isQuorumSet(of(set({ [nameLabel]: name }))), true);
      assert.equal(isQuorumSet(of(set({}, [{ name: 'proxy' }, { name }]))), true);
    });
  }

  it('knows nothing that is only named alike', () => {
    assert.equal(isQuorumSet(of(set({ [nameLabel]: 'etcd-operator', app: 'etcd' }))), false);
    assert.equal(isQuorumSet(of(set({}, [{ name: 'etcdctl' }, {}]))), false);
    assert.equal(isQuorumSet(of(statefulSet('etcd'))), false);
  });

  it('knows no other component of the application by its name', () => {
    const component = 'app.kubernetes.io/component';
    const beside = (own: string) =>
      deployment('box', {
        spec: { template: { metadata: { labels: { [nameLabel]: 'nats', [component]: own } } } },
      });
    assert.equal(isQuorumSet(of(beside('nats-box'))), false);
    assert.equal(isQuorumSet(of(beside('nats'))), true);
    assert.equal(isQuorumSet(of(set({ [nameLabel]: 'mongodb', [component]: 'arbiter' }))), true);
  });

  it('does not ask init containers', () => {
    const spec = { initContainers: [{ name: 'etcd' }] };
    assert.equal(isQuorumSet(of(statefulSet('db', { spec: { template: { spec } } }))), false);
  });

  it('knows controllers of Strimzi', () => {
    assert.equal(isQuorumSet(of(set({ 'strimzi.io/controller-role': 'true' }))), true);
    assert.equal(isQuorumSet(of(set({ 'strimzi.io/controller-role': 'false' }))), false);
  });

  it('believes an annotation before everything else', () => {
    const says = (value: string) => ({ 'ha-compliance/quorum': value });
    assert.equal(isQuorumSet(of(set({}, [], says('true')))), true);
    assert.equal(isQuorumSet(of(set({ [nameLabel]: 'etcd' }, [], says('false')))), false);
    assert.equal(isQuorumSet(of(set({ [nameLabel]: 'etcd' }, [], says('yes')))), true);
    assert.equal(isQuorumSet(of(set({}, [], says('yes')))), false);
  });

  it('takes no DaemonSet for one, unless an annotation says so', () => {
    const spec = { template: { metadata: { labels: { [nameLabel]: 'etcd' } } } };
    assert.equal(isQuorumSet(of(daemonSet('a', { spec }))), false);
    const annotations = { 'ha-compliance/quorum': 'true' };
    assert.equal(isQuorumSet(of(daemonSet('a', { metadata: { annotations }, spec }))), true);
  });

  it('knows a custom workload by its pods', () => {
    const metadata = ownedByKind('core.strimzi.io/v1', 'StrimziPodSet', 'kafka');
    const member = pod('kafka-0', { metadata, spec: { containers: [{ name: 'zookeeper' }] } });
    assert.equal(isQuorumSet(of(member, 'kafka')), true);
  });
});

describe('isTooSmallForQuorum', () => {
  it('is true below three members', () => {
    const etcd = of(set({ [nameLabel]: 'etcd' }));
    assert.equal(isTooSmallForQuorum(etcd, 1), true);
    assert.equal(isTooSmallForQuorum(etcd, 2), true);
    assert.equal(isTooSmallForQuorum(etcd, 3), false);
  });

  it('says nothing of other workloads', () => {
    assert.equal(isTooSmallForQuorum(of(set({})), 1), false);
  });
});

describe('need', () => {
  const table = [
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [5, 3],
    [7, 4],
  ] as const;
  for (const [replicas, majority] of table) {
    it(`is ${majority} of a quorum set of ${replicas}, 1 of any other`, () => {
      assert.equal(need(of(set({ [nameLabel]: 'etcd' })), replicas), majority);
      assert.equal(need(of(set({})), replicas), 1);
    });
  }
});

describe('majority', () => {
  it('is more than half', () => {
    assert.deepEqual([0, 1, 2, 3, 4, 5].map(majority), [1, 1, 2, 2, 3, 3]);
  });
});

describe('survives', () => {
  const owner = ownedByKind('core.strimzi.io/v1', 'StrimziPodSet', 'kafka');
  const member = (name: string, metadata: object = {}, phase = 'Running') =>
    pod(name, {
      metadata: { ...owner, ...metadata },
      spec: { containers: [{ name: 'zookeeper' }] },
      status: { phase },
    });
  const ofMembers = (...members: readonly AnyObject[]) => workload('kafka', estate(members));
  const gone = { deletionTimestamp: '2026-01-10T12:00:00Z' };

  it('is for a quorum set to keep the majority of all its members', () => {
    const three = of(
      statefulSet('db', { spec: { replicas: 3, ...set({ [nameLabel]: 'etcd' }).spec } }),
    );
    assert.equal(survives(three, 1, 3), true);
    assert.equal(survives(three, 2, 3), false);
    assert.equal(survives(three, 1, 2), true);
    assert.equal(survives(three, 2, 2), false);
  });

  it('counts the members of a custom workload that are being replaced, not the finished', () => {
    const [a, b] = [member('kafka-0'), member('kafka-1')];
    assert.equal(survives(ofMembers(a, b, member('kafka-2', gone)), 1, 2), true);
    assert.equal(survives(ofMembers(a, b, member('kafka-2', {}, 'Failed')), 1, 2), false);
  });

  it('is for others to keep one', () => {
    const web = of(statefulSet('web', { spec: { replicas: 3 } }));
    assert.equal(survives(web, 2, 3), true);
    assert.equal(survives(web, 2, 2), false);
  });
});
