import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { describe, it } from 'mocha';
import { kindNames } from '../../core/kinds.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { listing, missing, objectsOf } from '../../core/snapshot.ts';
import { members, tar } from '../../test/packing.ts';
import { workspace } from '../../test/workspace.ts';
import { readRecording } from './index.ts';

const list = (...items: readonly object[]) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'List', items, metadata: { resourceVersion: '' } });
const object = (apiVersion: string, kind: string, name: string, more: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name, uid: `${kind}-${name}` },
  ...more,
});
const inShop = (name: string) => ({ metadata: { name, namespace: 'shop', uid: name } });
const ready = (time: string) => ({ type: 'Ready', status: 'True', lastTransitionTime: time });

const files: Readonly<Record<string, string | Uint8Array>> = {
  'namespaces.json': list(object('v1', 'Namespace', 'shop'), object('v1', 'Namespace', 'other')),
  'nodes.json': list(
    object('v1', 'Node', 'worker-1', {
      status: {
        conditions: [ready('2024-05-01T08:00:10Z')],
        nodeInfo: { kubeletVersion: 'v1.29.4' },
      },
    }),
  ),
  'pods.json': list(
    object('v1', 'Pod', 'web-1', {
      ...inShop('web-1'),
      status: { conditions: [ready('2024-05-01T08:01:00Z')] },
    }),
  ),
  'services.json': list(),
  'replicasets.json': '',
  'deployments.json.gz': gzipSync(list(object('apps/v1', 'Deployment', 'web', inShop('web')))),
  'statefulsets.json.gz': gzipSync(''),
  'daemonsets.json': '{"apiVersion":"v1","items":[{"apiVersion":"apps/v1","kind":"Daem',
  'jobs.json': list(object('v1', 'Status', 'Failure')),
  'config-resources.json': list(
    object('config.openshift.io/v1', 'Infrastructure', 'cluster'),
    object('config.openshift.io/v1', 'Proxy', 'cluster'),
  ),
  'clusterversion.json': list(object('config.openshift.io/v1', 'ClusterVersion', 'version')),
  'clusteroperators.json': list(
    object('config.openshift.io/v1', 'ClusterOperator', 'kube-apiserver', {
      status: { versions: [{ name: 'kube-apiserver', version: '1.29.5' }] },
    }),
  ),
  'inspect/namespaces/shop/policy/poddisruptionbudgets.yaml': list(
    object('policy/v1', 'PodDisruptionBudget', 'web', inShop('web')),
  ),
};

async function read(
  change: Readonly<Record<string, string | undefined>> = {},
  prefix = 'artifacts/',
): Promise<Snapshot> {
  await using space = await workspace();
  for (const [path, content] of Object.entries({ ...files, ...change })) {
    if (content !== undefined) await space.write(`in/${prefix}${path}`, content);
  }
  return await readRecording([`${space.path}/in`], { kinds: kindNames });
}

describe('gather-extra', () => {
  it('is recognised, although it may hold an inspected tree', async () => {
    for (const prefix of ['', 'artifacts/', 'gather-extra/artifacts/']) {
      assert.equal((await read({}, prefix)).input.kind, 'gather-extra');
    }
  });

  it('reads JSON lists, gzipped or not', async () => {
    const snapshot = await read();
    assert.equal(objectsOf(snapshot, 'namespaces').length, 2);
    assert.equal(objectsOf(snapshot, 'pods').length, 1);
    assert.equal(objectsOf(snapshot, 'deployments')[0]?.metadata.namespace, 'shop');
    assert.equal(objectsOf(snapshot, 'clusterVersions').length, 1);
    assert.equal(objectsOf(snapshot, 'infrastructures').length, 1);
    assert.deepEqual(listing(snapshot, 'services'), { state: 'read', objects: [], gaps: [] });
  });

  it('takes an empty file for a request that timed out', async () => {
    const snapshot = await read();
    assert.deepEqual(listing(snapshot, 'replicaSets'), {
      state: 'missing',
      cause: 'timeout',
      detail: 'are missing: replicasets.json is empty',
    });
    assert.equal(missing(snapshot, 'statefulSets')?.cause, 'timeout');
  });

  it('says what is broken and what was not collected', async () => {
    const snapshot = await read();
    assert.match(
      missing(snapshot, 'daemonSets')?.detail ?? '',
      /^cannot be read: daemonsets\.json:1:/,
    );
    assert.deepEqual(listing(snapshot, 'jobs'), {
      state: 'missing',
      cause: 'malformed',
      detail: 'cannot be read: jobs.json holds a Status',
    });
    assert.equal(missing(snapshot, 'cronJobs')?.cause, 'not collected');
    const alone = await read({ 'config-resources.json': list() });
    assert.equal(missing(alone, 'infrastructures')?.cause, 'not collected');
    const noTree = 'inspect/namespaces/shop/policy/poddisruptionbudgets.yaml';
    assert.deepEqual(listing(await read({ [noTree]: undefined }), 'podDisruptionBudgets'), {
      state: 'missing',
      cause: 'not collected',
      detail: 'were not collected: there is no poddisruptionbudgets.json',
    });
  });

  it('finds disruption budgets in the tree beside the lists', async () => {
    const snapshot = await read();
    assert.equal(objectsOf(snapshot, 'podDisruptionBudgets').length, 1);
    assert.equal(missing(snapshot, 'podDisruptionBudgets', 'shop'), undefined);
    assert.equal(missing(snapshot, 'podDisruptionBudgets', 'other')?.cause, 'not collected');
  });

  it('takes its time from conditions and its version from operator or kubelet', async () => {
    const snapshot = await read();
    assert.equal(snapshot.takenAt, '2024-05-01T08:01:00Z');
    assert.equal(snapshot.serverVersion, 'v1.29.5');
    const alone = await read({ 'clusteroperators.json': undefined });
    assert.equal(alone.serverVersion, 'v1.29.4');
  });

  it('keeps what the newest file of cluster data says of the job', async () => {
    const { jobData } = await read({
      'junit/cluster-data_20240501-080000.json': '{"Topology":"single"}',
      'junit/cluster-data_20240501-090000.json':
        '{"Topology":"ha","Platform":"aws","Release":"4.16"}',
    });
    assert.deepEqual(jobData, { topology: 'ha', platform: 'aws', release: '4.16' });
  });

  it('does without cluster data that is none', async () => {
    for (const text of ['', '[]', '{"Topology":1}']) {
      const { jobData } = await read({ 'cluster-data_20240501-080000.json': text });
      assert.equal(jobData, undefined);
    }
  });

  it('is incomplete when its archive is cut short', async () => {
    await using space = await workspace();
    const texts = Object.entries(files).map(([path, content]) => [path, String(content)] as const);
    const archive = await tar(members({ ...Object.fromEntries(texts), 'z.log': 'x'.repeat(9000) }));
    const path = await space.write('in.tar', archive.subarray(0, -6000));
    const snapshot = await readRecording([path], { kinds: kindNames });
    assert.equal(snapshot.complete, false);
    assert.equal(objectsOf(snapshot, 'pods').length, 1);
    assert.equal(missing(snapshot, 'cronJobs')?.cause, 'partial');
  });
});
