import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import {
  deployment,
  estate,
  job,
  make,
  ownedBy,
  ownedByKind,
  pod,
  replicaSet,
  statefulSet,
} from '../test/objects.ts';
import type { Pod } from './objects.ts';
import { controllerOf, groupOf, ownership, podOwner } from './owner.ts';

const web = deployment('web');
const set = replicaSet('web-1', { metadata: ownedBy(web) });
const forbidden = { state: 'missing', cause: 'forbidden', detail: 'list answered 403' } as const;

function ownershipOf(object: AnyObject, others: readonly AnyObject[], given?: Given) {
  const { artifacts, scope } = estate([object, ...others], given);
  const { chain, above, isGone } = ownership(artifacts, scope, object);
  const names = chain.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  return { chain: names, above: above && `${above.kind} ${above.name}`, isGone };
}

function ownerOf(object: Pod, others: readonly AnyObject[] = [], given?: Given) {
  const { artifacts, scope } = estate([object, ...others], given);
  const owner = podOwner(object, ownership(artifacts, scope, object));
  if (owner.kind === 'workload') return `${owner.owner.kind} ${owner.owner.metadata.name}`;
  if (owner.kind === 'custom') return `custom ${owner.reference.kind} ${owner.reference.name}`;
  return owner.kind;
}

describe('groupOf', () => {
  const table = [
    ['v1', ''],
    ['apps/v1', 'apps'],
    ['policy/v1beta1', 'policy'],
    ['kafka.strimzi.io/v1', 'kafka.strimzi.io'],
    ['', ''],
    [undefined, ''],
  ] as const;
  for (const [apiVersion, group] of table) {
    it(`of ${apiVersion} is "${group}"`, () => assert.equal(groupOf(apiVersion), group));
  }
});

describe('controllerOf', () => {
  it('is the one reference that controls', () => {
    const { ownerReferences } = ownedBy(web);
    const [other] = ownedBy(statefulSet('db'), false).ownerReferences;
    const owned = pod('web-1-a', { metadata: { ownerReferences: [other, ...ownerReferences] } });
    assert.equal(controllerOf(owned)?.name, 'web');
  });

  it('is undefined where no reference controls', () => {
    assert.equal(controllerOf(pod('a', { metadata: ownedBy(web, false) })), undefined);
    assert.equal(controllerOf(pod('a')), undefined);
  });
});

describe('ownership', () => {
  it('follows controllers to the highest that was read', () => {
    const found = ownershipOf(pod('web-1-a', { metadata: ownedBy(set) }), [set, web]);
    const chain = ['ReplicaSet web-1', 'Deployment web'];
    assert.deepEqual(found, { chain, above: undefined, isGone: false });
  });

  it('names what is above the chain and was not read', () => {
    const db = statefulSet('db', {
      metadata: ownedByKind('monitoring.coreos.com/v1', 'Prometheus', 'k8s'),
    });
    const found = ownershipOf(pod('db-0', { metadata: ownedBy(db) }), [db]);
    assert.deepEqual(found, { chain: ['StatefulSet db'], above: 'Prometheus k8s', isGone: false });
  });

  it('follows no reference that does not control', () => {
    const loose = pod('a', { metadata: ownedBy(web, false) });
    const nobody = { chain: [], above: undefined, isGone: false };
    assert.deepEqual(ownershipOf(loose, [web]), nobody);
  });

  it('does not take an object of the same name for the one that is meant', () => {
    const later = replicaSet('web-1', { metadata: { uid: 'another' } });
    const found = ownershipOf(pod('web-1-a', { metadata: ownedBy(set) }), [later]);
    assert.deepEqual(found, { chain: [], above: 'ReplicaSet web-1', isGone: true });
  });

  it('does not follow a reference into another namespace', () => {
    const elsewhere = replicaSet('web-1', { metadata: { namespace: 'other' } });
    const found = ownershipOf(pod('web-1-a', { metadata: ownedBy(set) }), [elsewhere]);
    assert.deepEqual(found.chain, []);
  });

  const owners = [
    ['apps/v1', 'Deployment', true],
    ['apps/v1', 'ReplicaSet', true],
    ['apps/v1', 'StatefulSet', true],
    ['apps/v1', 'DaemonSet', true],
    ['v1', 'ReplicationController', true],
    ['apps.openshift.io/v1', 'DeploymentConfig', true],
    ['argoproj.io/v1alpha1', 'Rollout', true],
    ['batch/v1', 'Job', true],
    ['batch/v1', 'CronJob', false],
    ['v1', 'Node', false],
    ['apps.kruise.io/v1', 'StatefulSet', false],
    ['kafka.strimzi.io/v1', 'StrimziPodSet', false],
  ] as const;
  for (const [apiVersion, kind, isGone] of owners) {
    it(`${isGone ? 'misses' : 'does not miss'} a ${kind} of ${apiVersion} that is not there`, () => {
      const owned = pod('a', { metadata: ownedByKind(apiVersion, kind, 'x') });
      assert.deepEqual(ownershipOf(owned, []), { chain: [], above: `${kind} x`, isGone });
    });
  }

  it('does not miss what could not be read', () => {
    const owned = replicaSet('web-1', {
      metadata: ownedByKind('argoproj.io/v1alpha1', 'Rollout', 'web'),
    });
    const found = ownershipOf(owned, [], { listings: { rollouts: forbidden } });
    assert.deepEqual(found, { chain: [], above: 'Rollout web', isGone: false });
  });

  it('ends where references go round in a circle', () => {
    const chicken = replicaSet('chicken', { metadata: ownedBy(replicaSet('egg')) });
    const egg = replicaSet('egg', { metadata: ownedBy(chicken) });
    const found = ownershipOf(pod('a', { metadata: ownedBy(egg) }), [chicken, egg]);
    assert.deepEqual(found, {
      chain: ['ReplicaSet egg', 'ReplicaSet chicken'],
      above: 'ReplicaSet egg',
      isGone: true,
    });
    const self = replicaSet('self', { metadata: ownedBy(replicaSet('self')) });
    assert.deepEqual(ownershipOf(self, []).chain, ['ReplicaSet self']);
  });
});

describe('podOwner', () => {
  const owned = (metadata: object, fields = {}) => pod('a', { metadata, ...fields });

  it('is the Deployment above a ReplicaSet', () => {
    assert.equal(ownerOf(owned(ownedBy(set)), [set, web]), 'Deployment web');
  });

  it('is the Deployment below a custom manager', () => {
    const managed = deployment('web', {
      metadata: ownedByKind('serving.knative.dev/v1', 'Revision', 'r'),
    });
    assert.equal(ownerOf(owned(ownedBy(set)), [set, managed]), 'Deployment web');
  });

  it('is a ReplicaSet without a controller', () => {
    const bare = replicaSet('bare');
    assert.equal(ownerOf(owned(ownedBy(bare)), [bare]), 'ReplicaSet bare');
  });

  const rollout = make('rollouts', 'web');
  const rolled = replicaSet('web-1', { metadata: ownedBy(rollout) });

  it('is the Rollout above a ReplicaSet', () => {
    assert.equal(ownerOf(owned(ownedBy(rolled)), [rolled, rollout]), 'Rollout web');
  });

  it('is the ReplicaSet where Rollouts were not read', () => {
    const found = ownerOf(owned(ownedBy(rolled)), [rolled], { listings: { rollouts: forbidden } });
    assert.equal(found, 'ReplicaSet web-1');
  });

  it('is the DeploymentConfig above a ReplicationController', () => {
    const config = make('deploymentConfigs', 'web');
    const controller = make('replicationControllers', 'web-1', { metadata: ownedBy(config) });
    assert.equal(ownerOf(owned(ownedBy(controller)), [controller, config]), 'DeploymentConfig web');
  });

  it('is batch below a Job, whether it was read or not', () => {
    const backup = job('backup', { metadata: ownedByKind('batch/v1', 'CronJob', 'backup') });
    assert.equal(ownerOf(owned(ownedBy(backup)), [backup]), 'batch');
    assert.equal(ownerOf(owned(ownedBy(backup))), 'batch');
    assert.equal(ownerOf(owned(ownedBy(backup)), [], { listings: { jobs: forbidden } }), 'batch');
    assert.equal(ownerOf(owned(ownedByKind('batch/v1', 'CronJob', 'backup'))), 'batch');
  });

  it('is not batch for a kind of that name in another group', () => {
    assert.equal(ownerOf(owned(ownedByKind('example.org/v1', 'Job', 'x'))), 'custom Job x');
    assert.equal(ownerOf(owned(ownedByKind('batch/v1', 'Sweep', 'x'))), 'custom Sweep x');
  });

  it('is a custom controller, of which nothing else is known', () => {
    const metadata = ownedByKind('core.strimzi.io/v1', 'StrimziPodSet', 'kafka');
    assert.equal(ownerOf(owned(metadata)), 'custom StrimziPodSet kafka');
  });

  it('is no DaemonSet for having its kind', () => {
    const metadata = ownedByKind('apps.kruise.io/v1', 'DaemonSet', 'agent');
    assert.equal(ownerOf(owned(metadata)), 'custom DaemonSet agent');
  });

  for (const restartPolicy of ['Never', 'OnFailure']) {
    it(`is batch for a pod that is restarted ${restartPolicy}: a task runner's`, () => {
      const metadata = ownedByKind('tekton.dev/v1', 'TaskRun', 'build');
      assert.equal(ownerOf(owned(metadata, { spec: { restartPolicy } })), 'batch');
    });
  }

  it('is custom for a pod that is always restarted', () => {
    const metadata = ownedByKind('postgresql.cnpg.io/v1', 'Cluster', 'db');
    const found = ownerOf(owned(metadata, { spec: { restartPolicy: 'Always' } }));
    assert.equal(found, 'custom Cluster db');
  });

  it('is the machine for a launcher of KubeVirt, which is never restarted', () => {
    const metadata = ownedByKind('kubevirt.io/v1', 'VirtualMachineInstance', 'vm');
    const found = ownerOf(owned(metadata, { spec: { restartPolicy: 'Never' } }));
    assert.equal(found, 'custom VirtualMachineInstance vm');
  });

  it('is static for what a kubelet runs', () => {
    assert.equal(ownerOf(owned(ownedByKind('v1', 'Node', 'master-0'))), 'static');
    const annotations = { 'kubernetes.io/config.mirror': 'hash' };
    assert.equal(ownerOf(owned({ annotations })), 'static');
    assert.equal(
      ownerOf(owned(ownedByKind('example.org/v1', 'Node', 'peer-0'))),
      'custom Node peer-0',
    );
  });

  it('is nobody for a bare pod, and for one that is merely referred to', () => {
    assert.equal(ownerOf(owned({})), 'bare');
    assert.equal(ownerOf(owned(ownedByKind('v1', 'ConfigMap', 'x'), {})), 'custom ConfigMap x');
    assert.equal(ownerOf(owned(ownedBy(web, false)), [web]), 'bare');
  });

  it('is gone when a link is missing, at whatever height', () => {
    assert.equal(ownerOf(owned(ownedBy(set))), 'orphan');
    assert.equal(ownerOf(owned(ownedBy(set)), [set]), 'orphan');
    const metadata = ownedByKind('v1', 'ReplicationController', 'web-1');
    assert.equal(ownerOf(owned(metadata)), 'orphan');
  });
});
