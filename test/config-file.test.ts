import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Report } from '../core/result.ts';
import type { Ended } from './command.ts';
import { command } from './command.ts';
import type { Workspace } from './workspace.ts';
import { workspace } from './workspace.ts';

const manifests = join(import.meta.dirname, '..', 'sandbox', 'estates', 'small');

describe('the configuration file of a run', () => {
  let space: Workspace;
  beforeEach(async () => {
    space = await workspace();
  });
  afterEach(() => space?.remove());

  const config = (values: object) => JSON.stringify({ from: [manifests], ...values });

  const ha = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
    command(args, { cwd: space.path, env });

  async function suitesOf(args: readonly string[], env?: Record<string, string>) {
    const { stdout, stderr } = await ha(['run', '--format', 'json', ...args], env);
    assert.equal(stderr, '');
    const report: Report = JSON.parse(stdout);
    return [...new Set(report.results.map(({ suite }) => suite))];
  }

  it('is the one of the working directory', async () => {
    await space.write('ha-compliance.yaml', config({ suites: ['probes'] }));
    assert.deepEqual(await suitesOf([]), ['probes']);
  });

  it('is rather the one that the environment names, and rather still the one of --config', async () => {
    await space.write('ha-compliance.yaml', config({ suites: ['probes'] }));
    const HA_COMPLIANCE_CONFIG = await space.write('other.yaml', config({ suites: ['spread'] }));
    assert.deepEqual(await suitesOf([], { HA_COMPLIANCE_CONFIG }), ['spread']);
    await space.write('third.yaml', config({ suites: ['disruption'] }));
    const args = ['--config', 'third.yaml'];
    assert.deepEqual(await suitesOf(args, { HA_COMPLIANCE_CONFIG }), ['disruption']);
  });

  it('yields to an option', async () => {
    await space.write('ha-compliance.yaml', config({ suites: ['probes'], out: 'theirs' }));
    assert.deepEqual(await suitesOf(['--suite', 'spread', '--out', 'mine']), ['spread']);
    const { stdout } = await ha(['run', '--out', 'mine']);
    assert.match(stdout, /^ {2}mine\/report\.json$/m);
  });

  it('says what options say: a stage for one check, a threshold, an exit status', async () => {
    const values = {
      checks: ['replicas-sufficient'],
      stages: { 'replicas-sufficient': 'enforce' },
      exitZero: true,
      format: 'json',
      thresholds: { minReplicas: 3 },
    };
    await space.write('ha-compliance.yaml', config(values));
    const { status, stdout } = await ha(['run']);
    const report: Report = JSON.parse(stdout);
    const messages = report.results.flatMap(({ findings }) => findings.map((one) => one.message));
    assert.equal(status, 0);
    assert.equal(report.results.find(({ verdict }) => verdict === 'fail')?.stage, 'enforce');
    assert.ok(
      messages.includes('keeps 2 replicas (spec.replicas 2); needs 3'),
      messages.join('\n'),
    );
  });

  it('keeps the stages that an option does not name', async () => {
    const stages = { 'replicas-sufficient': 'observe', probes: 'observe' };
    await space.write('ha-compliance.yaml', config({ stages, format: 'json' }));
    const { stdout } = await ha(['run', '--stage', 'probes=enforce']);
    const report: Report = JSON.parse(stdout);
    assert.equal(report.stages['replicas-sufficient'], 'observe');
    assert.equal(report.stages['readiness-probes'], 'enforce');
  });

  describe('when the stage of all, or of a suite, is given', () => {
    const stages = { probes: 'enforce', 'readiness-probes': 'enforce', 'pdb-presence': 'enforce' };
    const stagesWith = async (...args: readonly string[]) => {
      await space.write('ha-compliance.yaml', config({ stages, format: 'json' }));
      const report: Report = JSON.parse((await ha(['run', ...args])).stdout);
      return ['readiness-probes', 'pdb-presence'].map((id) => report.stages[id]);
    };

    it('no longer says what it says of single checks', async () => {
      assert.deepEqual(await stagesWith('--stage', 'observe'), ['observe', 'observe']);
    });

    it('no longer says what it says of the checks of that suite', async () => {
      assert.deepEqual(await stagesWith('--stage', 'probes=observe'), ['observe', 'enforce']);
    });

    it('still yields to a check that is given, too', async () => {
      const args = ['--stage', 'observe', '--stage', 'pdb-presence=flake'];
      assert.deepEqual(await stagesWith(...args), ['observe', 'flake']);
    });
  });

  it('no longer selects anything when a check or a suite is given', async () => {
    const values = { suites: ['probes'], checks: ['pdb-presence'] };
    await space.write('ha-compliance.yaml', config(values));
    assert.deepEqual(await suitesOf(['--check', 'replicas-sufficient']), ['redundancy']);
    assert.deepEqual(await suitesOf(['--suite', 'spread']), ['spread']);
  });

  it('with a recording in it yields to a cluster, and to no half of one', async () => {
    await space.write('ha-compliance.yaml', config({}));
    const user = await ha(['run', '--as', 'auditor']);
    assert.equal(
      user.stderr,
      'ha-compliance: from in the configuration file reads a recording: leave out --as\n',
    );
    assert.equal(user.status, 2);
    const cluster = await ha(['run', '--as', 'auditor', '--kubeconfig', 'missing']);
    assert.match(cluster.stderr, /kubeconfig missing/);
  });

  it('names files from where it lies', async () => {
    await mkdir(space.at('team'));
    await writeFile(space.at('team/exceptions.yaml'), '[]\n');
    const values = { exceptions: ['exceptions.yaml'], out: 'results' };
    await writeFile(space.at('team/ha.yaml'), config(values));
    const { stdout } = await ha(['run', '--config', 'team/ha.yaml']);
    assert.match(stdout, /^ {2}team\/results\/report\.json$/m);
  });

  it("carries the owners of the user's namespaces", async () => {
    const owners = { kiosk: { jiraComponent: 'Point of Sale' } };
    await space.write('ha-compliance.yaml', config({ owners, format: 'json' }));
    const report: Report = JSON.parse((await ha(['run'])).stdout);
    const [first] = report.results.filter(({ namespace }) => namespace === 'kiosk');
    assert.equal(first?.jiraComponent, 'Point of Sale');
    assert.match(first?.testName ?? '', /^\[Monitor:ha-compliance\]\[Jira:"Point of Sale"\] /);
  });

  const mistakes: readonly (readonly [string, string, RegExp])[] = [
    ['an unknown field', 'suites: []\ntimeoutt: 3m\n', /ha-compliance\.yaml:2:1 .*timeoutt/],
    ['a bad value', 'timeout: soon\n', /ha-compliance\.yaml:1:10 timeout: expected a duration/],
    ['an unknown suite', 'suites:\n  - prob\n', /ha-compliance\.yaml:2:5 .*did you mean "probes"/],
    ['an unknown check', 'checks: [pdb]\n', /ha-compliance\.yaml:1:10 unknown check "pdb"/],
    ['what is no YAML', 'suites: [\n', /ha-compliance\.yaml:2:1 /],
  ];
  for (const [name, text, message] of mistakes) {
    it(`is refused with file, line and column for ${name}`, async () => {
      await space.write('ha-compliance.yaml', text);
      const { status, stdout, stderr } = await ha(['run', '--from', manifests]);
      assert.match(stderr, message);
      assert.deepEqual([status, stdout], [2, '']);
    });
  }
});

describe('ha-compliance exceptions lint', () => {
  let space: Workspace;
  beforeEach(async () => {
    space = await workspace();
  });
  afterEach(() => space?.remove());

  const lint = (...args: readonly string[]) =>
    command(['exceptions', 'lint', ...args], { cwd: space.path });

  const exception = (fields: object) =>
    JSON.stringify([
      {
        check: 'replicas-sufficient',
        namespace: 'shop',
        kind: 'Deployment',
        name: 'cart',
        state: 'permanent',
        reason: 'Its clients wait for it, and nobody else does.',
        jira: 'SANDBOX-1',
        approver: 'the shop team',
        addedOn: '2026-01-01',
        ...fields,
      },
    ]);

  it('accepts the shipped files', async () => {
    const { status, stdout, stderr } = await lint();
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /^3 files, \d+ exceptions?: valid\n$/);
  });

  it('accepts the files of the configuration, and those that are named', async () => {
    await space.write('mine.yaml', exception({}));
    await space.write('ha-compliance.yaml', 'exceptions: [mine.yaml]\n');
    assert.match((await lint()).stdout, /^4 files, /);
    assert.equal((await lint('mine.yaml')).stdout, '1 file, 1 exception: valid\n');
  });

  it('gives what it has read as JSON', async () => {
    await space.write('mine.yaml', exception({}));
    const { stdout } = await lint('mine.yaml', '--format', 'json');
    const [read] = JSON.parse(stdout);
    assert.equal(read.reason, 'Its clients wait for it, and nobody else does.');
  });

  it('gives patterns as they were written', async () => {
    const patterns = {
      namePattern: 'cart-<hash>',
      namespacePattern: 'team-<any>',
      patternReason: 'Each team has its own.',
    };
    await space.write(
      'mine.yaml',
      exception({ ...patterns, name: undefined, namespace: undefined }),
    );
    const [read] = JSON.parse((await lint('mine.yaml', '--format', 'json')).stdout);
    assert.deepEqual({ ...read, ...patterns }, read);
  });

  it('says all that is wrong, each with file, line and column', async () => {
    const bad = '- check: replicas-suficient\n  namespace: shop\n  expires: tomorrow\n';
    await space.write('bad.yaml', bad);
    await space.write('worse.yaml', '- [\n');
    const { status, stdout, stderr } = await lint('bad.yaml', 'worse.yaml');
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /bad\.yaml:1:10 check: .*did you mean "replicas-sufficient"/);
    assert.match(stderr, /bad\.yaml:3:12 expires: /);
    assert.match(stderr, /worse\.yaml:\d+:\d+ /);
  });
});
