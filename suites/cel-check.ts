/** A check without code: which objects, a CEL expression that each must meet, and what is said otherwise. */
import { Environment } from '@marcbachmann/cel-js';
import { z } from 'zod';
import type { Artifacts } from '../core/artifacts.ts';
import type { AnyCheck } from '../core/check.ts';
import { finding } from '../core/finding.ts';
import type { Kind, ObjectOf } from '../core/kinds.ts';
import { kinds } from '../core/kinds.ts';
import { severities, stages } from '../core/result.ts';
import type { Scope } from '../core/scope.ts';
import { title } from '../core/text.ts';
import { within } from './time-limit.ts';

const text = z.string().min(1, 'text');
/** A part of class names in JUnit, and of options. */
export const suiteName = z.string().regex(/^[a-z][a-z0-9-]*$/, 'a word in kebab-case');
const names = Object.values(kinds).map(({ kind }) => kind);

const expression = text.superRefine((value, context) => {
  const problem = environment.check(value);
  if (!problem.valid) {
    const why = String(problem.error?.message).split('\n')[0] ?? '';
    context.addIssue({ code: 'custom', message: `a CEL expression (${why})` });
  }
});

export const celCheckSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)+$/, 'two or more words in kebab-case'),
  title: text,
  failureTitle: text,
  testName: text,
  suite: suiteName.default('user'),
  severity: z.enum(severities).default('minor'),
  stage: z.enum(stages).default('observe'),
  breaks: text,
  fix: text,
  source: z.array(z.strictObject({ title: text, url: text })).default([]),
  live: z.boolean().default(false),
  match: z.strictObject({
    kind: z.enum(names as [string, ...string[]]),
    where: expression.optional(),
  }),
  expect: expression,
  message: expression,
});
export type CelCheck = z.infer<typeof celCheckSchema>;

const environment = new Environment()
  .registerVariable('object', 'dyn')
  .registerVariable('cluster', 'dyn');

/** For all objects of a namespace together: thousands of them take a part of a second. */
const limit = 5000;

/** Fields that the catalogue does not read are absent in every object. */
export function fromCel(rule: CelCheck): AnyCheck {
  const { match, expect, message, live, ...own } = rule;
  const kind = kindOf(match.kind);
  const where = match.where === undefined ? undefined : environment.parse(match.where);
  const [good, said] = [environment.parse(expect), environment.parse(message)];
  return {
    ...own,
    scope: kinds[kind].namespaced ? 'namespace' : 'cluster',
    requires: [kind],
    ...(live && { live }),
    run(artifacts: never, scope: Scope) {
      const all = (artifacts as Artifacts<Kind>)[kind].in(scope.namespace);
      return within(limit, 'evaluating where, expect and message', () => {
        const judged = all.filter((object) => !where || isTrue(where, object, scope));
        const findings = judged
          .filter((object) => !isTrue(good, object, scope))
          .map((object) => finding(object, { message: textOf(said, object, scope) }));
        return { examined: judged.length, findings };
      });
    },
  };
}

const kindOf = (name: string) =>
  // The schema knows no other names.
  (Object.keys(kinds) as Kind[]).find((kind) => kinds[kind].kind === name) as Kind;

type Evaluate = ReturnType<typeof environment.parse>;

function isTrue(evaluate: Evaluate, object: ObjectOf<Kind>, scope: Scope): boolean {
  const value = resultOf(evaluate, object, scope);
  if (typeof value === 'boolean') return value;
  throw new TypeError(`expected true or false, found ${String(value)} for ${titleOf(object)}`);
}

function textOf(evaluate: Evaluate, object: ObjectOf<Kind>, scope: Scope): string {
  const value = resultOf(evaluate, object, scope);
  if (typeof value === 'string' && value.trim() !== '') return value;
  const found = typeof value === 'string' ? 'nothing' : typeOf(value);
  throw new TypeError(`message: expected text, found ${found} for ${titleOf(object)}`);
}

/** As CEL calls it. */
function typeOf(value: unknown): string {
  if (typeof value === 'bigint') return 'int';
  if (Array.isArray(value)) return 'list';
  if (value === null) return 'null';
  return typeof value === 'object' ? 'map' : typeof value;
}

function resultOf(evaluate: Evaluate, object: ObjectOf<Kind>, scope: Scope): unknown {
  const { topology, openshift, serverVersion = '' } = scope.cluster;
  const cluster = { openshift, serverVersion, ...('cause' in topology ? {} : topology) };
  try {
    return evaluate({ object: integers(object), cluster });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new Error(`${why} for ${titleOf(object)}`, { cause });
  }
}

const titleOf = ({ kind, metadata }: ObjectOf<Kind>) => title({ kind, ...metadata });

/** Numbers of objects are whole: CEL's int, not its double. */
function integers(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(integers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, integers(item)]));
}
