import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { checks } from '../checks/index.ts';
import { help } from '../cli/help.ts';
import { command, environment } from './command.ts';

const root = join(import.meta.dirname, '..');
const cwd = tmpdir();

describe('ha-compliance --help', () => {
  const pages = [
    [],
    ['run'],
    ['checks'],
    ['explain'],
    ['exceptions'],
    ['exceptions', 'lint'],
    ['completion'],
  ];
  for (const words of pages) {
    it(`fits a terminal: ${['ha-compliance', ...words].join(' ')}`, async () => {
      const { status, stdout, stderr } = await command([...words, '--help'], { cwd });
      assert.deepEqual([status, stderr], [0, '']);
      assert.match(stdout, new RegExp(`^ha-compliance ?${words.join(' ')}`));
      assert.equal(stdout, help(...words));
      assert.deepEqual(
        stdout.split('\n').filter((line) => line.length > 80),
        [],
      );
    });
  }

  it('is what no command, help and -h give, too', async () => {
    for (const args of [[], ['help'], ['-h']]) {
      const { status, stdout } = await command(args, { cwd });
      assert.deepEqual([status, stdout], [0, help()]);
    }
  });

  it('is what help gives of a command', async () => {
    for (const words of [['run'], ['exceptions', 'lint']]) {
      const { status, stdout } = await command(['help', ...words], { cwd });
      assert.deepEqual([status, stdout], [0, help(...words)]);
    }
  });

  it('is what npx gives in a checkout', function () {
    this.timeout(60_000);
    const env = { ...environment({ cwd }), npm_config_offline: 'true' };
    const done = spawnSync('npx', ['ha-compliance', '--help'], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
    assert.equal(done.stdout, help(), done.stderr);
  });
});

describe('ha-compliance --version', () => {
  it("prints the package's version", async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const option of ['--version', '-V']) {
      const { status, stdout } = await command([option], { cwd });
      assert.deepEqual([status, stdout], [0, `${version}\n`]);
    }
  });
});

describe('ha-compliance checks', () => {
  it('lists each check in its suite', async () => {
    const { status, stdout } = await command(['checks'], { cwd });
    assert.equal(status, 0);
    const listed = stdout.split('\n').filter((line) => /^ {2}\w/.test(line));
    assert.deepEqual(
      listed.map((line) => line.trim().split(/ +/, 3)),
      checks.map(({ id, severity, stage }) => [id, severity, stage]),
    );
    assert.match(
      stdout,
      /^ {2}pdb-covers-one-workload +major +flake +No budget is shared in a way that\n {46}lets one workload lose all pods$/m,
    );
    const suites = stdout.split('\n').filter((line) => /^\w/.test(line));
    assert.deepEqual(suites, [...new Set(checks.map(({ suite }) => suite))]);
  });

  it('lists those of a suite', async () => {
    const ids = checks.filter(({ suite }) => suite === 'storage').map(({ id }) => id);
    const { status, stdout } = await command(['checks', 'storage'], { cwd });
    assert.equal(status, 0);
    assert.match(stdout, /^storage\n/);
    assert.deepEqual(stdout.match(/(?<=^ {2})\w\S+/gm), ids);
    const json = await command(['checks', 'storage', '--format', 'json'], { cwd });
    assert.deepEqual(
      JSON.parse(json.stdout).map(({ id }: { readonly id: string }) => id),
      ids,
    );
  });

  it('shows one in full', async () => {
    const { status, stdout } = await command(['checks', 'pdb-presence'], { cwd });
    assert.equal(status, 0);
    assert.match(stdout, /^pdb-presence: Multi-replica workloads are covered by a budget\n/);
    assert.match(stdout, /^ {2}severity {2}major$/m);
    const headings = ['What it checks', 'Why it matters', 'How to fix', 'References'];
    for (const heading of headings) assert.match(stdout, new RegExp(`^## ${heading}$`, 'm'));
  });

  it('gives the same as JSON', async () => {
    const all = await command(['checks', '--format', 'json'], { cwd });
    const listed: { readonly id: string; readonly docs: string }[] = JSON.parse(all.stdout);
    assert.deepEqual(
      listed.map(({ id }) => id),
      checks.map(({ id }) => id),
    );
    const { stdout } = await command(['checks', 'pdb-presence', '--format', 'json'], { cwd });
    assert.deepEqual(
      JSON.parse(stdout),
      listed.filter(({ id }) => id === 'pdb-presence'),
    );
    for (const { docs } of listed) assert.ok(readFileSync(join(root, docs), 'utf8').length > 0);
  });
});
