import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { freePorts } from '../sandbox/ports.ts';
import { command } from './command.ts';
import type { Access } from './kubeconfigs.ts';
import { kubeconfig, trusting } from './kubeconfigs.ts';
import { sharedSandbox } from './shared-sandbox.ts';
import type { Workspace } from './workspace.ts';
import { workspace } from './workspace.ts';

/** Part of everything in the cluster that must stay there. */
const mark = 'hunter2';

/** It fails what it can, so that as much as possible is said about it. */
const estate = `
apiVersion: v1
kind: Namespace
metadata: { name: vault }
---
apiVersion: v1
kind: Secret
metadata: { name: vault, namespace: vault }
stringData: { password: ${mark}-secret }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: vault, namespace: vault }
data: { password: ${mark}-configuration }
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: vault
  namespace: vault
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"password":"${mark}-applied"}'
spec:
  replicas: 1
  strategy: { type: Recreate }
  selector: { matchLabels: { app: vault } }
  template:
    metadata: { labels: { app: vault } }
    spec:
      containers:
        - name: vault
          image: registry.example.com/vault/vault:1
          args: [--password=${mark}-argument]
          env: [{ name: PASSWORD, value: ${mark}-environment }]
          ports: [{ name: http, containerPort: 8080 }]
          livenessProbe: { exec: { command: [check, --password, ${mark}-command] } }
        - name: agent
          image: registry.example.com/vault/agent:1
          livenessProbe:
            httpGet:
              path: /live
              port: 8081
              httpHeaders: [{ name: Authorization, value: Basic ${mark}-header }]
---
apiVersion: v1
kind: Service
metadata: { name: vault, namespace: vault }
spec:
  selector: { app: vault }
  ports: [{ name: http, port: 80, targetPort: http }]
`;

describe('nothing secret is printed or written', function () {
  this.timeout(60_000);
  const sandbox = sharedSandbox('ha');
  let space: Workspace;

  before(async () => {
    space = await workspace();
    await sandbox().apply(estate);
    await sandbox().settled();
  });
  after(() => space?.remove());

  const trusted = () => trusting(sandbox());

  /** All that a run has left: what it printed, and the files of its folder. */
  async function traces(name: string, access: Access | string, ...args: readonly string[]) {
    const text = typeof access === 'string' ? access : kubeconfig(access);
    const options = ['--out', name, '--record', join(name, 'recorded'), '--settle-wait', '0'];
    const env = { KUBECONFIG: await space.write(`${name}.kubeconfig`, text) };
    const ended = await command(['run', ...options, ...args], { cwd: space.path, env });
    const found = await readdir(space.at(name), { recursive: true, withFileTypes: true });
    const files = found.filter((entry) => entry.isFile());
    const contents = files.map(({ parentPath, name: file }) =>
      readFile(join(parentPath, file), 'utf8'),
    );
    const { status, stdout, stderr } = ended;
    return {
      status,
      files: files.length,
      text: [stdout, stderr, ...(await Promise.all(contents))].join('\n'),
    };
  }

  function assertSilent(text: string, secrets: readonly string[] = []): void {
    for (const secret of [mark, sandbox().token, ...secrets]) {
      const at = text.indexOf(secret);
      assert.ok(at < 0, `… ${text.slice(Math.max(0, at - 200), at + 80)} …`);
    }
  }

  for (const format of ['terminal', 'json', 'junit']) {
    it(`by a run with a token that prints ${format}`, async () => {
      const access = { ...trusted(), user: { token: sandbox().token } };
      const args = ['--namespace', 'vault', '--format', format];
      const { status, files, text } = await traces(format, access, ...args);
      assert.equal(status, 0);
      assert.equal(files, 3);
      assert.match(text, /no startup probe/);
      assertSilent(text);
    });
  }

  it('by a run with a client certificate that may do nothing', async () => {
    const { certificate, key } = sandbox().clientCertificate('nobody');
    const data = Buffer.from(key).toString('base64');
    const user = {
      'client-certificate-data': Buffer.from(certificate).toString('base64'),
      'client-key-data': data,
    };
    const { status, text } = await traces('certificate', { ...trusted(), user });
    assert.equal(status, 2);
    assert.match(text, /User "nobody" cannot list/);
    assertSilent(text, [...key.split('\n').filter((line) => line.length > 20), data]);
  });

  it('by a run whose token is refused', async () => {
    const token = `${mark}-token`;
    const { status, text } = await traces('refused', { ...trusted(), user: { token } });
    assert.equal(status, 2);
    assert.match(text, /401/);
    assertSilent(text);
  });

  it('by a run that reaches no server', async () => {
    const [port] = await freePorts(1);
    const access = {
      server: `https://127.0.0.1:${port}`,
      cluster: { 'proxy-url': `http://user:${mark}-proxy@127.0.0.1:${port}` },
      user: { token: `${mark}-token` },
    };
    const { status, text } = await traces('nowhere', access, '--timeout', '2s');
    assert.equal(status, 2);
    assertSilent(text);
  });

  it('by a run that does not trust the server', async () => {
    const access = { server: sandbox().server, user: { token: sandbox().token } };
    const { status, text } = await traces('stranger', access);
    assert.equal(status, 2);
    assertSilent(text);
  });

  it('by a run whose kubeconfig cannot be read', async () => {
    const broken = kubeconfig({ ...trusted(), user: { token: `${mark}-token` } });
    for (const text of [broken.slice(0, -3), broken.replace('"token":', '"token":[],"token":')]) {
      const found = await traces('broken', text);
      assert.equal(found.status, 2);
      assertSilent(found.text);
    }
  });

  it('by a run whose credential plugin fails', async () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'sh',
      args: ['-c', `echo ${mark}-output; echo ${mark}-complaint >&2; exit 1`],
      env: [{ name: 'PASSWORD', value: `${mark}-plugin` }],
      interactiveMode: 'Never',
    };
    const { status, text } = await traces('plugin', { ...trusted(), user: { exec } });
    assert.equal(status, 2);
    assertSilent(text);
  });
});
