import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Report, Result } from '../core/result.ts';
import { arbitraryReport } from '../test/arbitrary-report.ts';
import { golden } from '../test/golden.ts';
import type { Case, Status } from '../test/junit-reimplementation/parse.ts';
import { casesOf, parseXml, sippyStatuses } from '../test/junit-reimplementation/parse.ts';
import { violations } from '../test/junit-reimplementation/rules.ts';
import {
  finding,
  largeReport,
  pending,
  report,
  result,
  sampleReport,
} from '../test/sample-report.ts';
import { guard } from './guard.ts';
import { renderJunit } from './junit.ts';
import { junitFileName } from './junit-file.ts';
import { resultPerName } from './junit-names.ts';

const read = (one: Report) => casesOf(parseXml(renderJunit(one)));
const named = (one: Report, name: string): readonly Case[] =>
  read(one).filter((found) => found.name.includes(name));
const broken = (one: Report, limit = 10) =>
  violations(
    { path: `out/junit/${junitFileName(one.startedAt)}`, text: renderJunit(one) },
    { limit },
  );

describe('renderJunit', () => {
  it('writes a case or twins for each result', async () => {
    await golden('junit.xml', renderJunit(sampleReport()));
  });

  it('says whose a failure is where no component does', () => {
    const owner = { name: 'network', source: 'ClusterOperator' } as const;
    const failing = { verdict: 'fail', findings: [finding('web')], owner } as const;
    const textOf = (changes: Partial<Result>) =>
      named(report([result('pdb-presence', 'shop', changes)]), 'shop')[0]?.failure?.text ?? '';
    assert.match(textOf(failing), /^Owner: ClusterOperator network$/m);
    assert.doesNotMatch(textOf({ ...failing, jiraComponent: 'Shop' }), /^Owner:/m);
  });

  it('obeys every rule of its readers, whatever the report holds', () => {
    fc.assert(fc.property(arbitraryReport, (one) => assert.deepEqual(broken(one, 3), [])));
  });

  it('shows Sippy the verdicts that are meant, whatever the report holds', () => {
    fc.assert(
      fc.property(arbitraryReport, (one) => {
        const statuses = sippyStatuses(read(one));
        for (const merged of resultPerName(one.results)) {
          assert.equal(statuses.get(merged.testName), meant(merged));
        }
      }),
    );
  });

  it('writes one line for each violation, whatever the report holds', () => {
    fc.assert(
      fc.property(arbitraryReport, (one) => {
        const failing = one.results.filter(
          ({ verdict }) => verdict === 'fail' || verdict === 'flake',
        );
        const tagged = read(one).flatMap(
          ({ failure }) => failure?.text.match(/^\[(FAIL|FLAKE)\]/gm) ?? [],
        );
        assert.equal(tagged.length, failing.flatMap(({ findings }) => findings).length);
      }),
    );
  });

  it('obeys every rule with many failures, once the guard has acted', () => {
    const large = largeReport();
    const results = large.results.map((one) => ({
      ...one,
      verdict: 'fail' as const,
      findings: [finding('web')],
    }));
    assert.deepEqual(broken({ ...large, results: guard(results) }), []);
    assert.match(broken({ ...large, results }).join(), /^R12: 180 failures$/);
  });

  it('takes the name of the suite from its caller', () => {
    assert.match(renderJunit(sampleReport(), { suiteName: 'ha' }), /<testsuite name="ha"/);
  });

  it('never lets time run backwards', () => {
    const finishedAt = '2026-11-21T16:27:10.000Z';
    assert.match(renderJunit(report([], { finishedAt })), / time="0\.000"/);
  });

  it('calls a check that it knows nothing of by its id', () => {
    const unknown = result('own-check', 'shop', { verdict: 'fail', findings: [finding('web')] });
    const [failing] = named(report([unknown]), 'own-check');
    assert.match(
      failing?.failure?.text ?? '',
      /^own-check: 1 finding in 4 objects\n\[FAIL\] Deployment/,
    );
  });

  it('says without more ado why a check does not apply or has thrown', () => {
    const skip = result('a', 'shop', { verdict: 'skip', notes: ['2 are switched off'] });
    const error = result('b', 'shop', { verdict: 'error' });
    const cases = read(report([skip, error])).slice(-2);
    assert.equal(cases[0]?.output, 'not applicable: \nnote: 2 are switched off');
    assert.equal(cases[1]?.skipped?.attributes['message'], 'not evaluated: ');
  });
});

describe('the cases of the framework', () => {
  const collection = 'monitor test ha-compliance collection';
  const evaluation = 'monitor test ha-compliance evaluation';
  const limit = 'ha-compliance failures should stay below the mass failure limit';

  it('pass when nothing went wrong', () => {
    const cases = read(report([]));
    assert.deepEqual(
      cases.map(({ name, classname, failure, output }) => [name, classname, failure, output]),
      [collection, evaluation, limit].map((name) => [
        `[Monitor:ha-compliance][Jira:"Test Framework"] ${name}`,
        'ha-compliance.framework',
        undefined,
        '',
      ]),
    );
  });

  it('say that the run was cut short', () => {
    const [failing, passing] = named(report([], { complete: false }), collection);
    assert.match(
      failing?.failure?.text ?? '',
      /^the cluster was not read completely: 1 problem\nthe run was cut short/,
    );
    assert.equal(passing?.failure, undefined);
  });

  it('say that the recording was', () => {
    const input = { kind: 'must-gather', name: 'x.tar' } as const;
    const [failing] = named(report([], { complete: false, input }), collection);
    assert.match(failing?.failure?.text ?? '', /\nthe recording is not whole: what it lost/);
  });

  it('say what was not read and what that costs', () => {
    const text = named(sampleReport(), collection)[0]?.failure?.text ?? '';
    assert.match(text, /^not read: podDisruptionBudgets in ns\/shop: list refused: 403$/m);
    assert.match(
      text,
      /^not evaluated: 1 result \(forbidden podDisruptionBudgets\), such as pdb-presence\/shop: /m,
    );
    assert.doesNotMatch(text, /TypeError/);
  });

  it('tell a check that threw apart from missing data', () => {
    const text = named(sampleReport(), evaluation)[0]?.failure?.text ?? '';
    assert.match(
      text,
      /^checks threw: 1 problem\nnot evaluated: 1 result \(exception readiness-probes\)/,
    );
  });

  it('name stale exceptions', () => {
    const unused = [{ ...pending, matched: 0 }];
    const [passing] = named(
      report([], { exceptions: { ...report([]).exceptions, unused } }),
      evaluation,
    );
    assert.equal(
      passing?.output,
      `stale exception: ${pending.at} for replicas-sufficient matches nothing`,
    );
  });

  it('list what the mass failure limit has turned into flakes', () => {
    const text = named(sampleReport(), limit)[0]?.failure?.text ?? '';
    assert.match(
      text,
      /^2 results fail, more than a run may report: 1 problem\nshown as a flake: .*health checks$/,
    );
  });
});

function meant({ verdict, guarded }: Result): Status {
  if (verdict === 'fail') return guarded ? 'flake' : 'fail';
  if (verdict === 'error') return 'skip';
  return verdict === 'skip' ? 'pass' : verdict;
}
