/** The schema of report.json: published for others in docs/schemas, and what later readers parse with. */
import { z } from 'zod';
import { errorCauses, KnownError } from '../core/errors.ts';
import type { Report } from '../core/result.ts';
import { ownerSources, schemaVersion, severities, stages, verdicts } from '../core/result.ts';
import { inputKinds } from '../core/snapshot.ts';
import { topologyModes } from '../core/topology.ts';

/** The report in a report.json; `name` says in errors which one it is. */
export function parseReport(text: string, name = 'report.json'): Report {
  const parsed = reportSchema.safeParse(parseJson(text, name));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${at(path)}: ${message}`);
  const shown = problems.slice(0, 5).join('; ');
  const more = problems.length > 5 ? `; and ${problems.length - 5} more` : '';
  throw new KnownError('UNREADABLE_INPUT', `${name}: not a report: ${shown}${more}`);
}

/** JSON Schema, draft 2020-12. Open: later versions of the tool may add keys. */
export function reportJsonSchema(): unknown {
  return z.toJSONSchema(reportSchema.meta({ title: 'report.json of ha-compliance' }), {
    io: 'input',
    override: ({ jsonSchema }) => {
      // Says that TypeScript may not write to it: nothing about the file.
      delete jsonSchema.readOnly;
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KnownError('UNREADABLE_INPUT', `${name}: not JSON: ${error}`, { cause: error });
  }
}

/** `results[3].verdict` */
function at(path: readonly PropertyKey[]): string {
  const steps = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return steps.join('').replace(/^\./, '') || 'the whole';
}

const number = z.int().nonnegative();
const stage = z.enum(stages);
const list = <T extends z.ZodType>(item: T) => z.array(item).readonly();

const exception = z.object({
  at: z.string(),
  check: z.string(),
  state: z.enum(['pending', 'permanent']),
  reason: z.string(),
  jira: z.exactOptional(z.string()),
  source: z.exactOptional(z.string()),
  expires: z.exactOptional(z.string()),
  targetRelease: z.exactOptional(z.string()),
});

const finding = z
  .object({
    code: z.exactOptional(z.string()),
    object: z.object({
      apiVersion: z.string(),
      kind: z.string(),
      namespace: z.exactOptional(z.string()),
      name: z.string(),
      container: z.exactOptional(z.string()),
    }),
    path: z.exactOptional(z.string()),
    message: z.string(),
    conclusive: z.boolean(),
    command: z.string(),
    patch: z.exactOptional(z.record(z.string(), z.unknown())),
    exception: z.exactOptional(exception.meta({ id: 'Exception' })),
  })
  .meta({ id: 'Finding', description: 'One violation by one object' });

const result = z.object({
  id: z.string(),
  check: z.string(),
  code: z.exactOptional(z.string()),
  suite: z.string(),
  severity: z.enum(severities),
  stage,
  namespace: z.exactOptional(z.string()),
  subject: z.exactOptional(z.string()),
  cluster: z.exactOptional(z.string()),
  testName: z.string(),
  owner: z.exactOptional(z.object({ name: z.string(), source: z.enum(ownerSources) })),
  jiraComponent: z.exactOptional(z.string()),
  verdict: z.enum(verdicts),
  guarded: z.exactOptional(z.literal(true)),
  reason: z.exactOptional(z.string()),
  cause: z.exactOptional(z.enum(errorCauses)),
  examined: number,
  notes: list(z.string()),
  findings: list(finding),
});

const use = exception.extend({ matched: number, note: z.exactOptional(z.string()) });
const uses = list(use.meta({ id: 'ExceptionUse' }));
const figure = z.exactOptional(number);
const mode = z.enum(topologyModes);

const reportSchema = z.object({
  schemaVersion: z.literal(schemaVersion),
  tool: z.object({ name: z.string(), version: z.string() }),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  stages: z.record(z.string(), stage),
  input: z.object({ kind: z.enum(inputKinds), name: z.string() }),
  topology: z.union([
    z.object({
      controlPlaneTopology: mode,
      infrastructureTopology: mode,
      source: z.enum(['Infrastructure', 'cluster-data', 'nodes', 'option', 'assumed']),
      note: z.exactOptional(z.string()),
    }),
    z.literal('unknown'),
  ]),
  platform: z.string(),
  release: z.string(),
  coverage: z.object({
    evaluated: list(z.string()),
    notEvaluated: list(z.object({ kind: z.string(), reason: z.string() })),
  }),
  complete: z.boolean(),
  interrupted: z.exactOptional(z.literal(true)),
  checks: list(
    z.object({
      id: z.string(),
      title: z.string(),
      failureTitle: z.string(),
      breaks: z.string(),
      fix: z.string(),
      docs: z.string(),
    }),
  ),
  results: list(
    result.meta({ id: 'Result', description: 'The verdict of one check in one namespace' }),
  ),
  exceptions: z.object({
    used: uses,
    unused: uses,
    expired: uses,
    expiring: uses,
    shadowed: uses,
    broader: uses,
  }),
  inventory: z.object({
    namespaces: figure,
    podDisruptionBudgets: figure,
    deployments: figure,
    deploymentsByReplicas: z.exactOptional(z.record(z.string(), number)),
    containers: figure,
    containersWithoutLiveness: figure,
    containersWithoutReadiness: figure,
    containersWithoutStartup: figure,
  }),
  summary: z.record(z.enum(verdicts), number),
});

/** Compiles only while schema and core's Report are the same type, optional keys included. */
type Plain<T> = unknown extends T
  ? T
  : T extends object
    ? { readonly [K in keyof T]: Plain<T[K]> }
    : T;
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
true satisfies Same<Plain<Report>, Plain<z.infer<typeof reportSchema>>>;
