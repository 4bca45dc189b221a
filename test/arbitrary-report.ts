/** Arbitrary reports: every verdict in a matrix of namespaces and checks, with texts as nasty as objects can hold. */
import fc from 'fast-check';
import { errorCauses } from '../core/errors.ts';
import type { ClassifiedFinding, ExceptionReference, Report, Result } from '../core/result.ts';
import { severities, stages, verdicts } from '../core/result.ts';
import { guard } from '../reports/guard.ts';
import { checks, report } from './sample-report.ts';

const nasty = fc.constantFrom(
  ...[']]>', ']]>]]>', '<![CDATA[', '</failure>', '&amp;', '"', "'", '\n', '\r\n', '\t', '\u0000'],
  ...[
    '\u001B[31m',
    '\u009B1m',
    '\uFFFE',
    '\uD83D',
    '🚀',
    '容器',
    'e\u0301',
    '\u202E',
    'x'.repeat(300),
  ],
  ...['\n[FAIL] ', '\n[FLAKE] ', 'ns/', '\u001B]8;;https://example.org\u0007'],
);
const text = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 12 })), { maxLength: 6 })
  .map((parts) => parts.join(''));

const optional = <T>(key: string, value: fc.Arbitrary<T>) =>
  fc.option(value).map((one) => (one === null ? {} : { [key]: one }));

const exception: fc.Arbitrary<ExceptionReference> = fc
  .record({
    at: text,
    check: fc.constant('pdb-presence'),
    state: fc.constantFrom('pending', 'permanent'),
    reason: text,
    jira: fc.constantFrom('OCPBUGS-1', 'https://issues.redhat.com/browse/NE-2', 'SANDBOX-3'),
  })
  .chain((base) => optional('source', fc.webUrl()).map((source) => ({ ...base, ...source })));

const finding: fc.Arbitrary<ClassifiedFinding> = fc
  .record({
    object: fc.record({ apiVersion: text, kind: text, namespace: text, name: text }),
    message: text,
    path: text,
    conclusive: fc.boolean(),
    command: text,
  })
  .chain((base) => optional('exception', exception).map((covered) => ({ ...base, ...covered })));

/** What classify() can make of a check in a namespace. */
const verdict: fc.Arbitrary<Partial<Result>> = fc
  .record({
    verdict: fc.constantFrom(...verdicts),
    stage: fc.constantFrom(...stages),
    severity: fc.constantFrom(...severities),
    cause: fc.constantFrom(...errorCauses),
    reason: text,
    notes: fc.array(text, { maxLength: 2 }),
    examined: fc.nat({ max: 9 }),
    findings: fc.array(finding, { minLength: 1, maxLength: 4 }),
  })
  .map(({ cause, reason, findings, ...rest }) => {
    if (rest.verdict === 'pass')
      return { ...rest, findings: rest.stage === 'observe' ? findings : [] };
    if (rest.verdict === 'skip') return { ...rest, reason };
    if (rest.verdict === 'error') return { ...rest, cause, reason };
    return { ...rest, findings };
  });

const label = fc.stringMatching(/^[a-z]([a-z-]{0,40}[a-z])?$/);
const component = fc.constantFrom(
  undefined,
  'Management Console',
  'Cloud Compute / Cloud Controller Manager',
);
const clusterChecks = ['nodes should be three', `pools should be ${'very '.repeat(60)}patient`];

/** Guarded, as a run's report is; each of the checks in each of the namespaces. */
export const arbitraryReport: fc.Arbitrary<Report> = fc
  .record({
    owners: fc.dictionary(label, component, { maxKeys: 5 }),
    cells: fc.infiniteStream(verdict),
    dirt: fc.constantFrom('', '\u0000', '\u001B[1m', ' \n'),
    complete: fc.boolean(),
    notEvaluated: fc.array(fc.record({ kind: text, reason: text }), { maxLength: 3 }),
    input: fc.record({ kind: fc.constantFrom('live', 'must-gather'), name: text }),
  })
  .map(({ owners, cells, dirt, complete, notEvaluated, input }) => {
    const next = (): Partial<Result> => cells.next().value ?? {};
    const namespaced = Object.entries(owners).flatMap(([namespace, owner]) =>
      checks.map(({ id }) =>
        one(id, namespace, owner, `${id} in ns/${namespace} should hold${dirt}`, next()),
      ),
    );
    const cluster = clusterChecks.map((name, n) =>
      one(`cluster-${n}`, undefined, undefined, name, next()),
    );
    const results = guard([...namespaced, ...cluster], 3);
    return report(results, { complete, input, coverage: { evaluated: [], notEvaluated } });
  });

function one(
  check: string,
  namespace: string | undefined,
  owner: string | undefined,
  name: string,
  changes: Partial<Result>,
): Result {
  const tag = owner === undefined ? '' : `[Jira:"${owner}"]`;
  return {
    id: `${check}/${namespace ?? 'cluster'}`,
    check,
    suite: 'redundancy',
    severity: 'major',
    stage: 'enforce',
    ...(namespace !== undefined && { namespace }),
    testName: `[Monitor:ha-compliance]${tag} ${name}`,
    owner:
      owner === undefined
        ? { name: 'network', source: 'ClusterOperator' }
        : { name: owner, source: 'component map' },
    ...(owner !== undefined && { jiraComponent: owner }),
    verdict: 'pass',
    examined: 1,
    notes: [],
    findings: [],
    ...changes,
  };
}
