/** The JSON Schema of a file, for editors: published in docs/schemas and kept in step by a test. */
import { z } from 'zod';

/**
 * What a person may write, before durations become numbers and patterns are parsed. `names` are words
 * that no schema knows, such as those of checks, by the path of the part that may be one of them.
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  names: Readonly<Record<string, readonly string[]>> = {},
): string {
  const whole = z.toJSONSchema(schema, { io: 'input' });
  for (const [path, known] of Object.entries(names)) {
    Object.assign(partAt(whole, path.split('/')), { enum: known });
  }
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

function partAt(whole: object, path: readonly string[]): object {
  let part: unknown = whole;
  for (const step of path) part = Reflect.get(Object(part), step);
  if (typeof part === 'object' && part !== null) return part;
  throw new TypeError(`the schema has no part ${path.join('/')}`);
}
