/** Checks a parsed file against a schema and says where, what was expected and what was found. */
import { z } from 'zod';
import { describe } from '../core/errors.ts';
import { expectation } from './expectation.ts';
import type { YamlDocument } from './located-yaml.ts';
import { didYouMean } from './nearest.ts';
import type { Checked, Problem } from './problems.ts';

type Path = readonly PropertyKey[];

export function validate<S extends z.ZodType>(
  document: YamlDocument,
  schema: S,
): Checked<z.output<S>> {
  const parsed = schema.safeParse(document.value, { error: expectation });
  if (parsed.success) return { ok: true, value: parsed.data };
  const problems = parsed.error.issues
    .flatMap(deepest)
    .flatMap((issue) => problemsOf(issue, document, schema));
  return { ok: false, problems };
}

/** Of the alternatives of a union, the one that the value was closest to: whose fault lies inside. */
function deepest(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const inner = issue.errors.find((errors) => errors.every(({ path }) => path.length > 0));
  return inner?.map((error) => ({ ...error, path: [...issue.path, ...error.path] })) ?? [issue];
}

function problemsOf(
  issue: z.core.$ZodIssue,
  document: YamlDocument,
  schema: z.ZodType,
): readonly Problem[] {
  const { file } = document;
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => ({
      file,
      position: document.keyPositionOf([...issue.path, key]),
      text: `unknown key ${describe(key)}${didYouMean(key, known)}`,
    }));
  }
  const position = document.positionOf(issue.path);
  return [{ file, position, text: mismatch(issue, document.value, nameOf(issue.path)) }];
}

/** A value against an expectation, as every message about a file or an option words it. */
export function mismatch(issue: z.core.$ZodIssue, value: unknown, name: string): string {
  const found = valueAt(value, issue.path);
  const hint = typeof found === 'string' ? didYouMean(found, choicesOf(issue)) : '';
  const subject = name === '' ? '' : `${name}: `;
  return `${subject}expected ${issue.message}, found ${describe(found)}${hint}`;
}

/** What could have been meant: the values of an enum, or what a check of our own offers. */
function choicesOf(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  const offered: unknown = issue.code === 'custom' ? issue.params?.['choices'] : undefined;
  return Array.isArray(offered) ? offered.map(String) : [];
}

/** The keys that the schema knows in the map at a path. */
function keysAt(schema: unknown, path: Path): readonly string[] {
  const known = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  const [step, ...rest] = path;
  if (known instanceof z.ZodArray) return keysAt(known.element, rest);
  if (known instanceof z.ZodRecord) return keysAt(known.valueType, rest);
  if (!(known instanceof z.ZodObject)) return [];
  return step === undefined ? Object.keys(known.shape) : keysAt(known.shape[String(step)], rest);
}

function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.hasOwn(found, step) ? Reflect.get(found, step) : undefined;
  }
  return found;
}

/** `from[1]`, `junit.suiteName`. The place in a list of records is told by its line. */
function nameOf(path: Path): string {
  const steps = typeof path[0] === 'number' ? path.slice(1) : path;
  return steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}
