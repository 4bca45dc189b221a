/** Checks what options say as the same is checked in the configuration file. */
import { KnownError } from '../core/errors.ts';
import { expectation } from './expectation.ts';
import type { Config } from './schema.ts';
import { configSchema } from './schema.ts';
import { mismatch } from './validate.ts';

/** `given` has the keys of the file; `names` say how the command line calls them. */
export function configOfOptions(
  given: { readonly [K in keyof Config]: unknown },
  names: Readonly<Record<string, string>>,
): Config {
  const parsed = configSchema.safeParse(given, { error: expectation });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const key = String(issue.path[0]);
    return mismatch(issue, given, names[key] ?? `--${key}`);
  });
  throw new KnownError('USAGE', problems.join('\n'), { cause: parsed.error });
}
