import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { KnownError } from '../core/errors.ts';
import { workspace } from '../test/workspace.ts';
import type { ConnectOptions } from './kubeconfig.ts';
import { findTarget } from './kubeconfig.ts';

type Env = Record<string, string>;

const two = {
  clusters: [
    { name: 'east', cluster: { server: 'https://east.example.com' } },
    { name: 'west', cluster: { server: 'https://west.example.com' } },
  ],
  users: [
    { name: 'ann', user: { token: 'token-of-ann' } },
    { name: 'bob', user: { token: 'token-of-bob' } },
  ],
  contexts: [
    { name: 'one', context: { cluster: 'east', user: 'ann' } },
    { name: 'other', context: { cluster: 'west', user: 'bob' } },
    { name: 'nobody', context: { cluster: 'west' } },
    { name: 'nowhere', context: { user: 'bob' } },
    { name: 'broken', context: { cluster: 'north', user: 'ann' } },
    { name: 'stranger', context: { cluster: 'east', user: 'eve' } },
  ],
  'current-context': 'one',
};

describe('findTarget', () => {
  let directory: Awaited<ReturnType<typeof workspace>>;
  beforeEach(async () => {
    directory = await workspace();
  });
  afterEach(() => directory[Symbol.asyncDispose]());

  /** Writes files, by name in this directory; YAML takes JSON too. */
  const write = async (files: Record<string, unknown>) => {
    const paths: string[] = [];
    for (const [name, content] of Object.entries(files)) {
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      paths.push(await directory.write(name, text));
    }
    return paths;
  };
  const found = async (files: Record<string, unknown>, options: ConnectOptions = {}) =>
    findTarget(options, { KUBECONFIG: (await write(files)).join(delimiter) });
  const refused = (run: () => unknown, expected: RegExp) =>
    assert.throws(run, (error) => {
      assert.ok(error instanceof KnownError, inspect(error));
      assert.equal(error.code, 'KUBECONFIG');
      assert.match(error.message, expected);
      return true;
    });
  const token = ({ user }: { user: { token?: string | undefined } }) => user.token;

  it('reads the file that is named and no other', async () => {
    const [named = '', other = ''] = await write({
      named: two,
      other: { ...two, 'current-context': 'other' },
    });
    const target = findTarget({ kubeconfig: named }, { KUBECONFIG: other });
    assert.equal(target.name, 'one');
    assert.equal(target.cluster.server, 'https://east.example.com');
    assert.equal(token(target), 'token-of-ann');
  });

  it('refuses a named file that is not there, or is no file', async () => {
    const [other = ''] = await write({ other: two });
    const absent = join(directory.path, 'absent');
    const env = { KUBECONFIG: other };
    refused(() => findTarget({ kubeconfig: absent }, env), /^kubeconfig .*absent: cannot be read$/);
    refused(() => findTarget({ kubeconfig: directory.path }, env), /cannot be read$/);
  });

  it('takes an empty name for none, as a script gives that has nothing to say', async () => {
    const none = { kubeconfig: '', context: '', cluster: '', user: '', as: '', asGroups: [] };
    const target = await found({ a: two }, none);
    assert.equal(target.name, 'one');
    assert.equal(token(target), 'token-of-ann');
    assert.equal('as' in target.user, false);
  });

  it('takes from several files the first entry of a name, whole', async () => {
    const first = {
      users: [{ name: 'ann', user: { username: 'ann' } }],
      clusters: [{ name: 'east', cluster: { server: 'https://first.example.com' } }],
    };
    const target = await found({ first, second: two });
    assert.equal(target.cluster.server, 'https://first.example.com');
    assert.deepEqual(target.user.username, 'ann');
    assert.equal(target.user.token, undefined);
  });

  it('takes from several files the first current context that is set', async () => {
    const current = (name: string) => ({ 'current-context': name });
    assert.equal((await found({ a: current('other'), b: two })).name, 'other');
    assert.equal((await found({ a: current(''), b: current('nobody'), c: two })).name, 'nobody');
    assert.equal((await found({ a: two, b: current('other') })).name, 'one');
  });

  it('passes over missing files, empty names and empty files', async () => {
    const [empty = '', full = ''] = await write({ empty: '', full: two });
    const [comment = ''] = await write({ comment: '# none yet\n' });
    const absent = join(directory.path, 'absent');
    const KUBECONFIG = ['', absent, empty, comment, full, ''].join(delimiter);
    assert.equal(findTarget({}, { KUBECONFIG }).name, 'one');
  });

  it('reads ~/.kube/config where no file is named', async () => {
    await write({ '.kube/config': two });
    for (const env of [
      { HOME: directory.path },
      { USERPROFILE: directory.path },
      { HOME: directory.path, KUBECONFIG: '' },
      { HOME: directory.path, KUBECONFIG: delimiter },
    ] as Env[]) {
      assert.equal(findTarget({}, env).name, 'one');
    }
    const elsewhere = { HOME: directory.path, KUBECONFIG: join(directory.path, 'absent') };
    refused(() => findTarget({}, elsewhere), /^no cluster to talk to: .*absent: there is no such/);
  });

  it('says what to do where there is no cluster at all', async () => {
    refused(() => findTarget({}, {}), /^no cluster to talk to: set KUBECONFIG, give --kubeconfig/);
    await assert.rejects(
      found({ a: { ...two, 'current-context': '' } }),
      /^KnownError: no cluster to talk to: no context is current; give --context \(one, /,
    );
    const [file = ''] = await write({ empty: {} });
    refused(() => findTarget({ kubeconfig: file }, {}), /: .*empty: .*or no cluster in it$/);
  });

  it('takes what the options name instead', async () => {
    const choices: readonly (readonly [ConnectOptions, string, string, string | undefined])[] = [
      [{ context: 'other' }, 'other', 'west', 'token-of-bob'],
      [{ cluster: 'west' }, 'west', 'west', 'token-of-ann'],
      [{ user: 'bob' }, 'one', 'east', 'token-of-bob'],
      [{ context: 'nobody' }, 'nobody', 'west', undefined],
      [{ context: 'nobody', user: 'ann' }, 'nobody', 'west', 'token-of-ann'],
      [{ context: 'nowhere', cluster: 'east' }, 'east', 'east', 'token-of-bob'],
    ];
    for (const [options, name, cluster, expected] of choices) {
      const target = await found({ a: two }, options);
      assert.equal(target.name, name);
      assert.equal(target.cluster.server, `https://${cluster}.example.com`);
      assert.equal(token(target), expected);
    }
    const uncurrent = { ...two, 'current-context': undefined };
    assert.equal((await found({ a: uncurrent }, { cluster: 'west', user: 'bob' })).name, 'west');
  });

  const unknown = {
    'context "gone"': { context: 'gone' },
    'cluster "gone"': { cluster: 'gone' },
    'user "gone"': { user: 'gone' },
    'cluster "north"': { context: 'broken' },
    'user "eve"': { context: 'stranger' },
  };
  for (const [what, options] of Object.entries(unknown)) {
    it(`refuses ${what}, which nothing defines`, async () => {
      const [file = ''] = await write({ a: two });
      const expected = new RegExp(`^${what} does not exist in the kubeconfig$`);
      refused(() => findTarget(options, { KUBECONFIG: file }), expected);
    });
  }

  it('refuses a current context that nothing defines, whatever cluster is named', async () => {
    const [file = ''] = await write({ a: { ...two, 'current-context': 'gone' } });
    const expected = /^context "gone" does not exist/;
    refused(() => findTarget({}, { KUBECONFIG: file }), expected);
    refused(() => findTarget({ cluster: 'east', user: 'ann' }, { KUBECONFIG: file }), expected);
  });

  it('refuses a context without a cluster', async () => {
    const [file = ''] = await write({ a: two });
    refused(
      () => findTarget({ context: 'nowhere' }, { KUBECONFIG: file }),
      /^context "nowhere" names no cluster$/,
    );
  });

  it('takes paths as relative to the file that they stand in', async () => {
    const files = {
      'a/config': {
        clusters: [
          { name: 'east', cluster: { server: 'https://east', 'certificate-authority': 'ca.crt' } },
        ],
        contexts: two.contexts,
        'current-context': 'one',
      },
      'b/config': {
        users: [
          {
            name: 'ann',
            user: {
              'client-certificate': 'ann.crt',
              'client-key': '../keys/ann.key',
              tokenFile: '/run/token',
              exec: { command: './plugin' },
            },
          },
          { name: 'bob', user: { exec: { command: 'plugin-on-path' } } },
        ],
      },
    };
    const { cluster, user } = await found(files);
    assert.equal(cluster['certificate-authority'], join(directory.path, 'a/ca.crt'));
    assert.equal(user['client-certificate'], join(directory.path, 'b/ann.crt'));
    assert.equal(user['client-key'], join(directory.path, 'keys/ann.key'));
    assert.equal(user.tokenFile, '/run/token');
    assert.equal(user.exec?.command, join(directory.path, 'b/plugin'));
    const other = await found(files, { user: 'bob' });
    assert.equal(other.user.exec?.command, 'plugin-on-path');
  });

  describe('in a pod', () => {
    const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };

    it('uses the service account where no kubeconfig says anything', async () => {
      const { name, cluster, user } = findTarget({}, pod);
      assert.equal(name, 'in-cluster');
      assert.equal(cluster.server, 'https://10.0.0.1:443');
      assert.match(cluster['certificate-authority'] ?? '', /serviceaccount\/ca\.crt$/);
      assert.match(user.tokenFile ?? '', /serviceaccount\/token$/);
      const [empty = ''] = await write({ empty: '' });
      assert.equal(findTarget({ kubeconfig: empty }, pod).name, 'in-cluster');
    });

    it('writes an IPv6 address as URLs have it', () => {
      const { cluster } = findTarget({}, { ...pod, KUBERNETES_SERVICE_HOST: 'fd00::1' });
      assert.equal(cluster.server, 'https://[fd00::1]:443');
    });

    it('prefers a kubeconfig', async () => {
      const [file = ''] = await write({ a: two });
      assert.equal(findTarget({}, { ...pod, KUBECONFIG: file }).name, 'one');
    });

    it('never takes its own cluster for one that is named', () => {
      refused(() => findTarget({ context: 'prod' }, pod), /^context "prod" does not exist/);
      refused(() => findTarget({ cluster: 'prod' }, pod), /^cluster "prod" does not exist/);
      refused(() => findTarget({ user: 'ann' }, pod), /^no cluster to talk to/);
    });

    it('is nowhere without host or port', () => {
      refused(() => findTarget({}, { KUBERNETES_SERVICE_HOST: 'x' }), /^no cluster/);
      refused(() => findTarget({}, { KUBERNETES_SERVICE_PORT: '443' }), /^no cluster/);
    });

    it('impersonates as anywhere else', () => {
      assert.equal(findTarget({ as: 'jane' }, pod).user.as, 'jane');
    });
  });

  describe('impersonating', () => {
    const kept = {
      as: 'kept',
      'as-uid': '7',
      'as-groups': ['staff'],
      'as-user-extra': { a: ['b'] },
    };
    const as = (user: object) => ({ ...two, users: [{ name: 'ann', user }] });

    it('takes each option in place of its own field', async () => {
      const jane = await found({ a: as(kept) }, { as: 'jane' });
      assert.deepEqual({ ...jane.user, tokenFile: undefined }, { ...empty, ...kept, as: 'jane' });
      const ops = await found({ a: as(kept) }, { asGroups: ['ops'] });
      assert.deepEqual({ ...ops.user }, { ...empty, ...kept, 'as-groups': ['ops'] });
      const alone = await found({ a: as({}) }, { as: 'jane', asGroups: ['ops', 'dev'] });
      assert.deepEqual({ ...alone.user }, { ...empty, as: 'jane', 'as-groups': ['ops', 'dev'] });
    });

    const empty = {
      'client-certificate': undefined,
      'client-key': undefined,
      tokenFile: undefined,
    };
    const headless = {
      groups: { 'as-groups': ['staff'] },
      'a UID': { 'as-uid': '7' },
      'extra fields': { 'as-user-extra': { a: ['b'] } },
    };
    for (const [what, user] of Object.entries(headless)) {
      it(`refuses ${what} of nobody, which would act with all rights instead of few`, async () => {
        const [file = ''] = await write({ a: as(user) });
        refused(
          () => findTarget({}, { KUBECONFIG: file }),
          /^context "one": impersonates .* no user$/,
        );
      });
    }

    it('refuses groups of nobody from the options', async () => {
      const [file = ''] = await write({ a: two });
      refused(() => findTarget({ asGroups: ['ops'] }, { KUBECONFIG: file }), /but no user$/);
    });
  });

  it('takes a null for a field that is not there', async () => {
    const nulls = {
      clusters: [{ name: 'east', cluster: { server: 'https://x', 'proxy-url': null } }],
      users: [{ name: 'ann', user: { token: null, 'as-groups': null, exec: null } }],
      contexts: two.contexts,
      'current-context': 'one',
      preferences: null,
    };
    const { user, cluster } = await found({ a: nulls });
    assert.equal(user.token ?? user['as-groups'] ?? user.exec ?? cluster['proxy-url'], undefined);
    const none = { clusters: null, users: null, contexts: null, 'current-context': null };
    assert.equal((await found({ none, two })).name, 'one');
    const nobody = { ...two, users: [{ name: 'ann', user: null }] };
    assert.deepEqual(token(await found({ nobody })), undefined);
  });

  it('reads the first document of a file', async () => {
    const text = `# of the team\n---\n${JSON.stringify(two)}\n---\ncurrent-context: other\n`;
    assert.equal((await found({ text })).name, 'one');
  });

  it('ignores what it does not know', async () => {
    const users = [{ name: 'ann', user: { token: 't', later: { added: true } } }];
    const extensions = [{ name: 'x', extension: { any: 1 } }];
    assert.equal(token(await found({ a: { ...two, users, extensions } })), 't');
  });

  const secret = 'eyJhbGciOiJSUzI1NiJ9.secret';
  const users = (user: unknown) => ({ users: [{ name: 'ann', user }] });
  const broken: Readonly<Record<string, readonly [unknown, RegExp]>> = {
    'no YAML': [`users: [{ name: ann, user: { token: ${secret} }`, /: not YAML$/],
    'YAML with a tab': [`users:\n\t- token: ${secret}`, /: not YAML$/],
    'YAML with a key twice': [`token: ${secret}\ntoken: ${secret}`, /: not YAML$/],
    'the token alone': [secret, /: the file: .*expected object/],
    'a list': [[secret], /: the file: .*expected object/],
    'a token that is a list': [
      users({ token: [secret] }),
      /: users\.0\.user\.token: expected a st/,
    ],
    'a token that is a map': [
      users({ token: { [secret]: secret } }),
      /user\.token: expected a string/,
    ],
    'a token that is a number': [users({ token: 12345 }), /user\.token: expected a string/],
    'a user that is a token': [users(secret), /: users\.0\.user: .*expected object/],
    'users that are a map': [{ users: { [secret]: secret } }, /: users: .*expected array/],
    'a user without a name': [
      { users: [{ user: { token: secret } }] },
      /: users\.0\.name: expected/,
    ],
    'a cluster without a server': [
      { clusters: [{ name: 'a', cluster: { 'proxy-url': secret } }] },
      /: clusters\.0\.cluster\.server: expected a string$/,
    ],
    'a flag that is a text': [
      { clusters: [{ name: 'a', cluster: { server: 'x', 'insecure-skip-tls-verify': secret } }] },
      /insecure-skip-tls-verify: expected true or false$/,
    ],
    'a context that is a text': [
      { contexts: [{ name: 'a', context: secret }] },
      /: contexts\.0\.context: .*expected object/,
    ],
    'an exec plugin without a command': [
      users({ exec: { env: [{ name: 'TOKEN', value: secret }] } }),
      /user\.exec\.command: expected a string$/,
    ],
    'a plugin variable without a name': [
      users({ exec: { command: 'x', env: [{ value: secret }] } }),
      /user\.exec\.env\.0\.name: expected a string$/,
    ],
    'two users of one name': [
      { users: ['a', 'a'].map((name) => ({ name, user: { token: secret } })) },
      /: users: two entries have one name$/,
    ],
  };
  for (const [what, [content, expected]] of Object.entries(broken)) {
    it(`refuses ${what} without repeating any of it`, async () => {
      const [good = '', bad = ''] = await write({ good: two, bad: content });
      for (const KUBECONFIG of [bad, `${good}${delimiter}${bad}`, `${bad}${delimiter}${good}`]) {
        refused(() => findTarget({}, { KUBECONFIG }), expected);
        // Nor in a cause, nor in any property: some reporters print them all.
        try {
          findTarget({}, { KUBECONFIG });
        } catch (error) {
          const shown = inspect(error, { depth: 9, showHidden: true });
          assert.ok(!/eyJ|secret|12345/.test(shown), shown);
        }
      }
    });
  }

  it('refuses a directory among several files', async () => {
    const [good = ''] = await write({ good: two });
    await mkdir(join(directory.path, 'folder'));
    const KUBECONFIG = [good, join(directory.path, 'folder')].join(delimiter);
    refused(() => findTarget({}, { KUBECONFIG }), /folder: cannot be read$/);
  });
});
