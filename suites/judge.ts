/** From a case to its result: evaluate, confirm, classify. */
import type { Result, Stage } from '../core/result.ts';
import { compare } from '../core/text.ts';
import { classify } from '../exceptions/classify.ts';
import type { Context } from './context.ts';
import type { Case } from './plan.ts';
import { cappedStage } from './stages.ts';

export async function judge(subject: Case, context: Context): Promise<Result> {
  const { check, scope } = subject;
  const { outcome, isConclusive } = await context.confirm(subject, context.evaluate(subject));
  const cap = check.cap?.(scope);
  const stageWith = (...caps: (Stage | undefined)[]) =>
    cappedStage(check, context.settings.stages, caps);
  const classified = classify(outcome, context.exceptions, {
    ...context.circumstances,
    check: check.id,
    stage: stageWith(cap),
    // What was seen once may be over by now.
    inconclusiveStage: stageWith(cap, 'flake'),
    isConclusive,
  });
  const inDoubt = classified.findings.some((finding) => !finding.conclusive);
  return {
    ...identityOf(subject),
    stage: inDoubt ? stageWith(cap, 'flake') : stageWith(cap),
    ...classified,
    notes: [...classified.notes, ...subject.attribution.notes].toSorted(compare),
  };
}

/** Of a case that the run did not come to. */
export function notReached(subject: Case, context: Context): Result {
  return {
    ...identityOf(subject),
    stage: cappedStage(subject.check, context.settings.stages, [
      subject.check.cap?.(subject.scope),
    ]),
    verdict: 'error',
    cause: 'partial',
    reason: 'the run ended before this was evaluated',
    examined: 0,
    notes: [],
    findings: [],
  };
}

function identityOf({ id, check, scope, subject, testName, attribution }: Case) {
  const { namespace } = scope;
  const { owner, jiraComponent } = attribution;
  return {
    id,
    check: check.id,
    ...(check.code !== undefined && { code: check.code }),
    suite: check.suite,
    severity: check.severity,
    ...(namespace !== undefined && { namespace }),
    ...(subject !== undefined && { subject }),
    testName,
    ...(owner && { owner }),
    ...(jiraComponent !== undefined && { jiraComponent }),
  };
}
