/** The JSON Schema of a file, for editors: published in docs/schemas and kept in step by a test. */
import { z } from 'zod';

/** What a person may write, before durations become numbers and patterns are parsed. */
export function jsonSchemaOf(schema: z.ZodType): string {
  return `${JSON.stringify(z.toJSONSchema(schema, { io: 'input' }), undefined, 2)}\n`;
}
