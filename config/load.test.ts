import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { loadConfig } from './load.ts';

describe('loadConfig', () => {
  let cwd = '';
  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'ha-compliance-'));
    await mkdir(join(cwd, 'ci'));
  });
  after(() => rm(cwd, { recursive: true }));

  const write = (name: string, text: string) => writeFile(join(cwd, name), text);
  const load = (path?: string, env = {}) => loadConfig({ path, env, cwd });

  it('is empty where there is no file', async () => {
    const { file, values, at } = await load();
    assert.deepEqual(
      { file, values, at: at(['out']) },
      { file: undefined, values: {}, at: 'no configuration' },
    );
  });

  it('takes the named file, else that of the environment, else the one that is there', async () => {
    await write('ha-compliance.yaml', 'out: there');
    await write('env.yaml', 'out: environment');
    await write('named.yaml', 'out: named');
    const env = { HA_COMPLIANCE_CONFIG: 'env.yaml' };
    const outs = [
      await load('named.yaml', env),
      await load(undefined, env),
      await load(undefined, { HA_COMPLIANCE_CONFIG: '' }),
    ].map(({ file, values }) => [file, values.out]);
    assert.deepEqual(outs, [
      ['named.yaml', 'named'],
      ['env.yaml', 'environment'],
      ['ha-compliance.yaml', 'there'],
    ]);
  });

  it('refuses a named file that is not there', async () => {
    await assert.rejects(load('absent.yaml'), {
      code: 'CONFIGURATION',
      exitStatus: 2,
      message: 'absent.yaml: cannot be read: no such file or directory',
    });
  });

  it('reads paths relative to the file, and durations as milliseconds', async () => {
    await write(
      'ci/conf.yaml',
      `kubeconfig: kubeconfig
from: [../must-gather, "-", /data/x.tar]
exceptions: [own.yaml]
out: results
record: snapshot.json
timeout: 1h30m
settleWait: 0s
`,
    );
    const { values } = await load('ci/conf.yaml');
    assert.deepEqual(values, {
      kubeconfig: 'ci/kubeconfig',
      from: ['must-gather', '-', '/data/x.tar'],
      exceptions: ['ci/own.yaml'],
      out: 'ci/results',
      record: 'ci/snapshot.json',
      timeout: 5_400_000,
      settleWait: 0,
    });
  });

  it('takes everything that it documents', async () => {
    const text = `
context: c
cluster: c
user: u
as: a
asGroups: [g]
namespaces: [n]
excludeNamespaces: [m]
scope: platform
suites: [probes]
checks: [pdb-presence]
stages: {"*": flake, pdb-presence: enforce}
shippedExceptions: false
format: json
exitZero: true
quiet: true
topology: HighlyAvailableArbiter
managedService: true
strictSingletons: true
strictSuspend: true
sidecars: [istio-proxy]
criticalBudgets: [shop/quorum]
thresholds:
  minReplicas: 3
  settle: 0
  workloads:
    - {kind: Deployment, namespace: shop, name: cart, minReplicas: 1}
owners:
  shop: {jiraComponent: Shop}
junit: {suiteName: openshift-tests, failureLimit: 0}
`;
    await write('all.yaml', text);
    const { values, at } = await load('all.yaml');
    assert.equal(Object.keys(values).length, 24);
    assert.deepEqual(values.stages, { '*': 'flake', 'pdb-presence': 'enforce' });
    assert.deepEqual(values.owners?.['shop'], { jiraComponent: 'Shop' });
    assert.equal(at(['checks', 0]), 'all.yaml:11:10');
  });

  it('is empty where the file says nothing', async () => {
    await write('empty.yaml', '# nothing yet\n');
    assert.deepEqual((await load('empty.yaml')).values, {});
  });

  const bad: readonly (readonly [string, string])[] = [
    ['kubeconfg: x', 'f.yaml:1:1 unknown key "kubeconfg", did you mean "kubeconfig"?'],
    ['colour: red', 'f.yaml:1:1 unknown key "colour"'],
    ['- a', 'f.yaml:1:1 expected a map, found a list'],
    ['out:', 'f.yaml:1:1 out: expected text, found null'],
    ['out: ""', 'f.yaml:1:6 out: expected text, found ""'],
    ['from: a', 'f.yaml:1:7 from: expected a list, found "a"'],
    ['from: [a, 3]', 'f.yaml:1:11 from[1]: expected text, found 3'],
    ['quiet: "yes"', 'f.yaml:1:8 quiet: expected true or false, found "yes"'],
    [
      'stages: {"*": enforc}',
      'f.yaml:1:15 stages.*: expected one of observe, flake, enforce, found "enforc", did you mean "enforce"?',
    ],
    [
      'timeout: 10',
      'f.yaml:1:10 timeout: expected a duration such as 90s, 10m or 1h30m, at most 576h, found 10',
    ],
    [
      'settleWait: 1d',
      'f.yaml:1:13 settleWait: expected a duration such as 90s, 10m or 1h30m, at most 576h, found "1d"',
    ],
    ['timeout: 0s', 'f.yaml:1:10 timeout: expected more than 0, found "0s"'],
    ['thresholds: {setle: 1}', 'f.yaml:1:14 unknown key "setle", did you mean "settle"?'],
    ['thresholds: {settle: -1}', 'f.yaml:1:22 thresholds.settle: expected at least 0, found -1'],
    [
      'thresholds: {poolShareMax: 101}',
      'f.yaml:1:28 thresholds.poolShareMax: expected at most 100, found 101',
    ],
    [
      'thresholds: {graceMax: 1.5}',
      'f.yaml:1:24 thresholds.graceMax: expected a whole number, found 1.5',
    ],
    [
      'thresholds: {workloads: [{kind: D, namespace: n, name: x}]}',
      'f.yaml:1:26 thresholds.workloads[0].minReplicas: expected a number, found nothing',
    ],
    [
      'thresholds: {workloads: [{kind: D, namespace: n, name: x, minReplicas: 1, nam: y}]}',
      'f.yaml:1:75 unknown key "nam", did you mean "name"?',
    ],
    [
      'thresholds:\n  workloads:\n    - {kind: D, namespace: n, name: x, minReplicas: 1}\n    - {kind: D, namespace: n, name: x, minReplicas: 2}',
      'f.yaml:4:7 thresholds.workloads[1]: expected one entry for D n/x, found a map',
    ],
    ['criticalBudgets: [x]', 'f.yaml:1:19 criticalBudgets[0]: expected namespace/name, found "x"'],
    [
      'owners: {shop: {jiraComponent: Shop, jiraComponents: x}}',
      'f.yaml:1:38 unknown key "jiraComponents", did you mean "jiraComponent"?',
    ],
    ...['" Shop"', '"Shop "', String.raw`"Sh\"op"`, '"Sh]op"', String.raw`"a\nb"`, '" "'].map(
      (text) =>
        [
          `owners: {shop: {jiraComponent: ${text}}}`,
          `f.yaml:1:32 owners.shop.jiraComponent: expected one line without " and ], and without space at its ends, found ${text}`,
        ] as const,
    ),
    [
      'owners: {shop: {jiraComponent: ""}}',
      'f.yaml:1:32 owners.shop.jiraComponent: expected text, found ""',
    ],
    [
      'owners: {shop: {jiraComponent: Overall Quality}}',
      'f.yaml:1:32 owners.shop.jiraComponent: expected a name without words by which dashboards sort out tests, found "Overall Quality"',
    ],
    [
      `owners: {shop: {jiraComponent: ${'x'.repeat(200)}}}`,
      `f.yaml:1:32 owners.shop.jiraComponent: expected at most 90 characters, found "${'x'.repeat(40)}…"`,
    ],
    [
      `owners: {${'n'.repeat(63)}: {jiraComponent: Management Console (web)  team}}`,
      `f.yaml:1:91 owners.${'n'.repeat(63)}.jiraComponent: expected at most 27 characters beside a namespace of 63, found "Management Console (web)  team"`,
    ],
    [
      'junit: {suiteName: " "}',
      'f.yaml:1:20 junit.suiteName: expected one line of text that can be seen, found " "',
    ],
    [
      'junit: {suiteName: "\u200b"}',
      'f.yaml:1:20 junit.suiteName: expected one line of text that can be seen, found "\u200b"',
    ],
    [
      String.raw`junit: {suiteName: "a\tb"}`,
      String.raw`f.yaml:1:20 junit.suiteName: expected one line of text that can be seen, found "a\tb"`,
    ],
    ['owners: [shop]', 'f.yaml:1:9 owners: expected a map, found a list'],
    ['out: a\nout: b', 'f.yaml:2:1 duplicate key "out", first on line 1'],
  ];
  for (const [text, expected] of bad) {
    it(`answers ${JSON.stringify(text)} with ${expected}`, async () => {
      await write('f.yaml', text);
      await assert.rejects(load('f.yaml'), { code: 'CONFIGURATION', message: expected });
    });
  }

  it('tells all problems of a file at once', async () => {
    await write('f.yaml', 'b: 1\nquiet: 2\nfrom: x\ncolour: 1');
    await assert.rejects(load('f.yaml'), {
      message: [
        'f.yaml:1:1 unknown key "b"',
        'f.yaml:2:8 quiet: expected true or false, found 2',
        'f.yaml:3:7 from: expected a list, found "x"',
        'f.yaml:4:1 unknown key "colour"',
      ].join('\n'),
    });
  });
});
