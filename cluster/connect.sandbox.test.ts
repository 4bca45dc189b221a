import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { MissingError } from '../core/errors.ts';
import { kindNames } from '../core/kinds.ts';
import { createAuthority } from '../sandbox/certificates.ts';
import type { Access, How } from '../test/kubeconfigs.ts';
import { connectTo } from '../test/kubeconfigs.ts';
import { sharedSandbox } from '../test/shared-sandbox.ts';
import { connectProxy, relay, socksProxy } from '../test/tunnels.ts';
import { workspace } from '../test/workspace.ts';
import type { Connection } from './connect.ts';
import { gather } from './gather.ts';
import { asker, defaultLimits } from './request.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const nodes = '/api/v1/nodes?limit=1';
const signal = () => AbortSignal.timeout(20_000);
const get = (connection: Connection, path = nodes) =>
  connection.get(path, 'application/json', signal());

describe('connect to a real API server', () => {
  const sandbox = sharedSandbox('ha');
  let directory: Awaited<ReturnType<typeof workspace>>;
  beforeEach(async () => {
    directory = await workspace();
  });
  afterEach(() => directory[Symbol.asyncDispose]());

  const port = () => Number(new URL(sandbox().server).port);
  const trusted = () => ({ 'certificate-authority-data': base64(sandbox().authority) });
  const as = (user: object): Access => ({ server: sandbox().server, cluster: trusted(), user });
  const administrator = () => as({ token: sandbox().token });
  /** The status of a request that few may make, and whom the server takes us for when it refuses. */
  const outcome = async (access: Access, how: How = {}) => {
    await using connection = await connectTo(access, how);
    const { status, body } = await get(connection);
    const user = /User \\"([^"]*)\\"/.exec(body.toString())?.[1];
    return user === undefined ? status : `${status} ${user}`;
  };

  describe('as', () => {
    it('nobody in particular', async () => {
      assert.equal(await outcome(as({})), '403 system:anonymous');
    });

    it('who has a token', async () => {
      assert.equal(await outcome(administrator()), 200);
      assert.equal(await outcome(as({ token: 'unknown' })), 401);
    });

    it('who has a certificate, in a file or in the kubeconfig', async () => {
      const ann = sandbox().clientCertificate('ann');
      const root = sandbox().clientCertificate('root', ['system:masters']);
      const inline = {
        'client-certificate-data': base64(root.certificate),
        'client-key-data': base64(root.key),
      };
      assert.equal(await outcome(as(inline)), 200);
      const files = {
        'client-certificate': await directory.write('ann.crt', ann.certificate),
        'client-key': await directory.write('ann.key', ann.key),
      };
      assert.equal(await outcome(as(files)), '403 ann');
    });

    it('nobody with a certificate of another cluster', async () => {
      const stranger = createAuthority('other').client('root', ['system:masters']);
      const user = {
        'client-certificate-data': base64(stranger.certificate),
        'client-key-data': base64(stranger.key),
      };
      assert.equal(await outcome(as(user)), 401);
    });

    it('who has a token in a file that ends with a line feed and is rotated', async () => {
      const tokenFile = await directory.write('token', 'expired\n');
      await using connection = await connectTo(as({ tokenFile }));
      await directory.write('token', `${sandbox().token}\n`);
      assert.equal((await get(connection)).status, 200);
    });

    it('whom a plugin names', async () => {
      const credential = JSON.stringify({
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        status: { token: sandbox().token },
      });
      const command = await directory.write('plugin', `#!/bin/sh\necho '${credential}'\n`);
      await chmod(command, 0o755);
      const exec = { apiVersion: 'client.authentication.k8s.io/v1', command };
      assert.equal(await outcome(as({ exec })), 200);
    });

    it('somebody else, in other groups', async () => {
      const impersonating = (options: How['options'] & object) =>
        outcome(administrator(), { options });
      assert.equal(await impersonating({ as: 'jane' }), '403 jane');
      assert.equal(await impersonating({ as: 'jane', asGroups: ['dev', 'system:masters'] }), 200);
      const ann = sandbox().clientCertificate('ann');
      const user = {
        'client-certificate-data': base64(ann.certificate),
        'client-key-data': base64(ann.key),
      };
      assert.equal(await outcome(as(user), { options: { as: 'jane' } }), '403 ann');
    });
  });

  describe('by TLS', () => {
    /** The error of an attempt that is not repeated: what is not trusted now will not be soon. */
    const failure = async (access: Access) => {
      await using connection = await connectTo(access);
      const ask = asker(connection, { ...defaultLimits, signal: signal() });
      const started = performance.now();
      const error = await ask(nodes, 'application/json').catch((error: unknown) => error);
      assert.ok(error instanceof MissingError);
      assert.equal(error.missing, 'unavailable');
      assert.ok(performance.now() - started < 10_000, 'it was repeated');
      return error.message;
    };
    const user = () => ({ token: sandbox().token });

    it('refuses a certificate of an unknown authority', async () => {
      const other = { 'certificate-authority-data': base64(createAuthority('other').certificate) };
      const unknown = { server: sandbox().server, user: user() };
      assert.match(await failure(unknown), /UNABLE_TO_VERIFY_LEAF_SIGNATURE/);
      assert.match(await failure({ ...unknown, cluster: other }), /VERIFY_LEAF_SIGNATURE/);
      assert.equal(
        await outcome({ ...unknown, cluster: { 'insecure-skip-tls-verify': true } }),
        200,
      );
    });

    it('refuses a certificate for another name, unless it is the one to expect', async () => {
      const expecting = (name: string) => ({
        ...administrator(),
        cluster: { ...trusted(), 'tls-server-name': name },
      });
      assert.match(await failure(expecting('api.example.com')), /ERR_TLS_CERT_ALTNAME_INVALID/);
      assert.equal(await outcome(expecting('kubernetes.default.svc')), 200);
    });

    it('says that a server does not speak it', async () => {
      await using plain = await connectProxy(0);
      const server = `https://127.0.0.1:${plain.port}`;
      assert.match(await failure({ server }), /ERR_SSL|ECONNRESET|EPROTO/);
    });

    it('trusts the authority of a file', async () => {
      const cluster = { 'certificate-authority': sandbox().files.ca };
      assert.equal(await outcome({ ...administrator(), cluster }), 200);
    });
  });

  describe('through', () => {
    // Not one of the addresses that are never proxied, and on Linux this machine all the same.
    const here = '0.0.0.0';
    const away = (host: string): Access => ({
      ...administrator(),
      server: `https://${host}:${port()}`,
      cluster: { ...trusted(), 'tls-server-name': 'localhost' },
    });

    it('the proxy of the environment', async () => {
      await using proxy = await connectProxy(port());
      const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
      assert.equal(await outcome(away('api.example.com'), { env }), 200);
      assert.deepEqual(proxy.targets, [`api.example.com:${port()}`]);
    });

    it('no proxy where NO_PROXY says so', async () => {
      await using proxy = await connectProxy(port());
      const env = { HTTPS_PROXY: `127.0.0.1:${proxy.port}` };
      assert.equal(await outcome(away(here), { env: { ...env, NO_PROXY: '0.0.0.0/8' } }), 200);
      assert.deepEqual(proxy.targets, []);
      assert.equal(await outcome(away(here), { env: { ...env, NO_PROXY: '10.0.0.0/8' } }), 200);
      assert.deepEqual(proxy.targets, [`${here}:${port()}`]);
    });

    it('the proxy of the cluster, whatever the environment says', async () => {
      await using proxy = await connectProxy(port());
      await using other = await connectProxy(port());
      const access = away('api.example.com');
      const cluster = { ...access.cluster, 'proxy-url': `http://127.0.0.1:${proxy.port}` };
      const env = { HTTPS_PROXY: `http://127.0.0.1:${other.port}`, NO_PROXY: '*' };
      assert.equal(await outcome({ ...access, cluster }, { env }), 200);
      assert.deepEqual([proxy.targets.length, other.targets.length], [1, 0]);
    });

    it('a proxy without trusting whom it leads to', async () => {
      await using proxy = await connectProxy(port());
      const access = { ...away('api.example.com'), cluster: trusted() };
      const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
      await using connection = await connectTo(access, { env });
      await assert.rejects(get(connection), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    });

    for (const scheme of ['socks5', 'socks5h']) {
      it(`a ${scheme} proxy`, async () => {
        await using proxy = await socksProxy(port());
        const access = away('api.example.com');
        const cluster = { ...access.cluster, 'proxy-url': `${scheme}://127.0.0.1:${proxy.port}` };
        assert.equal(await outcome({ ...access, cluster }), 200);
        assert.deepEqual(proxy.targets, [`api.example.com:${port()}`]);
      });
    }

    it('a proxy that refuses, which is said at once', async () => {
      await using proxy = await connectProxy(port(), 403);
      const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
      await using connection = await connectTo(away('api.example.com'), { env });
      const ask = asker(connection, { ...defaultLimits, signal: signal() });
      await assert.rejects(ask(nodes, 'application/json'), {
        name: 'MissingError',
        missing: 'unavailable',
        message: /^could not be listed: Proxy response \(403\)/,
      });
      assert.equal(proxy.targets.length, 1);
    });
  });

  it('opens no more connections than there are requests at a time', async () => {
    await using counted = await relay(port());
    const access = { ...administrator(), server: `https://127.0.0.1:${counted.port}` };
    await using connection = await connectTo(access);
    const snapshot = await gather(connection, { kinds: kindNames, signal: signal() });
    assert.equal(snapshot.complete, true);
    const { length } = counted.targets;
    assert.ok(length > 0 && length <= defaultLimits.concurrency, String(length));
  });

  it('speaks HTTP/1.1 although the server offers HTTP/2', async () => {
    await using connection = await connectTo(administrator());
    const { headers } = await get(connection, '/api/v1/pods');
    assert.equal(headers['transfer-encoding'], 'chunked', 'HTTP/2 has no such header');
  });
});
