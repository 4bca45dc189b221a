import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { AnyCheck } from '../core/check.ts';
import { evaluate } from '../core/evaluate.ts';
import { userChecks } from '../suites/user-checks.ts';
import type { AnyObject } from './objects.ts';
import { deployment, estate, node } from './objects.ts';
import { workspace } from './workspace.ts';

const rule = {
  id: 'two-replicas',
  title: 't',
  failureTitle: 'f',
  testName: 'workloads in ns/<namespace> should have two replicas',
  breaks: 'b',
  fix: 'x',
  match: { kind: 'Deployment' },
  expect: 'object.spec.replicas >= 2',
  message: '"keeps " + string(object.spec.replicas) + "; needs 2"',
};

async function loaded(
  files: Readonly<Record<string, string | object>>,
): Promise<readonly AnyCheck[]> {
  await using space = await workspace();
  for (const [name, content] of Object.entries(files)) {
    await space.write(name, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return await userChecks([space.path]);
}

function outcome(check: AnyCheck | undefined, ...objects: readonly AnyObject[]) {
  assert.ok(check);
  const { snapshot, artifacts, scope } = estate(objects);
  const { namespace: _, ...cluster } = scope;
  return evaluate(check, snapshot, artifacts, check.scope === 'cluster' ? cluster : scope);
}

async function said(more: object, ...objects: readonly AnyObject[]) {
  const [check] = await loaded({ 'check.yaml': { ...rule, ...more } });
  const found = outcome(check, ...objects);
  switch (found.kind) {
    case 'judged':
      return found.findings.map(({ object, message }) => `${object.name}: ${message}`);
    case 'skip':
      return found.reason;
    default:
      return `${found.cause}: ${found.reason}`;
  }
}

const web = (replicas: number) => deployment('web', { spec: { replicas } });

describe('a check of CEL', () => {
  it('finds what does not meet its expectation', async () => {
    assert.deepEqual(await said({}, web(1)), ['web: keeps 1; needs 2']);
    assert.deepEqual(await said({}, web(2)), []);
  });

  it('leaves out what it does not match', async () => {
    const odd = { match: { kind: 'Deployment', where: 'object.spec.replicas % 2 == 1' } };
    assert.equal(await said(odd, web(2)), 'nothing to judge');
    assert.deepEqual(await said(odd, web(1)), ['web: keeps 1; needs 2']);
  });

  it('knows the cluster, and objects of it', async () => {
    const nodes = { match: { kind: 'Node' }, testName: 'nodes should be plain', message: '"odd"' };
    const expect = 'cluster.openshift || cluster.infrastructureTopology == "SingleReplica"';
    assert.deepEqual(await said({ ...nodes, expect }, node('worker-1')), ['worker-1: odd']);
  });

  it('has defaults, and a page', async () => {
    const [check] = await loaded({ 'mine.check.yml': rule });
    assert.deepEqual([check?.suite, check?.severity, check?.stage], ['user', 'minor', 'observe']);
    assert.match(check?.docs ?? '', /mine\.check\.yml$/);
  });

  it('is in error where an expression fails, or gives no truth value', async () => {
    const missing = await said({ expect: 'object.spec.absent > 1' }, web(1));
    assert.match(
      String(missing),
      /^exception: Error: No such key: absent for Deployment shop\/web$/,
    );
    const number = await said({ expect: 'object.spec.replicas' }, web(1));
    assert.match(String(number), /expected true or false, found 1 for Deployment shop\/web$/);
  });
});

describe('a check of CEL that goes wrong', () => {
  it('is in error where its message is no text', async () => {
    const messages = {
      'object.metadata': 'map',
      '[1]': 'list',
      null: 'null',
      'object.spec.replicas': 'int',
      true: 'boolean',
      '" "': 'nothing',
    };
    for (const [message, found] of Object.entries(messages)) {
      const reason = await said({ expect: 'false', message }, web(1));
      const expected = `message: expected text, found ${found} for Deployment shop/web`;
      assert.equal(reason, `exception: TypeError: ${expected}`);
    }
  });
});

describe('checks of the user', () => {
  const example = join(import.meta.dirname, '../docs/examples/checks');

  it('are those of the examples', async () => {
    const found = await userChecks([example]);
    assert.deepEqual(
      found.map(({ id, suite }) => [id, suite]),
      [
        ['enough-history', 'user'],
        ['services-stay-inside', 'company'],
      ],
    );
  });

  it('may be of a suite that is shipped', async () => {
    const [check] = await loaded({ 'check.yaml': { ...rule, suite: 'redundancy' } });
    assert.equal(check?.suite, 'redundancy');
  });

  const module = (fields: object) => `export default ${JSON.stringify(fields)}`;
  const broken: Readonly<Record<string, readonly [string, string | object, RegExp]>> = {
    'a module that throws': ['a/check.mjs', 'throw new Error("boom")', /check\.mjs: boom$/],
    'a module of bad syntax': ['a/check.mjs', 'export default {', /check\.mjs: Unexpected/],
    'a module that exports no check': ['a/check.mjs', module({ id: 'a-b' }), /no check: title /],
    'a rule without an expectation': [
      'a/check.yaml',
      { ...rule, expect: undefined },
      /1:1 expect: /,
    ],
    'an expression of bad syntax': [
      'a/check.yaml',
      { ...rule, expect: '1 +' },
      /1:\d+ expect: expected a CEL expression/,
    ],
    'a kind that nobody knows': [
      'a/check.yaml',
      { ...rule, match: { kind: 'Deploymnt' } },
      /did you mean "Deployment"/,
    ],
    'bad YAML': ['a/check.yaml', 'id: [', /check\.yaml: \d+:\d+ /],
    'an empty file': ['a/check.yaml', '', /check\.yaml: /],
    'an id that is taken': [
      'a/check.yaml',
      { ...rule, id: 'pdb-presence' },
      /pdb-presence is taken by a check of ha-compliance$/,
    ],
  };
  for (const [what, [file, content, expected]] of Object.entries(broken)) {
    it(`are in error one by one: ${what}`, async () => {
      const found = await loaded({ [file]: content, 'good.check.yaml': rule });
      assert.deepEqual(
        found.map(({ id }) => id),
        ['two-replicas', 'user-a'],
      );
      const bad = outcome(found[1]);
      assert.equal(bad.kind, 'error');
      assert.match(bad.kind === 'error' ? `${bad.cause} ${bad.reason}` : '', expected);
      assert.equal(outcome(found[0], web(2)).kind, 'judged');
    });
  }

  const names: Readonly<Record<string, readonly [string, RegExp]>> = {
    'without the namespace': ['Deployments should be good', /expected "ns\/<namespace> " once/],
    'with the namespace twice': ['ns/<namespace> and ns/<namespace> agree', /once/],
    'with the namespace at its end': ['Deployments are good in ns/<namespace>', /once/],
    'that a dashboard ignores': ['Overall in ns/<namespace> is fine', /dashboards leave out/],
    'that counts as disruption': ['pods in ns/<namespace> and disruption/ go', /dashboards/],
    'with a tag': ['[Jira:"etcd"] pods in ns/<namespace> run', /no tag/],
    'with a version': ['pods in ns/<namespace> should run v1.36', /no number, version/],
    'with a time': ['pods at 2026-01-10T12:00:00Z in ns/<namespace> run', /no number/],
    'with the name of a pod': ['pod web-5d9f8c7b6d-x2v9k in ns/<namespace> runs', /no number/],
    'of more than one line': ['pods in ns/<namespace> should\nrun', /one line/],
    'with an escape': ['pods in ns/<namespace> should \u001B[31mrun', /printable/],
    'that is too long': [`pods in ns/<namespace> ${'r'.repeat(89)}`, /at most 100 characters/],
    'of a shipped check': [
      'Services in ns/<namespace> should have more than one ready endpoint',
      /is taken by service-redundancy of ha-compliance$/,
    ],
    'of another check': [rule.testName, /is taken by .*good\.check\.yaml$/],
  };
  for (const [what, [testName, expected]] of Object.entries(names)) {
    it(`are in error with a name ${what}`, async () => {
      const found = await loaded({
        'good.check.yaml': rule,
        'z/check.yaml': { ...rule, id: 'other-rule', testName },
      });
      const bad = outcome(found.find(({ id }) => id === 'user-z'));
      assert.match(bad.kind === 'error' ? bad.reason : '', expected);
    });
  }

  for (const part of ['ns/<namespace> ', 'ns/shop ']) {
    it(`are in error where one of the cluster speaks of ${part}`, async () => {
      const testName = `nodes of ${part}should be plain`;
      const node = { ...rule, match: { kind: 'Node' }, testName };
      const [bad] = await loaded({ 'z/check.yaml': node });
      const found = outcome(bad);
      assert.match(found.kind === 'error' ? found.reason : '', /no namespace, since/);
    });
  }

  it('may have codes, protocols and names that are just short enough', async () => {
    const testName = `WL-01 pods in ns/<namespace> speak IPv4 ${'r'.repeat(71)}`;
    const [check] = await loaded({ 'check.yaml': { ...rule, testName } });
    assert.equal(check?.testName, testName);
  });

  const judging = (body: string) => `export default {
    id: 'my-module', title: 't', failureTitle: 'f', testName: 'pods in ns/<namespace> are fine',
    suite: 'user', scope: 'namespace', severity: 'minor', stage: 'observe', source: [],
    requires: ['pods'], breaks: 'b', fix: 'x', ${body} };`;
  const junk: Readonly<Record<string, readonly [string, RegExp]>> = {
    nothing: ['run() {}', /^exception: TypeError: run returns no judgement: {2}Invalid/],
    'a promise': ['async run() { return { examined: 1, findings: [] }; }', /judgement: examined /],
    'a finding of nothing': [
      'run() { return { examined: 1, findings: [{ message: "m" }] }; }',
      /judgement: findings\.0\.object /,
    ],
    'an exception on the way': [
      'isInForce() { throw new Error("boom"); }, run() {}',
      /^exception: Error: boom$/,
    ],
  };
  for (const [what, [body, expected]] of Object.entries(junk)) {
    it(`are in error where their code gives ${what}`, async () => {
      const [check] = await loaded({ 'check.mjs': judging(body) });
      const found = outcome(check);
      assert.match(found.kind === 'error' ? `${found.cause}: ${found.reason}` : '', expected);
    });
  }

  it('may be instances of classes', async () => {
    const fields = judging('').replace('export default', 'const fields =');
    const found = await loaded({
      'check.mjs': `${fields}
        class Mine { constructor() { Object.assign(this, fields); }
          run() { return { examined: 1, findings: [] }; } }
        export default new Mine();`,
    });
    assert.equal(outcome(found[0]).kind, 'judged');
  });

  it('are in error where they wait for what never comes', async () => {
    await using space = await workspace();
    await space.write('check.mjs', 'await new Promise(() => {});');
    const [check] = await userChecks([space.path], 50);
    const found = outcome(check);
    assert.match(found.kind === 'error' ? found.reason : '', /takes more than 0.05 s to load$/);
  });

  it('have one id each where several cannot be loaded', async () => {
    const files = ['a/x/check.yaml', 'a/x/check.yml', 'b/x/check.yaml', '-/check.yml'];
    const found = await loaded(Object.fromEntries(files.map((file) => [file, 'id: ['])));
    assert.equal(new Set(found.map(({ id }) => id)).size, files.length);
    assert.equal(new Set(found.map(({ testName }) => testName)).size, files.length);
    assert.ok(found.every(({ id }) => /^[a-z0-9]+(-[a-z0-9]+)+$/.test(id)));
    assert.ok(found.some(({ id }) => id === 'user-x'));
  });

  it('are refused where there are none', async () => {
    await assert.rejects(userChecks(['absent']), /--checks absent: no such folder/);
    await assert.rejects(loaded({ 'README.md': '' }), /holds no check \(check\.ts, /);
  });
});
