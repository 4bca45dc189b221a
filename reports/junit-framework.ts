/** The cases about the run itself: trouble of our own is never a failure of a component. */
import type { Report } from '../core/result.ts';
import { count } from '../core/text.ts';
import { clean, oneLine } from './clean.ts';
import { endedEarly } from './ended-early.ts';
import type { ErrorGroup } from './error-groups.ts';
import { errorGroups } from './error-groups.ts';
import type { JunitCase } from './junit-case.ts';

/** Names are for ever, these too. */
export const frameworkNames = {
  collection: 'monitor test ha-compliance collection',
  evaluation: 'monitor test ha-compliance evaluation',
  limit: 'ha-compliance failures should stay below the mass failure limit',
} as const;

/** In every run: passing, or flakes that say what went wrong. */
export function frameworkCases(report: Report): readonly JunitCase[] {
  const groups = errorGroups(report.results);
  const failing = report.results.filter(({ verdict }) => verdict === 'fail').length;
  return [
    frameworkCase('collection', 'the cluster was not read completely', collection(report, groups)),
    frameworkCase('evaluation', 'checks threw', evaluation(groups), staleExceptions(report)),
    frameworkCase('limit', `${failing} results fail, more than a run may report`, guarded(report)),
  ];
}

function frameworkCase(
  key: keyof typeof frameworkNames,
  title: string,
  troubles: readonly string[],
  notes: readonly string[] = [],
): JunitCase {
  const summary = `${title}: ${count(troubles.length, 'problem')}`;
  const text = clean([summary, ...troubles.map(oneLine)].join('\n'));
  const output = clean(notes.map(oneLine).join('\n'));
  const explained = clean(
    ['trouble of the run, not of a component', ...notes.map(oneLine)].join('\n'),
  );
  return {
    classname: 'ha-compliance.framework',
    name: `[Monitor:ha-compliance][Jira:"Test Framework"] ${frameworkNames[key]}`,
    informing: false,
    status:
      troubles.length === 0
        ? { kind: 'passed', output }
        : { kind: 'flaky', failure: { summary, text }, output: explained },
  };
}

const lacks = {
  run: 'the run was cut short: what it did not reach is not in this file',
  recording: 'the recording is not whole: what it lost is not in this file',
} as const;

function collection(report: Report, groups: readonly ErrorGroup[]): readonly string[] {
  const end = endedEarly(report);
  return [
    ...(end === undefined ? [] : [lacks[end]]),
    ...report.coverage.notEvaluated.map(({ kind, reason }) => `not read: ${kind}: ${reason}`),
    ...groups.filter(({ cause }) => cause !== 'exception').map(groupLine),
  ];
}

const evaluation = (groups: readonly ErrorGroup[]): readonly string[] =>
  groups.filter(({ cause }) => cause === 'exception').map(groupLine);

const groupLine = ({ cause, subject, reason, results }: ErrorGroup): string =>
  `not evaluated: ${count(results.length, 'result')} (${cause} ${subject}), such as ${results[0]?.id}: ${reason}`;

const staleExceptions = ({ exceptions }: Report): readonly string[] =>
  exceptions.unused.map(({ at, check }) => `stale exception: ${at} for ${check} matches nothing`);

function guarded({ results }: Report): readonly string[] {
  return results
    .filter((result) => result.guarded)
    .map(({ testName }) => `shown as a flake: ${testName}`);
}
