/** Which stage is in force: the check's own, what options say of all or of one, and caps. */
import type { AnyCheck } from '../core/check.ts';
import type { Stage } from '../core/result.ts';
import { stages } from '../core/result.ts';

/** `*` for all of them, the id of a check, or the name of a suite. */
export type StageOptions = Readonly<Record<string, Stage>>;

/** What the options make of a check's stage, before any situation caps it. */
export function stageOf(check: AnyCheck, options: StageOptions): Stage {
  const named = options[check.id] ?? options[check.suite];
  if (named) return named;
  switch (options['*']) {
    // A rule that is only observed is raised by name alone.
    case 'enforce':
      return check.stage === 'flake' ? 'enforce' : check.stage;
    case 'flake':
      return check.stage === 'enforce' ? 'flake' : check.stage;
    case 'observe':
      return 'observe';
    default:
      return check.stage;
  }
}

/** The stage for findings of a scope: a cap holds unless the check itself was named. */
export function cappedStage(
  check: AnyCheck,
  options: StageOptions,
  caps: readonly (Stage | undefined)[],
): Stage {
  const stage = stageOf(check, options);
  if (options[check.id] !== undefined) return stage;
  return caps.reduce<Stage>(
    (lowest, cap) => (cap && rank(cap) < rank(lowest) ? cap : lowest),
    stage,
  );
}

const rank = (stage: Stage) => stages.indexOf(stage);
