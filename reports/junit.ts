/** The report as JUnit XML, by the rules of Sippy, ci-test-mapping and Prow's lens. */
import type { Builder, TestCase } from 'junit-report-builder';
import junitReportBuilder from 'junit-report-builder';
import type { Report } from '../core/result.ts';
import { oneLine } from './clean.ts';
import type { Failure, JunitCase } from './junit-case.ts';
import { caseOf } from './junit-case.ts';
import { frameworkCases } from './junit-framework.ts';
import { resultPerName } from './junit-names.ts';

export interface JunitOptions {
  /** Sippy drops files whose suite is not on its list. */
  readonly suiteName?: string;
}

export function renderJunit(
  report: Report,
  { suiteName = 'openshift-tests' }: JunitOptions = {},
): string {
  const builder = newBuilder();
  const suite = builder.testSuite().name(oneLine(suiteName)).timestamp(report.startedAt);
  const seconds = (Date.parse(report.finishedAt) - Date.parse(report.startedAt)) / 1000;
  onBuild(suite, (element) => element.att('time', Math.max(0, seconds).toFixed(3)));
  const checks = new Map(report.checks.map((check) => [check.id, check]));
  for (const junitCase of [
    ...frameworkCases(report),
    ...resultPerName(report.results).map((result) => caseOf(result, checks.get(result.check))),
  ]) {
    write(junitCase, () => suite.testCase());
  }
  return `${builder.build()}\n`;
}

/** Returns the last case that it wrote: the compiler then sees that no status is forgotten. */
function write(junitCase: JunitCase, newCase: () => TestCase): TestCase {
  const { status } = junitCase;
  const next = () => labelled(newCase(), junitCase);
  switch (status.kind) {
    case 'passed':
      return next().standardOutput(section(status.output));
    case 'failed':
      return fail(next(), status.failure);
    case 'flaky':
      fail(next(), status.failure);
      return next().standardOutput(section(status.output));
    case 'skipped':
      return skip(next(), status.message);
  }
}

function labelled(testCase: TestCase, { classname, name, informing }: JunitCase): TestCase {
  if (informing) testCase.property('lifecycle', 'informing');
  onBuild(testCase, (element) => {
    element.att('time', '0.0');
    if (informing) element.att('lifecycle', 'informing');
  });
  return testCase.className(classname).name(name);
}

const fail = (testCase: TestCase, { summary, text }: Failure): TestCase =>
  testCase.failure(summary.slice(0, 200).toWellFormed()).stacktrace(section(text));

/** The builder's skipped() takes no reason. */
function skip(testCase: TestCase, message: string): TestCase {
  testCase.getSkippedCount = () => 1;
  onBuild(testCase, (element) => element.ele('skipped', { message }));
  return testCase;
}

/** xmlbuilder splits a CDATA section at its first end mark only; a second one would break the file. */
const section = (text: string): string => text.replaceAll(']]>', ']] >');

type Element = Parameters<TestCase['build']>[0];

/** The builder has no way to set other attributes and children, or a time with a decimal point. */
function onBuild(node: Pick<TestCase, 'build'>, finish: (element: Element) => void): void {
  const build = node.build.bind(node);
  node.build = (parent) => {
    const element = build(parent);
    finish(element);
    return element;
  };
}

function newBuilder(): Builder {
  // The package's types describe a default export below `default`, but it exports the builder itself.
  return (junitReportBuilder as unknown as Builder).newBuilder();
}
