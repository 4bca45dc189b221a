import assert from 'node:assert/strict';
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, it } from 'mocha';
import type { Kind } from '../../core/kinds.ts';
import { kindNames, kinds } from '../../core/kinds.ts';
import { readObject } from '../../core/read.ts';
import type { Listing, Snapshot } from '../../core/snapshot.ts';
import { listing, missing, objectsOf } from '../../core/snapshot.ts';
import { members, tar, xz, zip } from '../../test/packing.ts';
import { workspace } from '../../test/workspace.ts';
import { readRecording } from './index.ts';

const fixture = join(import.meta.dirname, 'fixtures/must-gather');
const root = 'must-gather.local/quay-io-release-sha256-0123';
const options = { kinds: kindNames };
const read = () => readRecording([fixture], options);

const names = (snapshot: Snapshot, kind: Kind) =>
  objectsOf(snapshot, kind).map(({ metadata: { namespace, name } }) =>
    namespace === undefined ? name : `${namespace}/${name}`,
  );
const causes = (found: Listing) =>
  found.state === 'read'
    ? Object.fromEntries(found.gaps.map(({ namespace = '', cause }) => [namespace, cause]))
    : found.state;

describe('a must-gather', () => {
  it('knows every folder below namespaces as a namespace, with or without its object', async () => {
    const snapshot = await read();
    assert.deepEqual(names(snapshot, 'namespaces'), ['bare', 'broken', 'shop', 'single']);
    const [bare, , shop] = objectsOf(snapshot, 'namespaces');
    assert.deepEqual(bare, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bare' } });
    assert.equal(shop?.metadata.labels?.['team'], 'shop');
  });

  it('tells the start of the inspection on the cluster, and the version of its API server', async () => {
    const { input, takenAt, serverVersion, complete } = await read();
    assert.deepEqual(
      { input, takenAt, serverVersion, complete },
      {
        input: { kind: 'must-gather', name: fixture },
        takenAt: '2021-08-03T10:12:00Z',
        serverVersion: 'v1.21.2',
        complete: true,
      },
    );
  });

  it('collects a kind for a namespace when its list is there and parses', async () => {
    const snapshot = await read();
    assert.deepEqual(names(snapshot, 'deployments'), [
      'broken/fine',
      'shop/cart',
      'shop/web',
      'single/alone',
    ]);
    assert.equal(missing(snapshot, 'deployments', 'shop'), undefined);
    assert.equal(missing(snapshot, 'statefulSets', 'shop'), undefined);
    assert.equal(missing(snapshot, 'routes', 'shop'), undefined);
  });

  it('never takes for empty what is missing, broken, cut short or known in part', async () => {
    const snapshot = await read();
    assert.deepEqual(causes(listing(snapshot, 'deployments')), {
      bare: 'not collected',
      broken: 'malformed',
      single: 'partial',
    });
    assert.deepEqual(causes(listing(snapshot, 'pods')), {
      bare: 'not collected',
      broken: 'malformed',
      single: 'partial',
    });
    const others = { bare: 'not collected', single: 'not collected' };
    assert.deepEqual(causes(listing(snapshot, 'statefulSets')), {
      ...others,
      broken: 'not collected',
    });
    assert.deepEqual(causes(listing(snapshot, 'daemonSets')), { ...others, broken: 'malformed' });
    assert.deepEqual(causes(listing(snapshot, 'replicaSets')), { ...others, broken: 'partial' });
    assert.deepEqual(causes(listing(snapshot, 'podDisruptionBudgets')), {
      ...others,
      broken: 'malformed',
    });
  });

  it('says of a gap which file and field it is about, and nothing of this machine', async () => {
    const snapshot = await read();
    const said = (kind: Kind, namespace: string) => missing(snapshot, kind, namespace)?.detail;
    assert.equal(
      said('deployments', 'broken'),
      'cannot be read: namespaces/broken/apps/deployments.yaml item 2: spec.replicas: expected an integer, found "three"',
    );
    assert.match(
      said('daemonSets', 'broken') ?? '',
      /^cannot be read: namespaces\/broken\/apps\/daemonsets\.yaml:\d+:\d+: /,
    );
    assert.equal(
      said('statefulSets', 'broken'),
      'are missing: namespaces/broken/apps/statefulsets.yaml is empty',
    );
    assert.equal(
      said('pods', 'broken'),
      'cannot be read: namespaces/broken/core/pods.yaml holds a Status',
    );
    assert.equal(
      said('podDisruptionBudgets', 'broken'),
      'cannot be read: namespaces/broken/policy/poddisruptionbudgets.yaml item 1: apiVersion: expected policy/v1 or policy/v1beta1, found "policy/v1beta2"',
    );
    assert.equal(
      said('pods', 'bare'),
      'were not collected: there is no namespaces/bare/core/pods.yaml',
    );
    assert.equal(
      said('pods', 'single'),
      'are known in part: there is no namespaces/single/core/pods.yaml',
    );
  });

  it('reads cluster-scoped kinds from a list or a folder, each object once', async () => {
    const snapshot = await read();
    assert.deepEqual(names(snapshot, 'nodes'), ['master-0', 'worker-1']);
    assert.deepEqual(names(snapshot, 'infrastructures'), ['cluster']);
    assert.deepEqual(names(snapshot, 'clusterVersions'), ['version']);
    assert.deepEqual(names(snapshot, 'validatingWebhookConfigurations'), ['guard']);
    for (const kind of ['nodes', 'infrastructures', 'clusterVersions'] as const) {
      assert.equal(missing(snapshot, kind), undefined);
    }
  });

  it('takes a missing folder for none only where its group was saved', async () => {
    const snapshot = await read();
    const none = { state: 'read', objects: [], gaps: [] };
    assert.deepEqual(listing(snapshot, 'mutatingWebhookConfigurations'), none);
    assert.deepEqual(listing(snapshot, 'machineConfigPools'), none);
  });

  it('knows API services in part', async () => {
    const snapshot = await read();
    assert.deepEqual(names(snapshot, 'apiServices'), ['v1.route.openshift.io']);
    assert.equal(missing(snapshot, 'apiServices')?.cause, 'partial');
  });

  it('tells from the saved definitions which custom kinds were not served', async () => {
    const snapshot = await read();
    assert.equal(listing(snapshot, 'scaledObjects').state, 'not served');
    assert.equal(listing(snapshot, 'gatewayRoutes').state, 'not served');
    assert.equal(missing(snapshot, 'rollouts')?.cause, 'not collected');
    assert.equal(listing(snapshot, 'deploymentConfigs').state, 'read');
  });

  it('tells from the saved API services which aggregated kinds were not served', async () => {
    await using space = await workspace();
    await cp(fixture, space.path, { recursive: true });
    await rm(join(space.path, root, 'namespaces/shop/apps.openshift.io'), { recursive: true });
    const snapshot = await readRecording([space.path], options);
    assert.equal(listing(snapshot, 'deploymentConfigs').state, 'not served');
    assert.equal(listing(snapshot, 'routes').state, 'read');
  });

  it('never calls a built-in kind not served', async () => {
    assert.deepEqual(listing(await read(), 'leases'), {
      state: 'missing',
      cause: 'not collected',
      detail: 'were not collected: no namespace has coordination.k8s.io/leases.yaml',
    });
  });

  it('keeps of ConfigMaps the metadata, and of their annotations the locks', async () => {
    assert.deepEqual(objectsOf(await read(), 'lockMetadata'), [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'lock',
          namespace: 'shop',
          uid: 'lock',
          annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' },
        },
      },
    ]);
  });

  it('reads text that looks like a number as Go writes it', async () => {
    const web = objectsOf(await read(), 'deployments').find(
      ({ metadata }) => metadata.uid === 'web',
    );
    assert.equal(web?.metadata.labels?.['commit'], '12e3456');
  });

  it('parses the wanted kinds only', async () => {
    const snapshot = await readRecording([fixture], { kinds: ['namespaces', 'nodes'] });
    assert.deepEqual(Object.keys(snapshot.listings), ['namespaces', 'nodes']);
  });

  it('is the same from every container', async () => {
    await using space = await workspace();
    const found = await readdir(fixture, { recursive: true, withFileTypes: true });
    const files: Record<string, string> = {};
    for (const entry of found.filter((each) => each.isFile())) {
      const at = join(entry.parentPath, entry.name);
      files[at.slice(fixture.length + 1)] = await readFile(at, 'utf8');
    }
    const archive = await tar(members(files));
    const expected = (await read()).listings;
    const packed = {
      tar: archive,
      gz: gzipSync(archive),
      xz: xz(archive),
      zip: zip(members(files)),
    };
    for (const [name, bytes] of Object.entries(packed)) {
      const snapshot = await readRecording([await space.write(name, bytes)], options);
      assert.deepEqual(snapshot.listings, expected, name);
    }
  });

  it('merges several trees, in one input or in several', async () => {
    await using space = await workspace();
    await cp(join(fixture, root), join(space.path, 'in/quay-a'), { recursive: true });
    await cp(join(fixture, root), join(space.path, 'in/quay-b'), { recursive: true });
    await rm(join(space.path, 'in/quay-a/namespaces/broken/apps'), { recursive: true });
    await space.write(
      'in/quay-b/namespaces/bare/apps/deployments.yaml',
      'apiVersion: apps/v1\nkind: DeploymentList\nitems: []\n',
    );
    const merged = await readRecording([join(space.path, 'in')], options);
    const apart = ['a', 'b'].map((name) => join(space.path, `in/quay-${name}`));
    const together = await readRecording(apart, options);
    for (const snapshot of [merged, together]) {
      assert.equal(names(snapshot, 'deployments').length, 4);
      assert.deepEqual(causes(listing(snapshot, 'deployments')), {
        broken: 'malformed',
        single: 'partial',
      });
    }
  });

  it('takes the newest time of a condition where there is no timestamp', async () => {
    await using space = await workspace();
    await cp(join(fixture, root), space.path, { recursive: true });
    await rm(join(space.path, 'timestamp'));
    await rm(join(space.path, 'cluster-scoped-resources/config.openshift.io/clusteroperators'), {
      recursive: true,
    });
    const { takenAt, serverVersion } = await readRecording([space.path], options);
    assert.equal(takenAt, '2021-08-03T10:11:00Z');
    assert.equal(serverVersion, 'v1.21.1+38b3ecc');
  });
});

describe('a must-gather with a file that is not UTF-8', () => {
  it('has a gap there', async () => {
    await using space = await workspace();
    await cp(fixture, space.path, { recursive: true });
    const file = join(root, 'namespaces/shop/apps/deployments.yaml');
    const latin = Buffer.from('apiVersion: v1\nkind: List\nitems: [] # café\n', 'latin1');
    await space.write(file, latin);
    const snapshot = await readRecording([space.path], options);
    assert.deepEqual(missing(snapshot, 'deployments', 'shop'), {
      namespace: 'shop',
      cause: 'malformed',
      detail: 'are missing: namespaces/shop/apps/deployments.yaml cannot be read',
    });
  });
});

describe('a must-gather that was cut short', () => {
  async function cut(keep: (path: string) => boolean) {
    await using space = await workspace();
    const found = await readdir(join(fixture, root), { recursive: true, withFileTypes: true });
    const paths = found
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name))
      .filter(keep)
      .sort();
    const files: Record<string, string> = {};
    for (const path of paths) {
      files[path.slice(join(fixture, root).length + 1)] = await readFile(path, 'utf8');
    }
    const whole = await tar(members({ ...files, 'z/last.log': 'x'.repeat(5000) }));
    return await readRecording([await space.write('in.tar', whole.subarray(0, -4000))], options);
  }

  it('is incomplete and proves nothing by what is not there', async () => {
    const snapshot = await cut((path) => !path.includes('/config.openshift.io/'));
    assert.equal(snapshot.complete, false);
    assert.equal(missing(snapshot, 'nodes')?.cause, 'partial');
    assert.equal(missing(snapshot, 'namespaces')?.cause, 'partial');
    assert.equal(missing(snapshot, 'mutatingWebhookConfigurations')?.cause, 'partial');
    assert.equal(missing(snapshot, 'infrastructures')?.cause, 'partial');
    assert.equal(missing(snapshot, 'scaledObjects')?.cause, 'partial');
    assert.equal(missing(snapshot, 'leases')?.cause, 'partial');
    assert.equal(missing(snapshot, 'pods', 'bare')?.cause, 'partial');
  });

  it('still gives the lists that were read', async () => {
    const snapshot = await cut(() => true);
    assert.equal(missing(snapshot, 'deployments', 'shop'), undefined);
    assert.deepEqual(
      names(snapshot, 'deployments').filter((name) => name.startsWith('shop/')),
      ['shop/cart', 'shop/web'],
    );
  });
});

describe('a dump in the layout of a must-gather that has every kind', () => {
  it('gives what lists of a live cluster give, without a gap', async () => {
    await using space = await workspace();
    const definitions: unknown[] = [];
    const expected: Partial<Record<Kind, unknown>> = {};
    for (const kind of kindNames) {
      const { group, versions, kind: type, resources, namespaced } = kinds[kind];
      const apiVersion = group === '' ? versions[0] : `${group}/${versions[0]}`;
      const named = (name: string, namespace?: string) => ({
        apiVersion,
        kind: type,
        metadata: { name, ...(namespace && { namespace }), uid: `${kind}-${namespace}-${name}` },
      });
      const folders = namespaced ? ['namespaces/a', 'namespaces/b'] : ['cluster-scoped-resources'];
      const own = ['x', 'y'];
      for (const [i, resource] of resources.entries()) {
        definitions.push({ metadata: { name: `${resource}.${group}` } });
        for (const folder of folders) {
          const items = i > 0 ? [] : own.map((name) => named(name, folder.split('/')[1]));
          const list = { apiVersion, kind: `${type}List`, items };
          const path = `dump/${folder}/${group || 'core'}/${resource}.yaml`;
          await space.write(path, JSON.stringify(list));
        }
      }
      const raws = namespaced
        ? ['a', 'b'].flatMap((namespace) => own.map((name) => named(name, namespace)))
        : own.map((name) => named(name));
      const objects = raws.map((raw) => readObject(kind, raw, raw as never));
      expected[kind] = { state: 'read', objects, gaps: [] };
    }
    const crds = 'cluster-scoped-resources/apiextensions.k8s.io/customresourcedefinitions.yaml';
    await space.write(
      `dump/${crds}`,
      JSON.stringify({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinitionList',
        items: definitions,
      }),
    );
    // Namespaces are folders here, and their objects stand in these.
    await rm(join(space.path, 'dump/cluster-scoped-resources/core/namespaces.yaml'));
    for (const name of ['a', 'b']) {
      const raw = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: name } };
      await space.write(`dump/namespaces/${name}/${name}.yaml`, JSON.stringify(raw));
    }
    const objects = ['a', 'b'].map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, uid: name },
    }));
    expected['namespaces'] = { state: 'read', objects, gaps: [] };
    const { listings } = await readRecording([space.path], options);
    for (const kind of kindNames) assert.deepEqual(listings[kind], expected[kind], kind);
  });
});
