/** The first line of a recorded snapshot: what it is, and what is known of each kind. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { errorCauses, KnownError } from '../../core/errors.ts';
import type { Kind, KindInfo } from '../../core/kinds.ts';
import { kinds } from '../../core/kinds.ts';
import type { Shape } from '../../core/shape.ts';
import { inputKinds } from '../../core/snapshot.ts';

export const formatName = 'ha-compliance snapshot';
export const formatVersion = 1;

/** How every snapshot of any version begins. */
export const opening = `{"format":${JSON.stringify(formatName)},"version":`;

const gap = z.object({
  namespace: z.string().exactOptional(),
  cause: z.enum(errorCauses),
  detail: z.string(),
});

const listing = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('read'),
    /** How many lines of it follow: fewer mean that the file was cut short. */
    objects: z.int().nonnegative(),
    fields: z.string(),
    gaps: z.array(gap),
  }),
  z.object({ state: z.literal('not served') }),
  z.object({ state: z.literal('unknown') }),
  z.object({ state: z.literal('missing'), cause: z.enum(errorCauses), detail: z.string() }),
]);

const header = z.object({
  format: z.literal(formatName),
  version: z.literal(formatVersion),
  tool: z.string(),
  input: z.object({ kind: z.enum(inputKinds), name: z.string() }),
  takenAt: z.string().exactOptional(),
  serverVersion: z.string().exactOptional(),
  jobData: z
    .object({
      topology: z.string().exactOptional(),
      platform: z.string().exactOptional(),
      release: z.string().exactOptional(),
    })
    .exactOptional(),
  complete: z.boolean(),
  listings: z.record(z.string(), listing),
});
export type Header = z.infer<typeof header>;

const anyVersion = z.object({ version: z.number(), tool: z.string().optional() });

export function parseHeader(line: string, name: string): Header {
  const raw = parsed(line);
  const { version = formatVersion, tool = 'another version' } =
    anyVersion.safeParse(raw).data ?? {};
  if (version > formatVersion) {
    const message = `${name}: was recorded by ${tool} in format ${version}, and only formats up to ${formatVersion} are understood: a newer ha-compliance can read it`;
    throw new KnownError('UNREADABLE_INPUT', message);
  }
  const found = header.safeParse(raw);
  if (found.success) return found.data;
  const why = found.error.issues[0];
  const message = `${name}:1:1 is no header of a snapshot: ${why?.path.join('.')}: ${why?.message}`;
  throw new KnownError('UNREADABLE_INPUT', message, { cause: found.error });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Stands for the fields that are kept of a kind. A snapshot that kept others lacks what checks read
 * now, and a field that is lacking means something.
 */
export function fieldsOf(kind: Kind): string {
  const { shape, narrow }: KindInfo = kinds[kind];
  const text = JSON.stringify([outline(shape), narrow ? outline(narrow.shape) : []]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function outline(shape: Shape): readonly unknown[] {
  return Object.entries(shape)
    .map(([name, field]) => [name, field.type, 'shape' in field ? outline(field.shape) : []])
    .sort();
}
