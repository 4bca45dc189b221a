import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'mocha';
import type { Report } from '../core/result.ts';
import { until } from '../sandbox/until.ts';
import { start } from './command.ts';
import type { Edge, Rule } from './edge.ts';
import { startEdge } from './edge.ts';
import { kubeconfig, trusting } from './kubeconfigs.ts';
import { reportsIn } from './reports.ts';
import { run } from './run.ts';
import { sharedSandbox } from './shared-sandbox.ts';
import { assertBarred } from './unread.ts';
import type { Workspace } from './workspace.ts';
import { workspace } from './workspace.ts';

describe('a run that is told to end', function () {
  this.timeout(60_000);
  const sandbox = sharedSandbox('ha');
  let space: Workspace;
  /** What is found by a run that nobody ends. */
  let reference: Report;
  before(async () => {
    space = await workspace();
    // The estate is young; what a transient check leaves out for that is to be judged here.
    await space.write('ha-compliance.yaml', 'thresholds: { settle: 0 }\n');
    reference = await run({ kubeconfig: sandbox().files.kubeconfig });
    assert.equal(reference.complete, true);
  });
  after(() => space?.remove());

  async function begin(edge: Edge, out: string, ...args: readonly string[]) {
    const file = kubeconfig({ ...trusting(edge), user: { token: sandbox().token } });
    const KUBECONFIG = await space.write('kubeconfig', file);
    return start(['run', '--out', out, ...args], { cwd: space.path, env: { KUBECONFIG } });
  }

  /** The server takes the request for Pods, and says nothing. */
  const silent: Rule = ({ path }) =>
    path === '/api/v1/pods' ? new Promise(() => undefined) : undefined;
  /** Of the lists that some check requires, in the order in which they are asked for. */
  const isLast = ({ path }: { readonly path: string }) => path === '/apis/apps/v1/statefulsets';
  const isPods = ({ path }: { readonly path: string }) => path === '/api/v1/pods';

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`by ${signal} while it reads writes what it has, and says what it lacks`, async () => {
      await using edge = await startEdge(sandbox(), silent);
      const { child, ended } = await begin(edge, signal);
      await edge.seen(isPods);
      await edge.seen(isLast);
      const told = performance.now();
      child.kill(signal);
      const { status, stdout, stderr } = await ended;
      assert.ok(performance.now() - told < 5000);
      assert.equal(status, 2);
      assert.match(stderr, new RegExp(`^ha-compliance: ${signal}: writing what there is`, 'm'));
      assert.match(stdout, /^INCOMPLETE +The run was cut short/m);
      assertCutShort((await reportsIn(space.at(signal))).report, reference);
    });
  }

  it('by its deadline does the same', async () => {
    await using edge = await startEdge(sandbox(), silent);
    const { ended } = await begin(edge, 'deadline', '--timeout', '3s');
    assert.equal((await ended).status, 2);
    assertCutShort((await reportsIn(space.at('deadline'))).report, reference);
  });

  it('by its deadline leaves a credential plugin that waits for a person', async () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      interactiveMode: 'Never',
      command: 'sleep',
      args: ['20'],
    };
    const file = kubeconfig({ server: 'https://127.0.0.1:1', user: { exec } });
    const KUBECONFIG = await space.write('plugin', file);
    const args = ['run', '--timeout', '1s', '--out', 'waiting'];
    const started = performance.now();
    const { ended } = start(args, {
      cwd: space.path,
      env: { KUBECONFIG },
    });
    const { status, stderr } = await ended;
    assert.ok(performance.now() - started < 15_000);
    assert.equal(status, 2);
    assert.match(
      stderr,
      /^ha-compliance: context "test": deadline while credentials were asked for$/m,
    );
  });

  it('while it waits for a second look leaves in doubt what it saw once', async () => {
    await using edge = await startEdge(sandbox());
    const record = space.at('record');
    const { child, ended } = await begin(
      edge,
      'settle',
      '--settle-wait',
      '10m',
      '--record',
      record,
    );
    // The recording is written when all was read, and before anything is waited for.
    await until(async () => (existsSync(record) ? undefined : 'it still reads'), {
      signal: new AbortController().signal,
      timeout: 30_000,
    });
    child.kill('SIGTERM');
    const { status } = await ended;
    assert.equal(status, 2);
    const { report } = await reportsIn(space.at('settle'));
    assert.equal(report.complete, false);
    assert.deepEqual(report.coverage.notEvaluated, []);
    const doubtful = report.results.filter(({ findings }) =>
      findings.some((one) => !one.conclusive),
    );
    assert.ok(doubtful.length > 0);
    assert.deepEqual(
      doubtful.filter(({ verdict }) => verdict === 'fail'),
      [],
    );
  });

  it('while it takes a second look keeps to what it saw first', async () => {
    const second: Rule = ({ path, before: times }) =>
      isPods({ path }) && times > 0 ? new Promise(() => undefined) : undefined;
    await using edge = await startEdge(sandbox(), second);
    const { child, ended } = await begin(edge, 'second', '--settle-wait', '1ms');
    await edge.seen(({ path, before: times }) => isPods({ path }) && times > 0);
    child.kill('SIGTERM');
    assert.equal((await ended).status, 2);
    const { report } = await reportsIn(space.at('second'));
    assert.equal(report.complete, false);
    assert.ok(report.results.some(({ findings }) => findings.some((one) => !one.conclusive)));
  });

  it('by a second signal ends at once', async () => {
    await using edge = await startEdge(sandbox(), silent);
    const { child, ended } = await begin(edge, 'twice');
    await edge.seen(isPods);
    // Both wait for it when it goes on.
    child.kill('SIGSTOP');
    child.kill('SIGINT');
    child.kill('SIGTERM');
    child.kill('SIGCONT');
    const { status } = await ended;
    assert.ok(status === 130 || status === 143, `status ${status}`);
    assert.equal(existsSync(space.at('twice/report.json')), false);
  });
});

function assertCutShort(report: Report, reference: Report): void {
  const { complete, coverage, results } = report;
  assert.equal(complete, false);
  const unread = new Map(coverage.notEvaluated.map(({ kind, reason }) => [kind, reason]));
  assert.equal(unread.get('pods'), 'was cut short');
  assert.ok(results.length > 100);
  assertBarred(report, reference, / error timeout$/);
  for (const { verdict, reason = '' } of results) {
    if (verdict === 'error') assert.match(reason, /was cut short$/);
  }
}
