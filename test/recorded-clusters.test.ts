import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { checks } from '../checks/index.ts';
import type { Inventory } from '../core/inventory.ts';
import type { Report, Result, Verdict } from '../core/result.ts';
import { resultPerName } from '../reports/junit-names.ts';
import released from '../reports/released-names.json' with { type: 'json' };
import components from '../suites/namespace-components.json' with { type: 'json' };
import { command } from './command.ts';
import type { LensTest, LensView } from './junit-lens/lens.ts';
import { buildLens, lens } from './junit-lens/lens.ts';
import { violations } from './junit-reimplementation/rules.ts';
import { reportsIn } from './reports.ts';
import { run } from './run.ts';
import type { Workspace } from './workspace.ts';
import { workspace } from './workspace.ts';

/** Beside the checkout, where there are any. */
const data = join(import.meta.dirname, '..', '..', 'shared', 'data');

const figures: Readonly<Record<string, Inventory>> = {
  'must-gather-aws': {
    namespaces: 57,
    podDisruptionBudgets: 8,
    deployments: 57,
    deploymentsByReplicas: { 1: 43, 2: 10, 3: 4 },
    containers: 133,
    containersWithoutLiveness: 113,
    containersWithoutReadiness: 110,
    containersWithoutStartup: 132,
  },
  'must-gather-metal': {
    namespaces: 67,
    podDisruptionBudgets: 10,
    deployments: 55,
    deploymentsByReplicas: { 1: 43, 2: 8, 3: 4 },
    containers: 112,
    containersWithoutLiveness: 95,
    containersWithoutReadiness: 91,
    containersWithoutStartup: 111,
  },
};

for (const [name, inventory] of Object.entries(figures)) {
  describe(`the report of ${name}`, function () {
    this.timeout(60_000);
    const archive = join(data, `${name}.tar.xz`);
    let space: Workspace;
    let report: Report;
    let junit: string;
    let junitPath: string;
    let seconds: number;

    before(async function () {
      if (!existsSync(archive)) return this.skip();
      space = await workspace();
      const started = performance.now();
      const { status } = await command(['run', '--from', archive, '--out', 'x'], {
        cwd: space.path,
      });
      seconds = (performance.now() - started) / 1000;
      ({ report, junit, junitPath } = await reportsIn(space.at('x')));
      assert.notEqual(status, 2);
    });
    after(() => space?.remove());

    it('is there in under 15 s', () => {
      assert.ok(seconds < 15, `${seconds} s`);
    });

    it('counts what the archive holds', () => {
      assert.deepEqual(report.inventory, inventory);
      assert.equal(report.complete, true);
    });

    it('is JUnit by all rules', () => {
      const file = { path: `junit/${junitPath.split('/').at(-1)}`, text: junit };
      const expected = {
        components: [...Object.values(components), 'Test Framework'],
        released: released.released,
      };
      assert.deepEqual(violations(file, expected), []);
    });

    it("is shown by Prow's lens as it is meant", async function () {
      this.timeout(15 * 60_000);
      await buildLens();
      const shown = await lens([junitPath]);
      assert.deepEqual(statusesIn(shown), statusesOf(report));
    });

    it('says of a server that is too old which check that concerns', () => {
      const policy = report.results.filter(({ check }) => check === 'pdb-unhealthy-eviction');
      const present = policy.filter(({ reason }) => reason !== 'namespace absent');
      assert.ok(present.length > 0);
      for (const { reason = '' } of present) assert.match(reason, /^server too old: /);
    });

    it('never passes a namespace of which only some groups were saved', () => {
      const own = report.results.filter(({ namespace }) => namespace === 'openshift-operators');
      const required = own.filter(({ check }) => requires(check, 'pods'));
      assert.ok(required.length > 0);
      for (const { id, verdict, cause, reason } of required) {
        const isTooOld = reason?.startsWith('server too old');
        assert.deepEqual(
          [id, verdict, cause],
          isTooOld ? [id, 'skip', undefined] : [id, 'error', 'not collected'],
        );
      }
    });
  });
}

type Statuses = Readonly<Record<'failed' | 'flaky' | 'skipped' | 'passed', readonly string[]>>;

/** Without the cases about the run itself. */
function statusesIn({ failed, flaky, skipped, passed }: LensView): Statuses {
  const names = (tests: readonly LensTest[]) =>
    tests
      .filter(({ classname }) => classname !== 'ha-compliance.framework')
      .map(({ name }) => name)
      .toSorted();
  return {
    failed: names(failed),
    flaky: names(flaky),
    skipped: names(skipped),
    passed: names(passed),
  };
}

function statusesOf({ results }: Report): Statuses {
  const status = ({ verdict, guarded }: Result): Verdict => (guarded ? 'flake' : verdict);
  const named = (...verdicts: readonly Verdict[]) =>
    resultPerName(results)
      .filter((result) => verdicts.includes(status(result)))
      .map(({ testName }) => testName)
      .toSorted();
  return {
    failed: named('fail'),
    flaky: named('flake'),
    skipped: named('error'),
    passed: named('pass', 'skip'),
  };
}

const find = (id: string) => checks.find((check) => check.id === id);
const requires = (check: string, kind: string) =>
  find(check)?.requires.some((one) => one === kind) ?? false;

describe('the report of a recorded state without workloads', () => {
  async function reportOf(state: string): Promise<Report> {
    const from = globSync(join(data, 'cluster-states', `${state}-*.yaml`)).toSorted();
    return run({ from });
  }

  function assertNotJudged({ results }: Report, except: readonly Result[] = []): void {
    const withPods = results.filter(({ check }) => requires(check, 'pods'));
    assert.ok(withPods.length > 100);
    for (const { id, verdict, cause } of withPods.filter((one) => !except.includes(one))) {
      assert.deepEqual([id, verdict, cause], [id, 'error', 'not collected']);
    }
  }

  before(function () {
    if (!existsSync(data)) this.skip();
  });

  const pools = ({ results }: Report) => results.find(({ check }) => check === 'pool-progress');

  it('finds the pool that is paused, and nothing of the other', async () => {
    const report = await reportOf('4.14.1-paused-worker-pool');
    const found = pools(report)?.findings.map(
      ({ object, message }) => `${object.name}: ${message}`,
    );
    assert.equal(found?.length, 1);
    assert.match(found?.[0] ?? '', /^worker: worker is paused \(3 of 3 nodes updated\)$/);
    assertNotJudged(report);
  });

  it('derives of a single node that nothing need be redundant', async () => {
    const report = await reportOf('4.16.0-single-node');
    assert.deepEqual(report.topology, {
      controlPlaneTopology: 'SingleReplica',
      infrastructureTopology: 'SingleReplica',
      source: 'nodes',
    });
    const redundant = report.results.filter(
      ({ check }) => find(check)?.redundant || find(check)?.controlPlaneTopologies,
    );
    assert.ok(redundant.length > 100);
    for (const { id, verdict, reason } of redundant) {
      assert.deepEqual([id, verdict, reason], [id, 'skip', 'topology: SingleReplica']);
    }
    assertNotJudged(report, redundant);
  });

  it('derives of a compact cluster that it is highly available', async () => {
    const report = await reportOf('4.16.0-compact');
    assert.deepEqual(report.topology, {
      controlPlaneTopology: 'HighlyAvailable',
      infrastructureTopology: 'HighlyAvailable',
      source: 'nodes',
    });
    assert.equal(pools(report)?.verdict, 'pass');
    assertNotJudged(report);
  });
});
