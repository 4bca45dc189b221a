import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { exitStatus } from '../reports/exit-status.ts';
import { execute, startNode } from './command.ts';
import { reportsIn } from './reports.ts';
import type { Workspace } from './workspace.ts';
import { workspace } from './workspace.ts';

const script = join(import.meta.dirname, '..', 'scripts', 'start.ts');

describe('npm start', function () {
  this.timeout(30_000);
  let space: Workspace;
  before(async () => {
    space = await workspace();
  });
  after(() => space?.remove());

  /** Where neither Go nor what it would build can be found, unless a path to them is given. */
  const options = (PATH = '') => ({ cwd: space.path, env: { PATH } });

  it('without Go shows the recorded estate, and succeeds whatever it finds', async () => {
    await space.write('ha-compliance.yaml', 'out: elsewhere\n');
    await space.write('ha-compliance-results/report.json', 'of a run before');
    const { status, stdout, stderr } = await execute([script], options());
    assert.match(stderr, /^npm start: this is the recorded state of one$/m);
    const { report } = await reportsIn(space.at('elsewhere'));
    const failed = `${report.summary.fail} of ${report.results.length} results failed`;
    const returned = `ha-compliance run would have returned ${exitStatus(report)}`;
    assert.ok(stderr.endsWith(`npm start: ${failed}: ${returned}\n`), stderr);
    assert.match(stdout, /^ {2}elsewhere\/report\.json$/m);
    assert.equal(status, 0);
    await space.write('ha-compliance.yaml', '');
  });

  it('with options of the user returns what the run returns', async () => {
    const { status, stderr } = await execute([script, '--out', 'mine'], options());
    assert.equal(status, exitStatus((await reportsIn(space.at('mine'))).report));
    assert.doesNotMatch(stderr, /would have returned/);
  });

  it('with --help gives the page of ha-compliance run, and starts nothing', async () => {
    const { status, stdout, stderr } = await execute([script, '--help'], options());
    assert.match(stdout, /^ha-compliance run \[options\]/);
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('with a slip in the options starts nothing', async () => {
    const { status, stdout, stderr } = await execute([script, '--bogus'], options());
    assert.match(stderr, /^ha-compliance: unknown option --bogus[^\n]*\n$/);
    assert.deepEqual([status, stdout], [2, '']);
  });

  it('with a recording of the user is ha-compliance run', async () => {
    await space.write('cart.yaml', cart);
    const args = [script, '--from', 'cart.yaml', '--out', 'cart', '--quiet'];
    const { status, stderr } = await execute(args, options());
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal((await reportsIn(space.at('cart'))).report.input.kind, 'manifests');
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`by ${signal} while it builds says that it was interrupted`, async () => {
      const go = await space.write('bin/go', '#!/bin/sh\nexec /bin/sleep 60\n');
      await chmod(go, 0o755);
      const { child, ended } = startNode([script], options(space.at('bin')));
      child.stderr.on('data', (text) => {
        if (`${text}`.includes('building')) child.kill(signal);
      });
      const { status, stdout, stderr } = await ended;
      assert.match(stderr, /\nnpm start: interrupted\n$/);
      assert.doesNotMatch(stderr, /unexpected|at .*:\d+:\d+/);
      assert.deepEqual([status, stdout], [2, '']);
    });
  }
});

const cart = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: cart, namespace: shop }
spec:
  replicas: 1
  selector: { matchLabels: { app: cart } }
  template:
    metadata: { labels: { app: cart } }
    spec: { containers: [{ name: cart, image: cart }] }
`;
