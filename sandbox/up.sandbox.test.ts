import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connect } from 'node:tls';
import { after, before, describe, it } from 'mocha';
import { createClient } from './client.ts';
import { freePorts } from './ports.ts';
import { run } from './run.ts';
import type { Sandbox } from './sandbox.ts';
import { up } from './up.ts';

const web = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: registry.example.com/web:1 }] }
`;

describe('two sandboxes at once', function () {
  this.timeout(180_000);
  let bare: Sandbox;
  let ha: Sandbox;
  const running: Sandbox[] = [];
  let etcdPort = 0;
  before(async () => {
    [etcdPort = 0] = await freePorts(1);
    const users = [{ name: 'reader', groups: ['readers'], token: 'reader-token' }];
    const extraArgs = { 'kube-apiserver': ['--etcd-compaction-interval=2s'] };
    const keep = (sandbox: Sandbox) => {
      running.push(sandbox);
      return sandbox;
    };
    [bare, ha] = await Promise.all([
      up({ name: 'bare', ports: { etcd: etcdPort }, users, extraArgs }).then(keep),
      up({ name: 'full', estate: 'ha' }).then(keep),
    ]);
  });
  after(async () => {
    await Promise.all(running.map((sandbox) => sandbox.down()));
  });

  /** By kubectl, as `kubectl get` prints it with a JSON path. */
  const get = (sandbox: Sandbox, what: string, path: string) =>
    sandbox.kubectl(['get', ...what.split(' '), '-o', `jsonpath=${path}`]);

  it('get to three ready replicas', async () => {
    await bare.apply(web);
    await bare.settled();
    assert.equal(await get(bare, 'deployment web', '{.status.readyReplicas}'), '3');
  });

  it('share nothing: neither objects, nor credentials, nor etcd', async () => {
    assert.equal(await get(ha, 'deployments -n default', '{.items[*].metadata.name}'), '');
    const authority = bare.authority;
    const stranger = createClient({ server: ha.server, authority, token: ha.token });
    await assert.rejects(stranger.send({ method: 'GET', path: '/api' }), /certificate/);
    stranger.close();
    // What an API server would meet if another sandbox's etcd had taken its etcd's port.
    const foreign = ha.clientCertificate('kube-apiserver');
    const answer = await tlsAnswer(etcdPort, { cert: foreign.certificate, key: foreign.key });
    assert.match(answer, /alert|ECONNRESET/i);
  });

  it('know users by token, by certificate and by service account', async () => {
    const whoAmI = (args: readonly string[]) =>
      bare.kubectl(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}', ...args]);
    assert.equal(await whoAmI(['--token=reader-token']), 'reader');
    const uid = await get(bare, 'serviceaccount default', '{.metadata.uid}');
    const token = (seconds: number) =>
      bare.serviceAccountToken({
        namespace: 'default',
        name: 'default',
        uid,
        expiresAt: new Date(Date.now() + seconds * 1000),
      });
    const client = (token: string) =>
      createClient({ server: bare.server, authority: bare.authority, token });
    const status = async (token: string) => {
      const asked = client(token);
      const answer = await asked.send({ method: 'GET', path: '/apis' });
      asked.close();
      return answer.status;
    };
    assert.equal(await status(token(60)), 200);
    assert.equal(await status(token(-60)), 401);
  });

  it('survive the loss of their API server, which comes back on its port as it was', async () => {
    await bare.kill('kube-apiserver');
    await assert.rejects(bare.kubectl(['get', 'nodes']), /refused/);
    await bare.restart('kube-apiserver');
    const port = new URL(bare.server).port;
    const again = await processesOf(`--secure-port=${port}`, '--etcd-compaction-interval=2s');
    assert.notEqual(again, 0);
    await bare.kubectl(['scale', 'deployment/web', '--replicas=4']);
    await bare.settled();
    assert.equal(await get(bare, 'deployment web', '{.status.readyReplicas}'), '4');
  });

  it('finish pods of Jobs as a kubelet does', async () => {
    const pod = 'pods -n data-platform -l app=schema-migration';
    const path =
      '{.items[0].status.phase} {.items[0].status.conditions[?(@.type=="Ready")].reason}';
    assert.equal(await get(ha, pod, path), 'Succeeded PodCompleted');
  });

  it('leave ha halfway where it is meant to be', async () => {
    const reason = (name: string) =>
      get(ha, `deployment ${name}`, '{.status.conditions[?(@.type=="Progressing")].reason}');
    assert.equal(await reason('pricing -n shop'), 'ProgressDeadlineExceeded');
    assert.equal(await reason('checkout -n shop'), 'DeploymentPaused');
    const updated =
      '{.status.updatedReplicas} of {.status.replicas}, {.status.readyReplicas} ready';
    assert.equal(await get(ha, 'statefulset shards -n search', updated), '1 of 3, 3 ready');
    assert.equal(await get(ha, 'statefulset ingest -n data-platform', updated), '1 of 3, 2 ready');
  });

  it('place the pods of ha so that the same workloads are always on one node', async () => {
    const live = 'pods -A -l app --field-selector=status.phase!=Succeeded';
    const row = '{.metadata.namespace}/{.metadata.labels.app} {.spec.nodeName}';
    const rows = await get(ha, live, `{range .items[*]}${row}{"\\n"}{end}`);
    const nodes = new Map<string, string[]>();
    for (const line of rows.trim().split('\n')) {
      const [workload = '', node = ''] = line.split(' ');
      nodes.set(workload, [...(nodes.get(workload) ?? []), node]);
    }
    const together = [...nodes].filter(([, on]) => on.length > 1 && new Set(on).size === 1);
    assert.deepEqual(together.map(([workload, [node]]) => `${workload} ${node}`).sort(), [
      'data-platform/cache worker-2',
      'reports/renderer worker-3',
    ]);
    assert.deepEqual(nodes.get('messaging/nats')?.sort(), ['worker-1', 'worker-1', 'worker-2']);
  });

  it('name in ha the pods that have won an election', async () => {
    const holder = await get(ha, 'lease directory-sync -n identity', '{.spec.holderIdentity}');
    const pod = await get(
      ha,
      'pods -n identity -l app=directory-sync',
      '{.items[0].metadata.name}',
    );
    assert.equal(holder.split('_')[0], pod);
  });

  it('leave no process and no directory behind', async () => {
    const directory = dirname(bare.files.kubeconfig);
    assert.notEqual(await processesOf(directory), 0);
    await bare.down();
    assert.equal(await processesOf(directory), 0);
    assert.ok(!existsSync(directory));
  });
});

describe('a sandbox that cannot start', () => {
  it('says which component failed and why, and leaves nothing behind', async () => {
    const other = createServer();
    const [port = 0] = await freePorts(1);
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    for (const component of ['etcd', 'kube-apiserver'] as const) {
      await assert.rejects(
        up({ name: 'unlucky', ports: { [component]: port } }),
        (error: Error) => {
          assert.match(error.message, new RegExp(`^${component} .* ended with status 1`));
          assert.match(error.message, /address already in use/);
          return true;
        },
      );
    }
    other.close();
    assert.equal(await processesOf('ha-sandbox-unlucky'), 0);
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith('ha-sandbox-unlucky'));
    assert.deepEqual(left, []);
  });

  it('says that an estate does not suit a topology', async () => {
    await assert.rejects(
      up({ estate: 'ha', topology: 'single' }),
      /ha does not suit .* single: ha/,
    );
  });

  it('says that Go is missing when there is nothing else to take programs from', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'no-go-'));
    const env = { PATH: empty, XDG_CACHE_HOME: empty };
    await assert.rejects(up({ env, progress: () => undefined }), /needs Go/);
    rmSync(empty, { recursive: true });
  });
});

/** How many processes have all these in their command line. */
async function processesOf(...parts: readonly string[]): Promise<number> {
  const lines = (await run('ps', ['-A', '-o', 'args='])).split('\n');
  return lines.filter((line) => parts.every((part) => line.includes(part))).length;
}

/** How a server ends a TLS connection by a client that it does not know. */
function tlsAnswer(port: number, client: { cert: string; key: string }): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...client });
    socket.on('error', (error) => resolve(error.message));
    socket.on('close', () => resolve('closed without an alert'));
    socket.on('data', () => resolve('an answer'));
    socket.on('secureConnect', () => socket.write('GET / HTTP/1.0\r\n\r\n'));
  });
}
