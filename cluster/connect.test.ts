import assert from 'node:assert/strict';
import { access, chmod, readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { KnownError } from '../core/errors.ts';
import { createAuthority } from '../sandbox/certificates.ts';
import type { Access, How } from '../test/kubeconfigs.ts';
import { connectTo } from '../test/kubeconfigs.ts';
import { answer, inTurn, standIn } from '../test/stand-in.ts';
import { connectProxy } from '../test/tunnels.ts';
import { workspace } from '../test/workspace.ts';
import type { Connection } from './connect.ts';

const authority = createAuthority('connect-test');
const { certificate: cert, key } = authority.serving(['127.0.0.1', 'localhost']);
const trusted = {
  'certificate-authority-data': Buffer.from(authority.certificate).toString('base64'),
};
const secret = 'eyJhbGciOiJSUzI1NiJ9.secret';

const get = (connection: Connection, path = '/version') =>
  connection.get(path, 'application/json', AbortSignal.timeout(10_000));
const secure = (listener: RequestListener = answer(200)) => standIn(listener, { cert, key });
const authorizations = (requests: readonly IncomingMessage[]) =>
  requests.map(({ headers }) => headers.authorization);

/** Who asks for a certificate, and says whose it is. */
const mutual = { cert, key, ca: authority.certificate, requestCert: true };
const greeting: RequestListener = ({ socket }, response) => {
  const peer = socket instanceof TLSSocket ? socket.getPeerCertificate() : undefined;
  response.end(peer?.subject.CN);
};

/** One clear error that a person can act on, and no secret anywhere in it. */
const refuses = async (access: Access, expected: RegExp, how: How = {}) => {
  await assert.rejects(connectTo(access, how), (error) => {
    assert.ok(error instanceof KnownError, inspect(error));
    assert.equal(error.code, 'KUBECONFIG');
    assert.match(error.message, expected);
    const shown = inspect(error, { depth: 9, showHidden: true });
    assert.ok(!/eyJ|secret/.test(shown), shown);
    return true;
  });
};

describe('connect', () => {
  let directory: Awaited<ReturnType<typeof workspace>>;
  beforeEach(async () => {
    directory = await workspace();
  });
  afterEach(() => directory[Symbol.asyncDispose]());

  /** A credential plugin: a shell script that counts its runs. */
  const plugin = async (script: string) => {
    const counted = `#!/bin/sh\necho run >> '${directory.path}/runs'\n${script}\n`;
    const command = await directory.write('plugin', counted);
    await chmod(command, 0o755);
    return { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never', command };
  };
  const runs = async () =>
    (await readFile(join(directory.path, 'runs'), 'utf8')).trim().split('\n').length;
  const credential = (status: object) =>
    JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status,
    });

  describe('sends', () => {
    it('its requests below the path of the server', async () => {
      await using server = await standIn(answer(200));
      await using connection = await connectTo({ server: `${server.server}/clusters/x/` });
      await get(connection, '/api/v1/pods?limit=1');
      assert.equal(server.requests[0]?.url, '/clusters/x/api/v1/pods?limit=1');
      assert.equal(connection.server, `${server.server}/clusters/x/`);
      assert.equal(connection.name, 'test');
    });

    it('what it accepts, and who it is', async () => {
      await using server = await standIn(answer(200));
      await using connection = await connectTo({ server: server.server });
      await get(connection);
      const { accept, 'user-agent': agent } = server.requests[0]?.headers ?? {};
      assert.deepEqual([accept, agent], ['application/json', 'ha-compliance']);
    });

    it('a user name and a password as one header', async () => {
      await using server = await secure();
      const users = [
        [{ username: 'ann', password: 'p:w' }, 'ann:p:w'],
        [{ username: 'ann' }, 'ann:'],
        [{ username: 'bücher', password: 'ß' }, 'bücher:ß'],
      ] as const;
      for (const [user, expected] of users) {
        await using connection = await connectTo({ server: server.server, cluster: trusted, user });
        await get(connection);
        const header = server.requests.at(-1)?.headers.authorization ?? '';
        const [scheme, encoded = ''] = header.split(' ');
        assert.equal(scheme, 'Basic');
        assert.equal(Buffer.from(encoded, 'base64').toString('utf8'), expected);
      }
    });

    it('no credentials over plain HTTP, but whom to impersonate', async () => {
      await using server = await standIn(answer(200));
      const users = [
        { token: secret },
        { username: 'ann', password: secret },
        { exec: await plugin('exit 1') },
        { tokenFile: '/absent' },
      ];
      for (const user of users) {
        await using connection = await connectTo({
          server: server.server,
          user: { ...user, as: 'jane' },
        });
        await get(connection);
        const { authorization, 'impersonate-user': as } = server.requests.at(-1)?.headers ?? {};
        assert.deepEqual([authorization, as], [undefined, 'jane']);
      }
      await assert.rejects(access(join(directory.path, 'runs')));
    });

    it('each group and each value of an extra field in a header of its own', async () => {
      await using server = await standIn(answer(200));
      const user = {
        as: 'jane',
        'as-uid': '7',
        'as-groups': ['ops', 'dev'],
        'as-user-extra': { 'example.com/Team': ['a', 'b'] },
      };
      await using connection = await connectTo({ server: server.server, user });
      await get(connection);
      const { headersDistinct: headers } = server.requests[0] ?? {};
      assert.deepEqual(headers?.['impersonate-user'], ['jane']);
      assert.deepEqual(headers?.['impersonate-uid'], ['7']);
      assert.deepEqual(headers?.['impersonate-group'], ['ops', 'dev']);
      assert.deepEqual(headers?.['impersonate-extra-example.com%2fteam'], ['a', 'b']);
    });
  });

  describe('with certificates', () => {
    it('takes data rather than a file beside it', async () => {
      await using server = await standIn(greeting, mutual);
      const base64 = (pem: string) => Buffer.from(pem).toString('base64');
      const ann = authority.client('ann');
      await using connection = await connectTo({
        server: server.server,
        cluster: { ...trusted, 'certificate-authority': '/absent' },
        user: {
          'client-certificate': '/absent',
          'client-certificate-data': base64(ann.certificate),
          'client-key': '/absent',
          'client-key-data': base64(ann.key),
        },
      });
      assert.equal((await get(connection)).body.toString(), 'ann');
    });

    const base64 = Buffer.from(secret).toString('base64');
    const server = 'https://127.0.0.1:1';
    it('refuses what is no certificate before the first request', async () => {
      const user = { 'client-certificate-data': base64, 'client-key-data': base64 };
      await refuses({ server, user }, /^context "test": certificates cannot be used: .*PEM/);
    });

    it('names the file that it cannot read', async () => {
      const absent = { 'client-certificate': '/absent/ann.crt', 'client-key': '/absent/ann.key' };
      const expected = /^context "test": credentials cannot be had: ENOENT: .*\/absent\/ann\.crt/;
      await refuses({ server, user: absent }, expected);
      const cluster = { 'certificate-authority': '/absent/ca.crt' };
      await refuses({ server, cluster }, /ENOENT: .*\/absent\/ca\.crt/);
      const exec = { ...(await plugin('exit 1')), provideClusterInfo: true };
      await refuses(
        { server, cluster, user: { exec } },
        /^certificate-authority \/absent\/ca\.crt: cannot be read$/,
      );
    });
  });

  it('refuses a server that is not an http or https URL', async () => {
    for (const server of [
      '',
      '127.0.0.1:6443',
      'localhost:6443',
      'ftp://example.com',
      'https://',
    ]) {
      await refuses({ server }, /^context "test": server is not an https or http URL$/);
    }
  });

  describe('with a plugin', () => {
    it('sends its token, and tells it what it is called for', async () => {
      await using server = await secure();
      const script = `printf '%s' "$KUBERNETES_EXEC_INFO" > '${directory.path}/info'
        printf '%s' "$1 $EXTRA" > '${directory.path}/given'
        echo '${credential({ token: 'of-plugin' })}'`;
      const exec = {
        ...(await plugin(script)),
        args: ['first'],
        env: [{ name: 'EXTRA', value: 'more' }],
        provideClusterInfo: true,
      };
      const cluster = { ...trusted, 'tls-server-name': 'localhost' };
      await using connection = await connectTo({ server: server.server, cluster, user: { exec } });
      await get(connection);
      await get(connection);
      assert.deepEqual(authorizations(server.requests), ['Bearer of-plugin', 'Bearer of-plugin']);
      assert.equal(await runs(), 1);
      assert.equal(await readFile(join(directory.path, 'given'), 'utf8'), 'first more');
      assert.deepEqual(JSON.parse(await readFile(join(directory.path, 'info'), 'utf8')), {
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        spec: { interactive: false, cluster: { server: server.server, ...cluster } },
      });
    });

    it('tells it of a CA file by its content, and by default of no cluster at all', async () => {
      await using server = await secure();
      const ca = await directory.write('ca.crt', authority.certificate);
      const script = `printf '%s' "$KUBERNETES_EXEC_INFO" > '${directory.path}/info'
        echo '${credential({ token: 'of-plugin' })}'`;
      const exec = { ...(await plugin(script)), apiVersion: undefined };
      const cluster = { 'certificate-authority': ca };
      const info = async () =>
        JSON.parse(await readFile(join(directory.path, 'info'), 'utf8')) as {
          apiVersion: string;
          spec: { cluster?: object };
        };
      await using _ = await connectTo({ server: server.server, cluster, user: { exec } });
      assert.deepEqual((await info()).spec, { interactive: false });
      assert.equal((await info()).apiVersion, 'client.authentication.k8s.io/v1');
      const user = { exec: { ...exec, provideClusterInfo: true } };
      await using __ = await connectTo({ server: server.server, cluster, user });
      assert.deepEqual((await info()).spec.cluster, { server: server.server, ...trusted });
    });

    it('shows the certificate that it gives', async () => {
      await using server = await standIn(greeting, mutual);
      const ann = authority.client('ann');
      const given = { clientCertificateData: ann.certificate, clientKeyData: ann.key };
      const file = await directory.write('credential', credential(given));
      const user = { exec: await plugin(`cat '${file}'`) };
      await using connection = await connectTo({ server: server.server, cluster: trusted, user });
      assert.equal((await get(connection)).body.toString(), 'ann');
    });

    it('asks it again when its credential has expired, once for all requests', async () => {
      await using server = await secure();
      const expirationTimestamp = '2020-01-01T00:00:00Z';
      const exec = await plugin(
        `sleep 0.1; echo '${credential({ token: 'short', expirationTimestamp })}'`,
      );
      await using connection = await connectTo({
        server: server.server,
        cluster: trusted,
        user: { exec },
      });
      assert.equal(await runs(), 1);
      await Promise.all([get(connection), get(connection), get(connection)]);
      assert.equal(await runs(), 2);
      const later = new Date(Date.now() + 60_000).toISOString();
      await plugin(`echo '${credential({ token: 'long', expirationTimestamp: later })}'`);
      await get(connection);
      await get(connection);
      assert.equal(await runs(), 3);
      assert.deepEqual(authorizations(server.requests).slice(3), ['Bearer long', 'Bearer long']);
    });

    const broken = {
      'fails with many words': `echo "no: ${secret}" >&2; exit 1`,
      'prints a bare token': `echo ${secret}`,
      'prints half a credential': `echo '${credential({ token: secret }).slice(0, -5)}'`,
      'prints something else': `echo '{"token":"${secret}"}'`,
      'prints nothing': '',
    };
    for (const [what, script] of Object.entries(broken)) {
      it(`does not repeat what one says that ${what}`, async () => {
        const user = { exec: await plugin(script) };
        const expected = /^context "test": credentials cannot be had: the plugin plugin failed;/;
        await refuses({ server: 'https://127.0.0.1:1', user }, expected);
      });
    }

    it('does not repeat what a provider of old says either', async () => {
      const config = { 'access-token': secret, 'expires-on': '0' };
      const user = { 'auth-provider': { name: 'azure', config } };
      await refuses({ server: 'https://127.0.0.1:1', user }, /: the plugin azure failed;/);
    });

    it('says that there is none', async () => {
      const exec = {
        command: '/absent/plugin',
        args: [secret],
        env: [{ name: 'T', value: secret }],
      };
      const expected = /credentials cannot be had: spawn \/absent\/plugin ENOENT$/;
      await refuses({ server: 'https://127.0.0.1:1', user: { exec } }, expected);
    });

    it('does not wait for it longer than a request may take', async () => {
      await using server = await secure();
      const expirationTimestamp = '2020-01-01T00:00:00Z';
      const exec = await plugin(`echo '${credential({ token: 'short', expirationTimestamp })}'`);
      await using connection = await connectTo({
        server: server.server,
        cluster: trusted,
        user: { exec },
      });
      await plugin('sleep 2');
      const started = performance.now();
      const soon = AbortSignal.timeout(50);
      await assert.rejects(connection.get('/', 'text/plain', soon), /timeout/i);
      await assert.rejects(connection.get('/', 'text/plain', AbortSignal.abort()), /abort/i);
      assert.ok(performance.now() - started < 1500);
    });
  });

  describe('after a 401', () => {
    const unauthorized = answer(401, { kind: 'Status' });
    /** Takes some tokens and no others. */
    const accepting =
      (tokens: readonly string[]): RequestListener =>
      (request, response) => {
        const isKnown = tokens.includes(request.headers.authorization ?? '');
        (isKnown ? answer(200) : unauthorized)(request, response);
      };

    it('reads a rotated token file and asks again', async () => {
      const accepted = ['Bearer one'];
      await using server = await secure(accepting(accepted));
      const tokenFile = await directory.write('token', 'one\n');
      const user = { tokenFile };
      await using connection = await connectTo({ server: server.server, cluster: trusted, user });
      assert.equal((await get(connection)).status, 200);
      accepted[0] = 'Bearer two';
      await directory.write('token', 'two\n\n');
      assert.equal((await get(connection)).status, 200);
      assert.deepEqual(authorizations(server.requests), ['Bearer one', 'Bearer one', 'Bearer two']);
      accepted[0] = 'Bearer three';
      await directory.write('token', 'three');
      assert.equal((await get(connection)).status, 200);
    });

    it('renews credentials once for all requests that were refused', async () => {
      const accepted = ['Bearer one'];
      await using server = await secure(accepting(accepted));
      const file = await directory.write('credential', credential({ token: 'one' }));
      const exec = await plugin(`sleep 0.05; cat '${file}'`);
      await using connection = await connectTo({
        server: server.server,
        cluster: trusted,
        user: { exec },
      });
      await get(connection);
      accepted[0] = 'Bearer two';
      await directory.write('credential', credential({ token: 'two' }));
      const answers = await Promise.all([1, 2, 3].map(() => get(connection)));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      );
      assert.equal(await runs(), 2);
    });

    it('takes the second for the last word, and does not run a plugin for every request', async () => {
      await using server = await secure(unauthorized);
      const exec = await plugin(`echo '${credential({ token: 'bad' })}'`);
      await using connection = await connectTo({
        server: server.server,
        cluster: trusted,
        user: { exec },
      });
      for (const _ of [1, 2, 3]) assert.equal((await get(connection)).status, 401);
      assert.equal(server.requests.length, 6);
      assert.equal(await runs(), 2);
    });

    it('takes new credentials for good once they were accepted', async () => {
      const answers = [unauthorized, answer(200), answer(401), answer(200)] as const;
      await using server = await secure(inTurn(...answers));
      const exec = await plugin(`echo '${credential({ token: 'any' })}'`);
      await using connection = await connectTo({
        server: server.server,
        cluster: trusted,
        user: { exec },
      });
      assert.equal((await get(connection)).status, 200);
      assert.equal((await get(connection)).status, 200);
      assert.equal(await runs(), 3);
    });

    it('fails alike for all when there are no new credentials', async () => {
      const accepted = ['Bearer one'];
      await using server = await secure(accepting(accepted));
      const exec = await plugin(`echo '${credential({ token: 'one' })}'`);
      await using connection = await connectTo({
        server: server.server,
        cluster: trusted,
        user: { exec },
      });
      await get(connection);
      accepted[0] = 'none';
      await plugin('exit 1');
      for (const _ of [1, 2]) await assert.rejects(get(connection), /the plugin plugin failed/);
      assert.equal(await runs(), 2);
    });
  });

  describe('through a proxy', () => {
    const server = 'https://api.example.com:6443';

    it('refuses one whose address is none, without repeating its password', async () => {
      const expected =
        /^context "test": the address of its proxy is not an http, https or socks URL$/;
      const addresses = [
        `http://u:${secret}%@:0x`,
        `ftp://u:${secret}@proxy`,
        `socks5://u:${secret}@:x`,
      ];
      for (const address of [...addresses, `http://u%zz:${secret}@proxy`]) {
        await refuses({ server, cluster: { 'proxy-url': address } }, expected);
        await refuses({ server }, expected, { env: { HTTPS_PROXY: address } });
      }
    });

    it('shows its own credentials to it', async () => {
      await using target = await secure();
      await using proxy = await connectProxy(Number(new URL(target.server).port));
      const cluster = {
        ...trusted,
        'tls-server-name': 'localhost',
        'proxy-url': `http://us%40er:pass@127.0.0.1:${proxy.port}`,
      };
      await using connection = await connectTo({ server, cluster });
      assert.equal((await get(connection)).status, 200);
      const basic = Buffer.from('us@er:pass').toString('base64');
      assert.deepEqual(proxy.targets, [`api.example.com:6443 Basic ${basic}`]);
    });

    it('asks for plain HTTP without a tunnel, which proxies refuse to other ports than 443', async () => {
      await using proxy = await connectProxy(0);
      const how = { env: { HTTP_PROXY: `127.0.0.1:${proxy.port}` } };
      await using connection = await connectTo({ server: 'http://api.example.com:8080' }, how);
      await get(connection, '/version');
      assert.deepEqual(proxy.targets, ['http://api.example.com:8080/version']);
    });
  });
});
