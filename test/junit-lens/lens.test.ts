import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import type { Report } from '../../core/result.ts';
import { renderJunit } from '../../reports/junit.ts';
import { resultPerName } from '../../reports/junit-names.ts';
import { arbitraryReport } from '../arbitrary-report.ts';
import { casesOf, parseXml } from '../junit-reimplementation/parse.ts';
import { sampleReport } from '../sample-report.ts';
import type { LensTest, LensView } from './lens.ts';
import { buildLens, lens } from './lens.ts';

describe("Prow's own junit lens", () => {
  let folder = '';

  before(async function () {
    this.timeout(15 * 60_000);
    await buildLens();
    folder = await mkdtemp(join(tmpdir(), 'ha-compliance-lens-'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  async function view(...texts: readonly string[]): Promise<LensView> {
    const files = texts.map((_, n) => join(folder, `junit_${n}.xml`));
    await Promise.all(files.map((file, n) => writeFile(file, texts[n] ?? '')));
    return lens(files);
  }

  it('shows every verdict as it is meant', async () => {
    const report = sampleReport();
    const shown = await view(renderJunit(report));
    const framework = [
      'ha-compliance collection',
      'ha-compliance evaluation',
      'mass failure limit',
    ];
    const testNames = (...ids: readonly string[]) =>
      report.results.filter(({ id }) => ids.includes(id)).map(({ testName }) => testName);
    assert.deepEqual(names(shown.failed), testNames('replicas-sufficient/openshift-console'));
    assert.deepEqual(
      names(shown.flaky.slice(3)),
      testNames(
        'replicas-sufficient/openshift-dns',
        'pdb-presence/openshift-console',
        'readiness-probes/openshift-console',
      ),
    );
    assert.deepEqual(
      shown.flaky.slice(0, 3).map(({ name }, n) => name.endsWith(framework[n] ?? '?')),
      [true, true, true],
    );
    assert.deepEqual(
      names(shown.passed),
      testNames(
        'replicas-sufficient/shop',
        'pdb-presence/openshift-dns',
        'readiness-probes/openshift-dns',
      ),
    );
    assert.deepEqual(names(shown.skipped), testNames('pdb-presence/shop', 'readiness-probes/shop'));
    assert.deepEqual(
      shown.skipped.map(({ reason }) => reason),
      [
        'not evaluated: forbidden podDisruptionBudgets list refused: 403',
        'not evaluated: exception TypeError: Cannot read properties of undefined',
      ],
    );
    assert.ok(shown.flaky.every(({ runs }) => runs === 2));
    assert.equal(shown.total, distinct(renderJunit(report)));
  });

  it('shows every verdict as it is meant, whatever the report holds', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryReport, { minLength: 12, maxLength: 12 }),
        async (reports) => {
          const texts = reports.map((report) => renderJunit(report));
          const { failed, flaky, skipped, total } = await view(...texts);
          const meant = (status: string) =>
            reports.flatMap((report) => namesOf(report, status)).toSorted();
          const shown = (tests: readonly LensTest[]) =>
            names(
              tests.filter(({ classname }) => classname !== 'ha-compliance.framework'),
            ).toSorted();
          assert.deepEqual(shown(failed), meant('fail'));
          assert.deepEqual(shown(flaky), meant('flake'));
          assert.deepEqual(shown(skipped), meant('error'));
          const counts = texts.map(distinct);
          assert.equal(
            total,
            counts.reduce((sum, n) => sum + n, 0),
          );
        },
      ),
      // One run of the lens sees twelve reports; it is not worth a hundred to shrink them.
      { numRuns: 1, endOnFailure: true },
    ));

  it('shows no flake where the class differs', async () => {
    const { failed, flaky, passed, total } = await view(suite('s', `${fail('a')}${pass('b')}`));
    assert.deepEqual([failed.length, flaky.length, passed.length, total], [1, 0, 1, 2]);
  });

  it('shows no flake where the twins are in two files', async () => {
    const { failed, flaky, passed, total } = await view(
      suite('s', fail('a')),
      suite('s', pass('a')),
    );
    assert.deepEqual([failed.length, flaky.length, passed.length, total], [1, 0, 1, 2]);
  });

  it('lists what was skipped and has failed under both, with message and text', async () => {
    const skipped =
      '<testcase classname="a" name="t" time="0.0"><skipped message="why">how</skipped></testcase>';
    const shown = await view(suite('s', `${fail('a')}${skipped}`));
    assert.deepEqual([shown.failed.length, shown.skipped.length, shown.total], [1, 1, 1]);
    const alone = await view(suite('s', skipped));
    assert.equal(alone.skipped[0]?.reason, 'why\nhow');
  });

  it('takes an error for a failure, which Sippy counts as a pass', async () => {
    const error = '<testcase classname="a" name="t" time="0.0"><error message="no"/></testcase>';
    assert.equal((await view(suite('s', error))).failed.length, 1);
  });

  it('loses a file whose counts are not integers', async () => {
    const { total } = await view(suite('s', pass('a')).replace('tests="1"', 'tests="1.0"'));
    assert.equal(total, 0);
  });

  it('follows nested suites, whatever they are called', async () => {
    const nested = suite('outer', pass('a'))
      .replace('<testcase', '<testsuite name="inner"><testcase')
      .replace('</testsuite>', '</testsuite></testsuite>');
    assert.equal((await view(nested)).passed.length, 1);
  });
});

const names = (tests: readonly LensTest[]): readonly string[] => tests.map(({ name }) => name);

function namesOf(report: Report, status: string): readonly string[] {
  return resultPerName(report.results)
    .filter(({ verdict, guarded }) => (guarded ? 'flake' : verdict) === status)
    .map(({ testName }) => testName);
}

const distinct = (text: string): number =>
  new Set(casesOf(parseXml(text)).map(({ classname, name }) => `${classname}\n${name}`)).size;

const suite = (name: string, cases: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><testsuite name="${name}" tests="1">${cases}</testsuite>`;
const pass = (classname: string): string =>
  `<testcase classname="${classname}" name="t" time="0.0"/>`;
const fail = (classname: string): string =>
  `<testcase classname="${classname}" name="t" time="0.0"><failure message="no"/></testcase>`;
