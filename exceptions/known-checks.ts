/** Resolves the check that an exception names: by its id, or by the code of a rollout rule. */
import { z } from 'zod';

export interface KnownCheck {
  readonly id: string;
  readonly code?: string;
  readonly suite: string;
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
