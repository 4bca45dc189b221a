/** A result as a JUnit case: which status it has there, and what its text says. */
import type { CheckSummary, Result } from '../core/result.ts';
import { clean, oneLine } from './clean.ts';
import { extent, findingLine, sidesOf } from './findings.ts';
import { acceptance } from './ticket.ts';

export interface Failure {
  /** One line: what is wrong. */
  readonly summary: string;
  /** The whole text; its first line is the summary. */
  readonly text: string;
}

/** A flake is written as two cases of one name, the failing one first. */
type JunitStatus =
  | { readonly kind: 'passed'; readonly output: string }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'flaky'; readonly failure: Failure; readonly output: string }
  | { readonly kind: 'skipped'; readonly message: string };

export interface JunitCase {
  readonly classname: string;
  readonly name: string;
  /** Sippy does not gate on it. */
  readonly informing: boolean;
  readonly status: JunitStatus;
}

export function caseOf(result: Result, check: CheckSummary | undefined): JunitCase {
  return {
    classname: `ha-compliance.${oneLine(result.suite)}`,
    name: result.testName,
    informing: result.verdict === 'flake' && result.stage === 'flake',
    status: statusOf(result, check),
  };
}

function statusOf(result: Result, check: CheckSummary | undefined): JunitStatus {
  const notes = result.notes.map((note) => oneLine(`note: ${note}`));
  switch (result.verdict) {
    case 'pass':
      return { kind: 'passed', output: text([...observed(result, check), ...notes]) };
    case 'skip':
      return { kind: 'passed', output: text([`not applicable: ${result.reason ?? ''}`, ...notes]) };
    case 'error':
      return { kind: 'skipped', message: `not evaluated: ${whyNot(result)}` };
    case 'flake':
      return flaky(result, check);
    case 'fail':
      return result.guarded
        ? flaky(result, check)
        : { kind: 'failed', failure: failureOf(result, check) };
  }
}

const whyNot = ({ cause, reason }: Result): string =>
  oneLine([cause, reason].filter(Boolean).join(' '));

function observed({ findings }: Result, check: CheckSummary | undefined): readonly string[] {
  if (findings.length === 0) return [];
  return [
    ...findings.map((finding) => `observed: ${findingLine(finding)}${accepted(finding)}`),
    ...evidence(findings, check),
  ];
}

const accepted = ({ exception }: Result['findings'][number]): string =>
  exception === undefined ? '' : `; ${acceptance(exception)}`;

function flaky(result: Result, check: CheckSummary | undefined): JunitStatus {
  const { uncovered } = sidesOf(result.findings);
  const reasons = new Set(
    result.findings.flatMap(({ exception }) => (exception ? [acceptance(exception)] : [])),
  );
  const output = [
    ...[...reasons].map((reason) => `covered by an exception: ${reason}`),
    ...(uncovered.length > 0 && !result.guarded
      ? ['not enforced: what is not covered fails only in stage enforce']
      : []),
    ...(result.guarded ? ['a failure beyond the mass failure limit, shown as a flake'] : []),
    ...result.notes.map((note) => oneLine(`note: ${note}`)),
  ];
  return { kind: 'flaky', failure: failureOf(result, check), output: text(output) };
}

function failureOf(result: Result, check: CheckSummary | undefined): Failure {
  const { covered, uncovered } = sidesOf(result.findings);
  const summary = oneLine(`${check?.failureTitle ?? result.check}: ${extent(result)}`);
  const lines = [
    summary,
    ...uncovered.map((finding) => `[FAIL] ${findingLine(finding)}`),
    ...covered.map((finding) => `[FLAKE] ${findingLine(finding)}${accepted(finding)}`),
    ...evidence(result.findings, check),
    ...ownerLines(result),
    ...result.notes.map((note) => oneLine(`Note: ${note}`)),
  ];
  return { summary, text: text(lines) };
}

/** What to run to see it, and what to read. */
function evidence(findings: Result['findings'], check: CheckSummary | undefined) {
  const commands = new Set(findings.map(({ command }) => oneLine(command)));
  return [
    '',
    'To see it:',
    ...[...commands].map((command) => `  ${command}`),
    ...(check === undefined
      ? []
      : [`Breaks: ${check.breaks}`, `Fix: ${check.fix}`, `Docs: ${check.docs}`]),
  ];
}

/** What has no component in its name says here whose it is. */
function ownerLines({ owner, jiraComponent }: Result): readonly string[] {
  return owner && jiraComponent === undefined
    ? [oneLine(`Owner: ${owner.source} ${owner.name}`)]
    : [];
}

const text = (lines: readonly string[]): string => clean(lines.join('\n'));
