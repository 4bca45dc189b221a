/** Resolves the check that an exception names: by its id, or by the code of a rollout rule. */
import { z } from 'zod';

export interface KnownCheck {
  readonly id: string;
  readonly code?: string;
  readonly suite: string;
  readonly perContainer?: true;
}

/** An exception for a container would cover nothing where findings are about whole objects. */
export function containerRule(checks: readonly KnownCheck[]) {
  const perContainer = new Set(checks.filter((check) => check.perContainer).map(({ id }) => id));
  return (
    { check, container }: { readonly check: string; readonly container?: string | undefined },
    context: z.RefinementCtx,
  ) => {
    if (container === undefined || perContainer.has(check)) return;
    const message = `nothing (the findings of ${check} name no container)`;
    context.addIssue({ code: 'custom', path: ['container'], message });
  };
}

/** The schema of the field `check`; its value is the check's id. */
export function checkSchema(checks: readonly KnownCheck[]) {
  const suites = new Set(checks.map(({ suite }) => suite));
  const ids = new Map(checks.map(({ id, code }) => [code ?? id, id]));
  for (const { id } of checks) ids.set(id, id);
  return z.string().transform((given, context) => {
    const id = ids.get(given);
    if (id !== undefined) return id;
    const isSuite = suites.has(given);
    context.addIssue({
      code: 'custom',
      message: isSuite ? 'the id of a check, not the name of a suite' : 'the id of a check',
      params: { choices: isSuite ? [] : [...ids.keys()] },
    });
    return z.NEVER;
  });
}
