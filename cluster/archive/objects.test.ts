import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'mocha';
import { kindNames } from '../../core/kinds.ts';
import { listing, missing, objectsOf } from '../../core/snapshot.ts';
import { members, tar } from '../../test/packing.ts';
import { workspace } from '../../test/workspace.ts';
import { readRecording } from './index.ts';

const options = { kinds: kindNames };
const fixtures = join(import.meta.dirname, 'fixtures');

async function piped(text: string) {
  const notices: string[] = [];
  const notice = (message: string) => notices.push(message);
  const stdin = Readable.from([Buffer.from(text)]);
  return { ...(await readRecording(['-'], { ...options, stdin, notice })), notices };
}

const refused = (text: string, message: RegExp) =>
  assert.rejects(piped(text), { name: 'KnownError', code: 'UNREADABLE_INPUT', message });

const live = (kind: string, name: string, more = '') =>
  `{apiVersion: v1, kind: ${kind}, metadata: {name: ${name}, namespace: shop, uid: ${name}}${more}}\n`;

describe('manifests', () => {
  it('are the whole truth of namespaced kinds and say nothing of nodes', async () => {
    const snapshot = await readRecording([join(fixtures, 'manifests')], options);
    assert.equal(snapshot.input.kind, 'manifests');
    assert.equal(snapshot.takenAt, undefined);
    assert.equal(snapshot.complete, true);
    assert.deepEqual(
      objectsOf(snapshot, 'deployments').map(({ metadata }) => metadata),
      [
        { name: 'orphan', namespace: 'default' },
        { name: 'web', namespace: 'shop' },
      ],
    );
    assert.deepEqual(listing(snapshot, 'pods'), { state: 'read', objects: [], gaps: [] });
    for (const kind of ['nodes', 'infrastructures', 'clusterVersions'] as const) {
      assert.deepEqual(listing(snapshot, kind), { state: 'unknown' });
    }
    assert.equal(listing(snapshot, 'machineConfigPools').state, 'read');
  });

  it('make the namespaces that they mention', async () => {
    const snapshot = await readRecording([join(fixtures, 'manifests')], options);
    assert.deepEqual(
      objectsOf(snapshot, 'namespaces').map(({ metadata }) => metadata),
      [{ name: 'default' }, { name: 'elsewhere' }, { name: 'shop', labels: { team: 'shop' } }],
    );
  });

  it('may hold lists, merge keys, equal keys and documents of comments', async () => {
    const { listings } = await piped(`
# a template that rendered to nothing
---
---
null
---
apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata: &meta {name: web, labels: {commit: 12e3456, on: on}}
  spec: {replicas: 2, replicas: 3}
- apiVersion: policy/v1
  kind: PodDisruptionBudget
  metadata: {<<: *meta, name: budget}
`);
    const { deployments, podDisruptionBudgets } = listings;
    assert.ok(deployments?.state === 'read' && podDisruptionBudgets?.state === 'read');
    assert.deepEqual(deployments.objects[0]?.metadata, {
      name: 'web',
      namespace: 'default',
      labels: { commit: '12e3456', on: 'on' },
    });
    assert.equal(deployments.objects[0]?.spec?.replicas, 3);
    assert.equal(podDisruptionBudgets.objects[0]?.metadata.name, 'budget');
  });

  it('may be JSON', async () => {
    const { listings } = await piped(
      JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } }),
    );
    assert.ok(listings.deployments?.state === 'read');
    assert.equal(listings.deployments.objects.length, 1);
  });

  it('keep the last of equal objects, and all that have no name yet', async () => {
    const job = '{apiVersion: batch/v1, kind: Job, metadata: {generateName: run-}}\n';
    const { listings } = await piped(
      [1, 2]
        .map(
          (n) =>
            `{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: ${n}}}\n`,
        )
        .concat(job, job)
        .join('---\n'),
    );
    assert.ok(listings.deployments?.state === 'read' && listings.jobs?.state === 'read');
    assert.deepEqual(
      listings.deployments.objects.map(({ spec }) => spec?.replicas),
      [2],
    );
    assert.equal(listings.jobs.objects.length, 2);
  });

  it('take a namespace away from what has none', async () => {
    const { listings } = await piped(
      'apiVersion: v1\nkind: Node\nmetadata: {name: n, namespace: shop}\n',
    );
    assert.ok(listings.nodes?.state === 'read');
    assert.deepEqual(listings.nodes.objects[0]?.metadata, { name: 'n' });
  });

  it('count what no check reads', async () => {
    const { notices } = await piped(
      ['Secret', 'Role', 'Secret'].map((kind) => `{apiVersion: v1, kind: ${kind}}`).join('\n---\n'),
    );
    assert.deepEqual(notices, ['ignored 3 objects of kinds that no check reads: 1 Role, 2 Secret']);
  });

  it('miss a namespace where an object is malformed or of a version that is not understood', async () => {
    const snapshot = await piped(`
{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, namespace: x}, spec: {replicas: yes}}
---
{apiVersion: extensions/v1beta1, kind: Deployment, metadata: {name: b, namespace: y}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: c, namespace: z}}
`);
    assert.deepEqual(missing(snapshot, 'deployments', 'x'), {
      namespace: 'x',
      cause: 'malformed',
      detail: 'cannot be read: stdin document 1: spec.replicas: expected an integer, found "yes"',
    });
    assert.deepEqual(missing(snapshot, 'deployments', 'y'), {
      namespace: 'y',
      cause: 'malformed',
      detail:
        'cannot be read: stdin document 2: apiVersion: expected apps/v1, found "extensions/v1beta1"',
    });
    assert.equal(missing(snapshot, 'deployments', 'z'), undefined);
  });

  it('are refused with the position of a syntax error, and without its text', async () => {
    await refused('a: 1\nb: [password\nc: 2\n', /^stdin:3:\d+: (?!.*password)/);
    await refused('{"a": 1,\n"b" "password"}', /^stdin:2:\d+: (?!.*password)/);
    await using space = await workspace();
    await space.write('fine.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n');
    await space.write('chart/web.yaml', 'apiVersion: v1\nkind: {{ .Values.kind }}\n');
    await assert.rejects(readRecording([space.path], options), {
      code: 'UNREADABLE_INPUT',
      message: /chart\/web\.yaml:2:7: a template that was not rendered$/,
    });
  });

  it('are refused when they are not UTF-8', async () => {
    await using space = await workspace();
    const manifest = 'apiVersion: v1\nkind: Pod\nmetadata: {name: p, labels: {team: café}}\n';
    await space.write('latin.yaml', Buffer.from(manifest, 'latin1'));
    await assert.rejects(readRecording([space.path], options), {
      code: 'UNREADABLE_INPUT',
      message: /latin\.yaml: is not UTF-8 text$/,
    });
  });

  it('are refused when a named file holds something else, or nothing', async () => {
    await refused('replicas: 3\n', /^stdin: is no Kubernetes object/);
    await refused('- 1\n- 2\n', /^stdin: is no Kubernetes object/);
    await refused('# nothing\n', /^stdin: holds no Kubernetes object$/);
    await refused('{apiVersion: v1, kind: List, items: []}', /holds no Kubernetes object$/);
  });

  it('may lie beside other YAML in a folder', async () => {
    await using space = await workspace();
    await space.write('values.yaml', 'replicas: 3\n');
    await space.write('pod.yml', 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n');
    await space.write('README.md', '# {{ not yaml }}\n');
    assert.equal(objectsOf(await readRecording([space.path], options), 'pods').length, 1);
  });

  it('cannot blow up by aliases', async () => {
    const many = (anchor: string, of: string) =>
      `${anchor}: [${Array.from({ length: 90 }, () => of).join(', ')}]`;
    await refused(
      `apiVersion: v1\nkind: Pod\nx: &x {name: y}\n${many('a', '*x')}\n${many('b', '*x')}\n${many('c', '*x')}`,
      /stdin:?.*alias/,
    );
  });
});

describe('a dump of live objects', () => {
  it('knows only the kinds of which it holds an object or a list', async () => {
    const snapshot = await readRecording(
      ['deployments.yaml', 'pods.json', 'nodes.yaml'].map((name) => join(fixtures, 'dump', name)),
      options,
    );
    assert.equal(snapshot.input.kind, 'objects');
    assert.equal(objectsOf(snapshot, 'deployments').length, 2);
    assert.deepEqual(listing(snapshot, 'pods'), { state: 'read', objects: [], gaps: [] });
    assert.equal(objectsOf(snapshot, 'nodes').length, 1);
    assert.deepEqual(listing(snapshot, 'services'), {
      state: 'missing',
      cause: 'not collected',
      detail: 'were not collected: the input holds no such object or list',
    });
    assert.equal(missing(snapshot, 'infrastructures')?.cause, 'not collected');
  });

  it('has the time of its newest condition and the version of its newest kubelet', async () => {
    const snapshot = await readRecording([join(fixtures, 'dump')], options);
    assert.equal(snapshot.takenAt, '2024-08-05T17:25:24Z');
    assert.equal(snapshot.serverVersion, 'v1.30.1');
  });

  it('knows the namespaces that its objects are in', async () => {
    const snapshot = await readRecording([join(fixtures, 'dump')], options);
    const found = objectsOf(snapshot, 'namespaces').map(({ metadata }) => metadata.name);
    assert.deepEqual(found, ['shop']);
  });

  it('cannot be mixed with manifests', async () => {
    await refused(
      `${live('Pod', 'web')}---\n{apiVersion: v1, kind: Service, metadata: {name: web}}\n`,
      /^Pod shop\/web \(stdin document 1\) has a uid and Service default\/web \(stdin document 2\) has none/,
    );
    const path = join(fixtures, 'dump/deployments.yaml');
    await assert.rejects(readRecording([path, join(fixtures, 'manifests')], options), {
      message: /dump\/deployments\.yaml item 1\) has a uid and .* \(.*manifests\/.*\) has none/,
    });
  });

  it('may be one of lists only', async () => {
    const { input, listings } = await piped('{apiVersion: v1, kind: PodList, items: []}');
    assert.equal(input.kind, 'objects');
    assert.equal(listings.pods?.state, 'read');
    assert.equal(listings.nodes?.state, 'missing');
  });

  it('is known in part when it is one page of a list', async () => {
    const snapshot = await piped(
      `{apiVersion: v1, kind: PodList, metadata: {continue: abc}, items: [${live('Pod', 'a').trim()}]}`,
    );
    assert.equal(missing(snapshot, 'pods', 'shop')?.cause, 'partial');
  });

  it('is incomplete when its archive is cut short', async () => {
    await using space = await workspace();
    const files = {
      'a.yaml': live('Pod', 'a'),
      'b.yaml': `${live('Pod', 'b')}# ${'x'.repeat(5000)}`,
    };
    const archive = await tar(members(files));
    const path = await space.write('in.tar', archive.subarray(0, 3000));
    const snapshot = await readRecording([path], options);
    assert.equal(snapshot.complete, false);
    assert.equal(objectsOf(snapshot, 'pods').length, 1);
    assert.equal(missing(snapshot, 'pods', 'shop')?.cause, 'partial');
    assert.equal(missing(snapshot, 'services', 'shop')?.cause, 'partial');
    const nothing = await space.write('no.tar', archive.subarray(0, 514));
    await assert.rejects(readRecording([nothing], options), { code: 'UNREADABLE_INPUT' });
  });
});
