import assert from 'node:assert/strict';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import type { Kind } from '../core/kinds.ts';
import { kindNames, kinds } from '../core/kinds.ts';
import { listing, missing, objectsOf } from '../core/snapshot.ts';
import { connectTo } from '../test/kubeconfigs.ts';
import { sharedSandbox } from '../test/shared-sandbox.ts';
import type { Connection } from './connect.ts';
import { discover } from './discovery.ts';
import { gather } from './gather.ts';
import { asWritten } from './intern.ts';
import { list } from './list.ts';
import { asker, defaultLimits } from './request.ts';

const protobufType = 'application/vnd.kubernetes.protobuf';
const signal = () => AbortSignal.timeout(30_000);

describe('gathering from a real API server', () => {
  const sandbox = sharedSandbox('ha');
  let connection: Connection;
  const connectAs = (user: object, options = {}) => {
    const authority = Buffer.from(sandbox().authority).toString('base64');
    const cluster = { 'certificate-authority-data': authority };
    return connectTo({ server: sandbox().server, cluster, user }, { options });
  };
  before(async () => {
    connection = await connectAs({ token: sandbox().token });
  });
  after(() => connection?.close());

  /** The same connection, with other paths or other types of answers, and all that was asked for. */
  const changed = (change: { path?: (path: string) => string; accept?: (a: string) => string }) => {
    const asked: string[] = [];
    const get: Connection['get'] = (path, accept, signal) => {
      asked.push(path);
      return connection.get(change.path?.(path) ?? path, change.accept?.(accept) ?? accept, signal);
    };
    return { ...connection, get, asked };
  };
  const withoutProtobuf = (accept: string) =>
    accept
      .split(',')
      .filter((type) => !type.startsWith(protobufType))
      .join(',');
  const read = <K extends Kind>(kind: K, through: Connection, limit = 500) => {
    const { versions, resources } = kinds[kind];
    return list(
      { kind, version: versions[0], resource: resources[0] },
      {
        ask: asker(through, { ...defaultLimits, signal: signal() }),
        intern: asWritten,
        limit,
      },
    );
  };

  describe('as Protobuf and as JSON', () => {
    for (const kind of kindNames.filter((name) => kinds[name].protobuf)) {
      it(`gives the same ${kind}`, async () => {
        const answers: string[] = [];
        const noting: Connection = {
          ...connection,
          get: async (...request) => {
            const answer = await connection.get(...request);
            answers.push(String(answer.headers['content-type']));
            return answer;
          },
        };
        // Anew when something has changed between the two.
        for (let attempt = 0; ; attempt++) {
          const protobuf = await read(kind, noting);
          const json = await read(kind, changed({ accept: withoutProtobuf }));
          const again = await read(kind, connection);
          if (attempt < 5 && !isEqual(protobuf, again)) continue;
          assert.deepEqual(protobuf, json);
          assert.equal(protobuf.end, 'done');
          assert.deepEqual(protobuf.gaps, []);
          // The estate has no bare ReplicationController.
          assert.equal(protobuf.objects.length > 0, kind !== 'replicationControllers');
          break;
        }
        assert.ok(answers.every((type) => type.startsWith(protobufType)));
      });
    }

    it('gives of ConfigMaps what they are called and nothing of what is in them', async () => {
      for (const through of [connection, changed({ accept: withoutProtobuf })]) {
        const { objects } = await read('lockMetadata', through);
        for (const object of objects) {
          assert.deepEqual(Object.keys(object).toSorted(), ['apiVersion', 'kind', 'metadata']);
          assert.deepEqual([object.apiVersion, object.kind], ['v1', 'ConfigMap']);
        }
      }
      const { body } = await connection.get(
        '/api/v1/namespaces/kube-system/configmaps',
        `${protobufType};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`,
        signal(),
      );
      assert.ok(!body.includes('BEGIN CERTIFICATE'));
    });
  });

  it('gives the same objects whatever the size of a page', async () => {
    // Nothing in them changes on its own, as leases do.
    for (const kind of [
      'pods',
      'services',
      'deployments',
      'lockMetadata',
      'apiServices',
    ] as const) {
      const whole = await read(kind, connection);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.boolean(), async (limit, isJson) => {
          const change = isJson ? { accept: withoutProtobuf } : {};
          assert.deepEqual(await read(kind, changed(change), limit), whole);
        }),
        { numRuns: 4 },
      );
    }
  });

  it('finds the same served by either form of discovery', async () => {
    const found = (through: Connection) =>
      discover(kindNames, asker(through, { ...defaultLimits, signal: signal() }));
    const old = changed({ accept: () => 'application/json' });
    const served = await found(connection);
    assert.deepEqual(await found(old), served);
    assert.ok(old.asked.length > 1);
    const builtin = kindNames.filter((kind) => kinds[kind].protobuf);
    assert.deepEqual([...served.keys()].toSorted(), builtin.toSorted());
  });

  it('lists what is asked for, each once, and never a Secret', async () => {
    const noting = changed({});
    const wanted = ['deployments', 'pods', 'nodes', 'routes'] as const;
    const snapshot = await gather(noting, { kinds: wanted, signal: signal() });
    assert.deepEqual(noting.asked.toSorted(), [
      '/api/v1/nodes?limit=500',
      '/api/v1/pods?limit=500',
      '/apis',
      '/apis/apps/v1/deployments?limit=500',
      '/version',
    ]);
    assert.deepEqual(Object.keys(snapshot.listings).toSorted(), wanted.toSorted());
    assert.deepEqual(listing(snapshot, 'routes'), { state: 'not served' });
    assert.ok(objectsOf(snapshot, 'pods').length > 0);
    const all = changed({});
    await gather(all, { kinds: kindNames, signal: signal() });
    assert.ok(all.asked.every((path) => !/secret/i.test(path)));
    assert.equal(new Set(all.asked).size, all.asked.length);
  });

  it('says when it was, by the clock of the server, and what version that is', async () => {
    const snapshot = await gather(connection, { kinds: ['nodes'], signal: signal() });
    const { gitVersion } = JSON.parse(await sandbox().kubectl(['get', '--raw', '/version'])) as {
      gitVersion: string;
    };
    assert.equal(snapshot.serverVersion, gitVersion);
    assert.match(snapshot.takenAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.ok(Math.abs(Date.parse(snapshot.takenAt ?? '') - Date.now()) < 10_000);
    assert.equal(snapshot.complete, true);
  });

  it('keeps what was read of a list when the run ends', async () => {
    const controller = new AbortController();
    const small = changed({
      path: (path) => {
        if (path.includes('continue=')) controller.abort();
        return path.replace('limit=500', 'limit=20');
      },
    });
    const snapshot = await gather(small, { kinds: ['pods'], signal: controller.signal });
    assert.equal(snapshot.complete, false);
    assert.equal(objectsOf(snapshot, 'pods').length, 20);
    const expected = { cause: 'partial', detail: 'was cut short' };
    assert.deepEqual(missing(snapshot, 'pods', 'shop'), expected);
  });

  describe('with few rights', () => {
    it('says of each list who was refused what', async () => {
      await using nobody = await connectAs({ token: sandbox().token }, { as: 'nobody' });
      const wanted = ['pods', 'deployments', 'nodes'] as const;
      const snapshot = await gather(nobody, { kinds: wanted, signal: signal() });
      const refusal = (resource: string, group: string) =>
        `could not be listed: 403 Forbidden: ${resource} is forbidden: User "nobody" cannot list ` +
        `resource "${resource.replace(/\..*/, '')}" in API group "${group}" at the cluster scope`;
      const details = wanted.map((kind) => missing(snapshot, kind));
      assert.deepEqual(details, [
        { state: 'missing', cause: 'forbidden', detail: refusal('pods', '') },
        { state: 'missing', cause: 'forbidden', detail: refusal('deployments.apps', 'apps') },
        { state: 'missing', cause: 'forbidden', detail: refusal('nodes', '') },
      ]);
      assert.equal(snapshot.complete, true);
    });

    it('reads the namespaces that it may', async () => {
      // A role that every cluster has: ConfigMaps of kube-public, and of no other namespace.
      const as = 'system:serviceaccount:kube-system:bootstrap-signer';
      await using signer = await connectAs({ token: sandbox().token }, { as });
      const namespaces = ['kube-public', 'kube-system'];
      const wanted = ['lockMetadata', 'nodes'] as const;
      const snapshot = await gather(signer, { kinds: wanted, namespaces, signal: signal() });
      const found = objectsOf(snapshot, 'lockMetadata');
      assert.deepEqual(
        found.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
        ['kube-public/kube-root-ca.crt'],
      );
      assert.equal(missing(snapshot, 'lockMetadata', 'kube-public'), undefined);
      assert.equal(missing(snapshot, 'lockMetadata', 'kube-system')?.cause, 'forbidden');
      assert.equal(missing(snapshot, 'nodes')?.cause, 'forbidden');
    });
  });
});

function isEqual(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
