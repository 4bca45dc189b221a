import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { startService } from './processes.ts';
import { run } from './run.ts';
import { until } from './until.ts';

describe('processes', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'processes-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const waiting = { signal: new AbortController().signal, timeout: 5_000, every: 20 };

  it('end, with what they started and their directory, when their parent is killed', async () => {
    const program = `
      const { startService } = await import(${JSON.stringify(join(import.meta.dirname, 'processes.ts'))});
      const { makeGuardedDirectory } = await import(${JSON.stringify(join(import.meta.dirname, 'directory.ts'))});
      makeGuardedDirectory(${JSON.stringify(join(root, 'data'))});
      const child = startService(['sh', '-c', 'sleep 1000 & echo $!; wait'], ${JSON.stringify(join(root, 'log'))});
      process.stdout.write(String(child.child.pid));
      setInterval(() => {}, 1000);
    `;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program]);
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (data) => resolve(Number(data))),
    );
    const log = () =>
      existsSync(join(root, 'log')) ? readFileSync(join(root, 'log'), 'utf8') : '';
    await until(async () => (log().endsWith('\n') ? undefined : 'no grandchild'), waiting);
    assert.ok(isAlive(pid));
    parent.kill('SIGKILL');
    await until(async () => (isAlive(pid) ? 'the child lives' : undefined), waiting);
    await until(async () => (isAlive(Number(log())) ? 'the grandchild lives' : undefined), waiting);
    await until(
      async () => (existsSync(join(root, 'data')) ? 'the data is there' : undefined),
      waiting,
    );
  });

  it('are ended as a whole', async () => {
    const service = startService(['sh', '-c', 'sleep 1000 & wait'], join(root, 'log'));
    await service.kill();
    assert.ok(!service.isRunning());
    assert.deepEqual(await service.ended, { code: undefined, signal: 'SIGKILL' });
  });

  it('say how they ended by themselves', async () => {
    const service = startService(['sh', '-c', 'echo bad >&2; exit 3'], join(root, 'log'));
    assert.deepEqual(await service.ended, { code: 3, signal: undefined });
    assert.equal(readFileSync(join(root, 'log'), 'utf8'), 'bad\n');
  });

  it('return what they print, or fail with what they complain of', async () => {
    assert.equal(await run('cat', [], { input: 'given' }), 'given');
    await assert.rejects(run('sh', ['-c', 'echo reason >&2; exit 1']), /sh: status 1\nreason/);
    await assert.rejects(run('no-such-program', []), /no-such-program: not found/);
  });

  it('are ended when whoever waits for them gives up', async () => {
    const abort = new AbortController();
    const running = run('sleep', ['1000'], { signal: abort.signal });
    abort.abort(new Error('enough'));
    await assert.rejects(running, /enough/);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
