import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { findBinary } from './binaries.ts';
import { run } from './run.ts';
import { until } from './until.ts';

describe('npm run sandbox', function () {
  this.timeout(180_000);
  let root = '';
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'sandbox-cli-'));
  });
  after(() => {
    sandbox('down', '--all');
    rmSync(root, { recursive: true });
  });

  const sandbox = (...args: string[]) => {
    const program = join(import.meta.dirname, 'cli.ts');
    const done = spawnSync(process.execPath, [program, ...args], { cwd: root, encoding: 'utf8' });
    return { code: done.status, out: done.stdout, err: done.stderr };
  };
  const kubectl = async (...args: string[]) => {
    const program = await findBinary('kubectl', { env: process.env, progress: () => undefined });
    const config = `--kubeconfig=${join(root, '.sandbox', 'default.kubeconfig')}`;
    return run(program, [config, ...args]);
  };

  it('starts one that stays, shows it, and takes it down without a trace', async () => {
    const started = sandbox('up', '--estate', 'openshift');
    assert.equal(started.code, 0, started.err);
    assert.match(started.out, /export KUBECONFIG=.*\.sandbox\/default\.kubeconfig/);
    assert.match(sandbox('status').out, /^default +up +openshift +ha +https:/m);
    assert.match(sandbox('up').err, /it is there already/);

    const pools = await kubectl(
      'get',
      'mcp',
      '-o',
      'custom-columns=N:.metadata.name,P:.spec.paused',
    );
    assert.match(pools, /master +false\nworker +true/);
    const path = '-o=jsonpath={.status.controlPlaneTopology} {.status.platformStatus.type}';
    assert.equal(await kubectl('get', 'infrastructure/cluster', path), 'HighlyAvailable None');

    assert.deepEqual(sandbox('down'), { code: 0, out: 'sandbox default is down\n', err: '' });
    assert.deepEqual(readdirSync(join(root, '.sandbox')), []);
    assert.equal(sandbox('status').code, 1);
  });

  it('ends one whose process is killed', async () => {
    assert.equal(sandbox('up', '--topology', 'single', '--name', 'default').code, 0);
    const { pid, socket } = JSON.parse(readFileSync(join(root, '.sandbox/default.json'), 'utf8'));
    const config = readFileSync(join(root, '.sandbox/default.kubeconfig'), 'utf8');
    const port = config.match(/127\.0\.0\.1:\d+/)?.[0] ?? 'none';
    process.kill(pid, 'SIGKILL');
    const signal = new AbortController().signal;
    await until(
      async () => {
        const processes = await run('ps', ['-A', '-o', 'args=']);
        return processes.includes(`--secure-port=${port.split(':')[1]}`) ? 'it runs' : undefined;
      },
      { signal, timeout: 10_000 },
    );
    await until(async () => (existsSync(socket) ? 'its files are there' : undefined), {
      signal,
      timeout: 10_000,
    });
    assert.match(sandbox('status').out, /^default +ended/m);
    assert.match(sandbox('down').out, /is down \(it had ended before\)/);
  });

  it('explains what it cannot do', () => {
    const explains = (args: string[], message: RegExp) => {
      const { code, err } = sandbox(...args);
      assert.equal(code, 2);
      assert.match(err, message);
    };
    explains([], /a command is missing: up, down or status/);
    explains(['upp'], /unknown command upp: up, down or status/);
    explains(['up', '--estate', 'huge'], /unknown estate huge: expected ha, small, openshift/);
    explains(
      ['up', '--topology', 'x'],
      /unknown topology x: expected ha, compact, arbiter, dual, external, kind, single/,
    );
    explains(['up', '--name', 'A b'], /--name A b/);
    explains(['up', '--fast'], /Unknown option '--fast'/);
    explains(['down', '--name', 'other'], /there is no sandbox other/);
    assert.match(sandbox('--help').out, /^Usage: npm run sandbox/);
  });
});
