import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Report, Verdict } from '../core/result.ts';
import { command, execute } from './command.ts';
import { allow } from './permissions.ts';
import { reportsIn } from './reports.ts';
import { sharedSandbox } from './shared-sandbox.ts';
import type { Workspace } from './workspace.ts';
import { workspace } from './workspace.ts';

const root = join(import.meta.dirname, '..');
const mocha = join(
  dirname(createRequire(import.meta.url).resolve('mocha/package.json')),
  'bin/mocha.js',
);

interface MochaReport {
  readonly passes: readonly Test[];
  readonly pending: readonly Test[];
  readonly failures: readonly Test[];
}
interface Test {
  readonly title: string;
}

describe('npx mocha suites/*.ts', function () {
  this.timeout(60_000);
  const sandbox = sharedSandbox('ha');
  let space: Workspace;
  let env: Record<string, string>;

  before(async () => {
    space = await workspace();
    await allow(sandbox(), [{ user: 'without-jobs', except: ['jobs'] }]);
    const config = {
      as: 'without-jobs',
      excludeNamespaces: ['kube-system'],
      stages: { 'pdb-presence': 'enforce' },
      settleWait: '0s',
      thresholds: { settle: 0 },
    };
    env = {
      KUBECONFIG: sandbox().files.kubeconfig,
      HA_COMPLIANCE_CONFIG: await space.write('config.yaml', JSON.stringify(config)),
    };
  });
  after(() => space?.remove());

  it('gives the verdicts of the command, by the same configuration', async () => {
    const suites = globSync('suites/*.ts', { cwd: root });
    const [{ stdout, status }, { status: ours }] = await Promise.all([
      execute([mocha, '--reporter', 'json', ...suites], { cwd: root, env }),
      command(['run', '--out', 'out'], { cwd: space.path, env }),
    ]);
    const { report } = await reportsIn(space.at('out'));
    const theirs: MochaReport = JSON.parse(stdout);
    assert.deepEqual(titles(theirs.passes), named(report, ['pass', 'flake']));
    assert.deepEqual(titles(theirs.pending), named(report, ['skip']));
    assert.deepEqual(titles(theirs.failures), named(report, ['fail', 'error']));
    assert.equal(ours, 2);
    assert.notEqual(status, 0);
    // Each of the five is there to be compared.
    assert.deepEqual(
      Object.entries(report.summary).filter(([, n]) => n === 0),
      [],
    );
  });
});

const titles = (tests: readonly Test[]) => tests.map(({ title }) => title).toSorted();

const named = ({ results }: Report, verdicts: readonly Verdict[]) =>
  results
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ testName }) => testName)
    .toSorted();
