/** Turns the outcome of a check into a verdict: which findings an exception covers, and what is left. */
import type { Outcome } from '../core/evaluate.ts';
import type { ClassifiedFinding, Finding, Result, Stage, Verdict } from '../core/result.ts';
import { compare } from '../core/text.ts';
import type { Exception } from './exception.ts';
import { compareByPlace, referenceTo } from './exception.ts';
import { matches } from './match.ts';
import type { Circumstances } from './validity.ts';
import { appliesTo, endOf } from './validity.ts';

export interface Case extends Circumstances {
  /** The id of the check. */
  readonly check: string;
  /** The stage in force, the situation's cap included. */
  readonly stage: Stage;
  /** The stage for findings that could not be confirmed. */
  readonly inconclusiveStage: Stage;
  readonly isConclusive: (finding: Finding) => boolean;
}

/** The part of a result that the classification decides. */
export type Classification = Pick<
  Result,
  'verdict' | 'reason' | 'cause' | 'examined' | 'notes' | 'findings'
>;

/** Pure; the order of the exceptions makes no difference. */
export function classify(
  outcome: Outcome,
  exceptions: readonly Exception[],
  circumstances: Case,
): Classification {
  switch (outcome.kind) {
    case 'skip':
      return {
        verdict: 'skip',
        reason: outcome.reason,
        examined: 0,
        notes: outcome.notes,
        findings: [],
      };
    case 'error': {
      const { cause, reason } = outcome;
      return { verdict: 'error', cause, reason, examined: 0, notes: [], findings: [] };
    }
    case 'judged': {
      const findings = cover(outcome.findings, exceptions, circumstances);
      const { examined, notes } = outcome;
      return { verdict: verdictOf(findings, circumstances), examined, notes, findings };
    }
  }
}

function cover(
  findings: readonly Finding[],
  exceptions: readonly Exception[],
  { check, isConclusive, ...circumstances }: Case,
): readonly ClassifiedFinding[] {
  if (findings.length === 0) return [];
  const valid = exceptions
    .filter((exception) => exception.check === check)
    .filter((exception) => !endOf(exception, circumstances) && appliesTo(exception, circumstances))
    .toSorted(compareByPrecedence);
  return findings.map((finding) => {
    const exception = valid.find((candidate) => matches(candidate, finding, circumstances.nodes));
    const { transient: _, ...kept } = finding;
    return {
      ...kept,
      conclusive: isConclusive(finding),
      ...(exception && { exception: referenceTo(exception) }),
    };
  });
}

/** The worst that one of the findings comes to. */
function verdictOf(
  findings: readonly ClassifiedFinding[],
  { stage, inconclusiveStage }: Case,
): Verdict {
  const each = findings.map((finding): Verdict => {
    const own = finding.conclusive ? stage : inconclusiveStage;
    if (own === 'observe') return 'pass';
    return own === 'flake' || finding.exception ? 'flake' : 'fail';
  });
  if (each.includes('fail')) return 'fail';
  return each.includes('flake') ? 'flake' : 'pass';
}

/** Of several exceptions the most exact one covers, so that the broader one is seen to be needless. */
function compareByPrecedence(a: Exception, b: Exception): number {
  return (
    count(b.name) - count(a.name) ||
    count(b.namespace) - count(a.namespace) ||
    count(b.container) - count(a.container) ||
    compareByPlace(a, b) ||
    // Two records can stand on one line.
    compare(JSON.stringify(a), JSON.stringify(b))
  );
}

function count(value: unknown): number {
  return value === undefined ? 0 : 1;
}
