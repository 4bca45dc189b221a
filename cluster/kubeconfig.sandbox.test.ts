import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener } from 'node:http';
import { delimiter, join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { after, before, describe, it } from 'mocha';
import { findBinary } from '../sandbox/binaries.ts';
import { createAuthority } from '../sandbox/certificates.ts';
import { run } from '../sandbox/run.ts';
import type { StandIn } from '../test/stand-in.ts';
import { standIn } from '../test/stand-in.ts';
import { workspace } from '../test/workspace.ts';
import { connect } from './connect.ts';

/** What of a request says where it went, and as whom. */
interface Seen {
  readonly where: string;
  readonly url: string;
  readonly certificate: string | string[] | undefined;
  readonly headers: object;
}

function seenOf(where: string, request: IncomingMessage): Seen {
  const names = Object.entries(request.headersDistinct).filter(([name]) =>
    /^(authorization|impersonate-)/.test(name),
  );
  const { socket } = request;
  const peer = socket instanceof TLSSocket ? socket.getPeerCertificate() : undefined;
  return {
    where,
    url: request.url ?? '',
    certificate: peer?.subject?.CN,
    headers: Object.fromEntries(names),
  };
}

describe('a kubeconfig, as kubectl reads it', () => {
  const authority = createAuthority('kubeconfig-test');
  const { certificate: cert, key } = authority.serving(['127.0.0.1']);
  const tls = { cert, key, requestCert: true, rejectUnauthorized: false };
  let kubectl = '';
  let directory: Awaited<ReturnType<typeof workspace>>;
  const servers: Record<string, StandIn> = {};
  let seen: Seen[] = [];
  before(async function () {
    this.timeout(1_200_000); // Built on the first run.
    kubectl = await findBinary('kubectl', {
      env: process.env,
      progress: (line) => void process.stderr.write(`${line}\n`),
    });
    for (const where of ['east', 'west', 'plain']) {
      const noting: RequestListener = (request, response) => {
        seen.push(seenOf(where, request));
        response.end('{}');
      };
      servers[where] = await standIn(noting, where === 'plain' ? undefined : tls);
    }
    directory = await workspace();
    const ann = authority.client('ann');
    await directory.write('ca.crt', authority.certificate);
    await directory.write('ann.crt', ann.certificate);
    await directory.write('ann.key', ann.key);
    await directory.write('token', 'token-of-file\n');
  });
  after(async () => {
    await directory?.[Symbol.asyncDispose]();
    for (const server of Object.values(servers)) await server[Symbol.asyncDispose]();
  });

  /** What came because of this, or that nothing could be sent. */
  const sentBy = async (send: () => Promise<unknown>) => {
    seen = [];
    const error = await send().catch((error: unknown) => error);
    assert.equal(seen.length > 0, !(error instanceof Error), String(error));
    return seen.at(-1) ?? 'nothing';
  };

  const east = { 'certificate-authority': 'ca.crt' };
  const ann = { token: 'token-of-ann' };
  const config = (user: object, { server = '', current = 'one' } = {}) => ({
    clusters: [
      { name: 'east', cluster: { server: server || servers['east']?.server, ...east } },
      { name: 'west', cluster: { server: servers['west']?.server, ...east } },
    ],
    users: [
      { name: 'ann', user },
      { name: 'bob', user: { token: 'token-of-bob' } },
    ],
    contexts: [
      { name: 'one', context: { cluster: 'east', user: 'ann' } },
      { name: 'other', context: { cluster: 'west', user: 'bob' } },
      { name: 'nowhere', context: { user: 'bob' } },
    ],
    'current-context': current,
  });
  const kept = { ...ann, as: 'kept', 'as-uid': '7', 'as-groups': ['staff', 'dev'] };
  const extra = { 'as-user-extra': { 'Team/x': ['one', 'two'] } };
  const only = (user: object) => ({ users: [{ name: 'ann', user }] });
  const plain = () => ({ server: servers['plain']?.server ?? '' });

  type Case = readonly [
    files: () => Record<string, unknown>,
    options?: Record<string, string | string[]>,
  ];
  const cases: Readonly<Record<string, Case>> = {
    'the current context': [() => ({ a: config(ann) })],
    'another context': [() => ({ a: config(ann) }), { context: 'other' }],
    'another cluster': [() => ({ a: config(ann) }), { cluster: 'west' }],
    'another user': [() => ({ a: config(ann) }), { user: 'bob' }],
    'an unknown context': [() => ({ a: config(ann) }), { context: 'gone' }],
    'an unknown cluster': [() => ({ a: config(ann) }), { cluster: 'gone' }],
    'an unknown user': [() => ({ a: config(ann) }), { user: 'gone' }],
    'an empty context': [() => ({ a: config(ann) }), { context: '' }],
    'a cluster for a context without one': [
      () => ({ a: config(ann) }),
      { context: 'nowhere', cluster: 'east' },
    ],
    'a current context that is not there': [() => ({ a: config(ann, { current: 'gone' }) })],
    'the same, with a cluster and a user': [
      () => ({ a: config(ann, { current: 'gone' }) }),
      { cluster: 'east', user: 'ann' },
    ],
    'no current context, but a cluster and a user': [
      () => ({ a: config(ann, { current: '' }) }),
      { cluster: 'east', user: 'bob' },
    ],
    'a user': [() => ({ a: config(ann) }), { as: 'jane' }],
    'a user and groups': [() => ({ a: config(ann) }), { as: 'jane', 'as-group': ['ops', 'dev'] }],
    'groups alone': [() => ({ a: config(ann) }), { 'as-group': ['ops'] }],
    'impersonation by file': [() => ({ a: config({ ...kept, ...extra }) })],
    'a user over the one in the file': [
      () => ({ a: config({ ...kept, ...extra }) }),
      { as: 'jane' },
    ],
    'groups over those in the file': [() => ({ a: config(kept) }), { 'as-group': ['ops'] }],
    'groups alone in the file': [() => ({ a: config({ ...ann, 'as-groups': ['staff'] }) })],
    'plain HTTP, which gets no credentials': [() => ({ a: config(kept, plain()) })],
    'a user name and a password': [() => ({ a: config({ username: 'ann', password: 'p:w' }) })],
    'a user name without a password': [() => ({ a: config({ username: 'ann' }) })],
    'a client certificate': [
      () => ({ a: config({ 'client-certificate': 'ann.crt', 'client-key': 'ann.key' }) }),
    ],
    'a token file': [() => ({ a: config({ tokenFile: 'token' }) })],
    'a token file beside a token': [() => ({ a: config({ ...ann, tokenFile: 'token' }) })],
    'a token file that is not there': [() => ({ a: config({ tokenFile: 'absent' }) })],
    'a token beside a plugin, which does not run': [
      () => ({ a: config({ ...ann, exec: plugin('./absent') }) }),
    ],
    'a plugin that is not there': [() => ({ a: config({ exec: plugin('./absent') }) })],
    'a token that is null': [() => ({ a: config({ ...ann, tokenFile: null, 'as-groups': null }) })],
    'a token that is a number': [() => ({ a: config({ token: 12345 }) })],
    'two files with a user each': [() => ({ b: only({ token: 'first' }), a: config(ann) })],
    'the same in the other order': [() => ({ a: config(ann), b: only({ token: 'first' }) })],
    'two kinds of credentials in two files': [
      () => ({ b: only({ username: 'first' }), a: config(ann) }),
    ],
    'two current contexts': [() => ({ b: { 'current-context': 'other' }, a: config(ann) })],
    'two files of which one is missing': [() => ({ absent: undefined, a: config(ann) })],
    'two files of which one is empty': [() => ({ b: '', a: config(ann) })],
    'two files of which one is broken': [() => ({ a: config(ann), b: 'users: [' })],
    'two files of which one is a text': [() => ({ a: config(ann), b: 'text' })],
    'two files of which one is a list': [() => ({ a: config(ann), b: '[]' })],
    'two files of which one has nothing but nulls': [
      () => ({ b: { clusters: null, users: null, contexts: null }, a: config(ann) }),
    ],
    'two users of one name': [
      () => ({ a: { ...config(ann), users: [...only(ann).users, ...only(kept).users] } }),
    ],
    'several documents': [
      () => ({ a: `${JSON.stringify(config(ann))}\n---\ncurrent-context: other\n` }),
    ],
  };
  const plugin = (command: string) => ({
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
    command,
  });

  for (const [name, [files, options = {}]] of Object.entries(cases)) {
    it(`takes ${name} as kubectl does`, async () => {
      const paths: string[] = [];
      for (const [file, content] of Object.entries(files())) {
        const text = typeof content === 'string' ? content : JSON.stringify(content);
        if (text !== undefined) await directory.write(file, text);
        paths.push(join(directory.path, file));
      }
      const env = { HOME: directory.path, KUBECONFIG: paths.join(delimiter) };
      const flags = Object.entries(options).flatMap(([option, value]) =>
        [value].flat().map((single) => `--${option}=${single}`),
      );
      const theirs = await sentBy(() =>
        run(kubectl, ['get', '--raw', '/probe', ...flags], { env }),
      );
      const ours = await sentBy(async () => {
        const { 'as-group': asGroups, ...others } = options;
        const signal = AbortSignal.timeout(10_000);
        const connection = await connect(
          { ...others, ...(asGroups && { asGroups: [asGroups].flat() }) },
          env,
          signal,
        );
        await connection.get('/probe', 'application/json', signal).finally(connection.close);
      });
      assert.deepEqual(ours, theirs);
    });
  }
});
