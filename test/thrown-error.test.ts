import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checks } from '../checks/index.ts';
import { artifactsOf } from '../core/artifacts.ts';
import type { AnyCheck } from '../core/check.ts';
import { evaluate } from '../core/evaluate.ts';
import { factsOf } from '../core/facts.ts';
import type { Report, Result } from '../core/result.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { exitStatus } from '../reports/exit-status.ts';
import { renderJunit } from '../reports/junit.ts';
import type { Context } from '../suites/context.ts';
import { judge } from '../suites/judge.ts';
import { selectNamespaces } from '../suites/namespaces.ts';
import { planOf } from '../suites/plan.ts';
import { reportOf } from '../suites/report.ts';
import { settingsOf } from '../suites/settings.ts';
import { deployment, estate, make, node, running } from './objects.ts';

const web = deployment('web', {
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web' }] } },
  },
});
const { snapshot } = estate([
  make('namespaces', 'shop'),
  make('namespaces', 'other'),
  node('worker-1'),
  node('worker-2'),
  ...running(web),
]);

/** A run of these checks on a snapshot, by the steps of a real one. */
async function run(own: readonly AnyCheck[], given: Snapshot = snapshot): Promise<Report> {
  const settings = settingsOf({});
  const cluster = factsOf(given, settings);
  const namespaces = selectNamespaces(given, { ...settings, openshift: false });
  const artifacts = artifactsOf(given);
  const now = new Date('2026-01-10T12:00:00Z');
  const context: Context = {
    settings,
    checks: own,
    snapshot: given,
    cases: planOf(own, namespaces, { cluster, attribute: () => ({ notes: [] }) }),
    exceptions: [],
    circumstances: {
      now,
      release: 'v1.36.3',
      platform: 'unknown',
      controlPlaneTopology: undefined,
    },
    evaluate: ({ check, scope }) => evaluate(check, given, artifacts(scope.namespace), scope),
    confirm: async (_, outcome) => ({ outcome, isConclusive: () => true }),
    dryRun: async () => ({ state: 'not tried', reason: 'a recording takes no patch' }),
    close: async () => {},
  };
  const results: Result[] = [];
  for (const subject of context.cases) results.push(await judge(subject, context));
  const tool = { name: 'ha-compliance', version: '0.0.0' };
  const times = { startedAt: now, finishedAt: now };
  return reportOf(context, results, { tool, ...times, interrupted: false });
}

describe('a check that throws', () => {
  const broken = checks.map((check): AnyCheck => {
    if (check.id !== 'pdb-presence') return check;
    return {
      ...check,
      run(artifacts, scope) {
        if (scope.namespace === 'shop') throw new TypeError('budget is undefined');
        return check.run(artifacts, scope);
      },
    };
  });

  it('costs its own result, which says what was thrown, and no other', async () => {
    const [found, expected] = [await run(broken), await run(checks)];
    for (const [i, result] of found.results.entries()) {
      if (result.id !== 'pdb-presence/shop') {
        assert.deepEqual(result, expected.results[i]);
        continue;
      }
      const { verdict, cause, reason } = result;
      assert.equal(expected.results[i]?.verdict, 'flake');
      assert.deepEqual(
        [verdict, cause, reason],
        ['error', 'exception', 'TypeError: budget is undefined'],
      );
    }
  });

  it('makes the exit status 2, and the run no less complete', async () => {
    const report = await run(broken);
    assert.equal(report.complete, true);
    assert.equal(exitStatus(report), 2);
  });

  it('is told in the case of the evaluation, and skipped in its own', async () => {
    const junit = renderJunit(await run(broken));
    assert.match(junit, /not evaluated: exception TypeError: budget is undefined/);
    assert.match(junit, /checks threw: 1 problem/);
  });

  it('costs as much on a recording', async () => {
    const recorded = { ...snapshot, input: { kind: 'snapshot', name: 'recorded' } } as const;
    assert.equal(exitStatus(await run(broken, recorded)), 2);
  });
});
