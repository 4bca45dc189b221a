import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import {
  daemonSet,
  deployment,
  estate,
  hpa,
  node,
  ownedBy,
  ownedByKind,
  pod,
  running,
  service,
  statefulSet,
} from '../test/objects.ts';
import { backendOf, isRedundantBackend } from './backend.ts';

const labels = { app: 'hook' };
const spec = (fields: object = {}, podSpec: object = {}) => ({
  template: { metadata: { labels }, spec: podSpec },
  ...fields,
});
const hook = (replicas: number, name = 'hook') => deployment(name, { spec: spec({ replicas }) });
const to = (selector: object = labels) => service('hook', { spec: { selector } });

function backend(objects: readonly AnyObject[], by = to(), given?: Given) {
  const { artifacts, scope } = estate(objects, given);
  return backendOf(by, artifacts, scope);
}

function kept(objects: readonly AnyObject[], by = to(), given?: Given) {
  const { shares, strays, replicas } = backend(objects, by, given);
  const own = shares.map((share) => `${share.workload.name}: ${share.kept} (${share.replicas})`);
  return [...own, strays, replicas];
}

describe('backendOf', () => {
  it('adds up what the workloads keep', () => {
    assert.deepEqual(kept([hook(1, 'a'), hook(2, 'b')]), [
      'a: 1 replica (1)',
      'b: 2 replicas (2)',
      0,
      3,
    ]);
  });

  it('is nothing where nothing is selected', () => {
    assert.deepEqual(kept([hook(2)], to({ app: 'web' })), [0, 0]);
    assert.deepEqual(kept([hook(2)], service('hook')), [0, 0]);
  });

  it('keeps what the autoscaler leaves', () => {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'hook' };
    const found = kept([hook(5), hpa('hook', { spec: { scaleTargetRef, minReplicas: 1 } })]);
    assert.deepEqual(found, ['hook: 1 replica at its floor (minReplicas 1) (1)', 0, 1]);
  });

  it('keeps nothing of what is switched off, whatever its autoscaler says', () => {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'hook' };
    const found = kept([hook(0), hpa('hook', { spec: { scaleTargetRef, minReplicas: 2 } })]);
    assert.deepEqual(found, ['hook: 0 replicas (0)', 0, 0]);
  });

  it('keeps a pod of a DaemonSet on every node where it may run', () => {
    const nodes = ['a', 'b', 'c'].map((name) => node(name, { metadata: { labels: { name } } }));
    const daemon = (podSpec: object) =>
      daemonSet('hook', { spec: spec({}, podSpec), status: { desiredNumberScheduled: 1 } });
    assert.deepEqual(kept([daemon({}), ...nodes]), ['hook: 3 eligible nodes (3)', 0, 3]);
    const one = daemon({ nodeSelector: { name: 'a' } });
    assert.deepEqual(kept([one, ...nodes]), ['hook: 1 eligible node (1)', 0, 1]);
  });

  it('believes a DaemonSet of a manifest to have two nodes', () => {
    const daemon = daemonSet('hook', { metadata: { uid: undefined }, spec: spec() });
    const given: Given = { listings: { nodes: { state: 'unknown' } } };
    assert.deepEqual(kept([daemon], to(), given), ['hook: 2 eligible nodes (2)', 0, 2]);
  });

  describe('behind a label that is in no template', () => {
    const set = statefulSet('db', { spec: spec({ replicas: 3 }) });
    const member = (name: string, role?: string) =>
      pod(name, { metadata: { ...ownedBy(set), labels: { ...labels, ...(role && { role }) } } });
    const byRole = to({ ...labels, role: 'x' });

    it('keeps the pods that have it now', () => {
      const found = kept([set, member('db-0', 'x'), member('db-1'), member('db-2')], byRole);
      assert.deepEqual(found, ['db: 1 selected pod (1)', 0, 1]);
    });

    it('keeps all when all have it', () => {
      const pods = ['db-0', 'db-1', 'db-2'].map((name) => member(name, 'x'));
      assert.deepEqual(kept([set, ...pods], byRole), ['db: 3 replicas (3)', 0, 3]);
    });

    it('keeps nothing when none has it', () => {
      assert.deepEqual(kept([set, member('db-0')], byRole), [0, 0]);
    });
  });

  it('counts the selected pods of a custom workload, of which no template is known', () => {
    const owner = ownedByKind('postgresql.cnpg.io/v1', 'Cluster', 'db');
    const member = (name: string, role: string) =>
      pod(name, { metadata: { ...owner, labels: { ...labels, role } } });
    const pods = [member('db-0', 'replica'), member('db-1', 'primary')];
    assert.deepEqual(kept(pods), ['db: 2 replicas (2)', 0, 2]);
    const primary = to({ role: 'primary' });
    assert.deepEqual(kept(pods, primary), ['db: 1 selected pod (1)', 0, 1]);
    const replica = to({ role: 'replica' });
    assert.deepEqual(kept(pods, replica), ['db: 1 selected pod (1)', 0, 1]);
  });

  it('counts pods that belong to no workload', () => {
    const bare = pod('hook-0', { metadata: { labels } });
    assert.deepEqual(kept([bare, ...running(hook(1))]), ['hook: 1 replica (1)', 1, 2]);
  });
});

describe('isRedundantBackend', () => {
  const controlPlane = spec({}, { nodeSelector: { 'node-role.kubernetes.io/master': '' } });
  const topology = {
    controlPlaneTopology: 'SingleReplica',
    infrastructureTopology: 'HighlyAvailable',
    source: 'nodes',
  } as const;
  const isRedundant = (objects: readonly AnyObject[], given: Given = { cluster: { topology } }) => {
    const { artifacts, scope } = estate(objects, given);
    return isRedundantBackend(backendOf(to(), artifacts, scope), scope);
  };
  const bound = deployment('bound', { spec: controlPlane });

  it('asks what is behind the Service', () => {
    assert.equal(isRedundant([hook(1)]), true);
    assert.equal(isRedundant([bound]), false);
    assert.equal(isRedundant([bound, hook(1)]), true);
  });

  it('asks the cluster where there is nothing', () => {
    assert.equal(isRedundant([]), true);
    const single = { ...topology, infrastructureTopology: 'SingleReplica' } as const;
    assert.equal(isRedundant([], { cluster: { topology: single } }), false);
  });
});
