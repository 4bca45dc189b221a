/** Reports for tests: a small one that holds every verdict, and parts to make others of. */
import type {
  CheckSummary,
  ClassifiedFinding,
  ExceptionReference,
  Report,
  Result,
} from '../core/result.ts';
import { verdicts } from '../core/result.ts';

export const checks: readonly CheckSummary[] = [
  {
    id: 'replicas-sufficient',
    title: 'Workloads keep at least two replicas',
    failureTitle: 'Workloads keep too few replicas to lose one',
    breaks: 'the only replica goes with its node; its clients get errors until it runs elsewhere',
    fix: 'keep at least two replicas, or say in an exception why one is enough',
    docs: 'https://example.org/checks/replicas-sufficient',
  },
  {
    id: 'pdb-presence',
    title: 'Replicated workloads have a PodDisruptionBudget',
    failureTitle: 'Replicated workloads have no PodDisruptionBudget',
    breaks: 'a drain of several nodes evicts all replicas at once',
    fix: 'add a PodDisruptionBudget with maxUnavailable 1',
    docs: 'https://example.org/checks/pdb-presence',
  },
  {
    id: 'readiness-probes',
    title: 'Serving containers define a readiness probe',
    failureTitle: 'Serving containers define no readiness probe',
    breaks: 'a starting pod gets requests that it cannot answer',
    fix: 'add a readinessProbe to the container',
    docs: 'https://example.org/checks/readiness-probes',
  },
];

const names: Readonly<Record<string, string>> = {
  'replicas-sufficient': 'workloads in ns/<namespace> should have sufficient replicas for HA',
  'pdb-presence': 'workloads in ns/<namespace> should be protected by PodDisruptionBudgets',
  'readiness-probes': 'pods in ns/<namespace> should define health checks',
};

const suites: Readonly<Record<string, string>> = {
  'replicas-sufficient': 'redundancy',
  'pdb-presence': 'disruption',
  'readiness-probes': 'probes',
};

export const pending: ExceptionReference = {
  at: 'exceptions/openshift.yaml:12',
  check: 'replicas-sufficient',
  state: 'pending',
  reason: 'needs leader election first',
  jira: 'OCPBUGS-12345',
  expires: '2027-03-01',
};

export const permanent: ExceptionReference = {
  at: 'exceptions/openshift.yaml:30',
  check: 'replicas-sufficient',
  state: 'permanent',
  reason: 'a cache that every client can do without',
  source: 'https://example.org/conventions#caches',
};

export function finding(name: string, changes: Partial<ClassifiedFinding> = {}): ClassifiedFinding {
  return {
    object: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'openshift-console', name },
    path: 'spec.replicas',
    message: 'keeps 1 replica (spec.replicas 1); needs 2',
    conclusive: true,
    command: `kubectl -n openshift-console get deployment ${name} -o yaml`,
    patch: { spec: { replicas: 2 } },
    ...changes,
  };
}

const inDns = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'openshift-dns',
  name,
});

/** A passing result of a check in a namespace, and what is different in it. */
export function result(check: string, namespace: string, changes: Partial<Result> = {}): Result {
  const tag = namespace === 'openshift-console' ? '[Jira:"Management Console"]' : '';
  const name = (names[check] ?? `${check} in ns/<namespace> should hold`).replace(
    '<namespace>',
    namespace,
  );
  return {
    id: `${check}/${namespace}`,
    check,
    suite: suites[check] ?? 'redundancy',
    severity: 'major',
    stage: 'enforce',
    namespace,
    testName: `[Monitor:ha-compliance]${tag} ${name}`,
    ...(tag !== '' && { jiraComponent: 'Management Console' }),
    verdict: 'pass',
    examined: 4,
    notes: [],
    findings: [],
    ...changes,
  };
}

/** A complete live report of these results. */
export function report(results: readonly Result[], changes: Partial<Report> = {}): Report {
  const count = (verdict: string) => results.filter((one) => one.verdict === verdict).length;
  const [pass = 0, flake = 0, fail = 0, skip = 0, error = 0] = verdicts.map(count);
  return {
    schemaVersion: 1,
    tool: { name: 'ha-compliance', version: '0.1.0' },
    startedAt: '2026-11-21T16:27:11.000Z',
    finishedAt: '2026-11-21T16:27:25.250Z',
    stages: Object.fromEntries(results.map(({ check, stage }) => [check, stage])),
    input: { kind: 'live', name: 'https://api.example.org:6443' },
    topology: {
      controlPlaneTopology: 'HighlyAvailable',
      infrastructureTopology: 'HighlyAvailable',
      source: 'Infrastructure',
    },
    platform: 'AWS',
    release: '4.22.1',
    coverage: { evaluated: ['deployments', 'pods'], notEvaluated: [] },
    complete: true,
    checks,
    results,
    exceptions: { used: [], unused: [], expired: [], expiring: [], shadowed: [], broader: [] },
    inventory: {},
    summary: { pass, flake, fail, skip, error },
    ...changes,
  };
}

/** Every verdict and every reason for it, in three namespaces. */
export function sampleReport(): Report {
  const covered = finding('downloads', { exception: pending });
  const results = [
    result('replicas-sufficient', 'openshift-console', {
      verdict: 'fail',
      findings: [finding('console'), covered],
    }),
    result('replicas-sufficient', 'openshift-dns', {
      verdict: 'flake',
      findings: [
        finding('dns-cache', { object: inDns('dns-cache'), exception: permanent }),
        finding('dns-operator', { object: inDns('dns-operator'), exception: pending }),
      ],
      notes: ['1 workload is switched off (0 replicas)'],
    }),
    result('replicas-sufficient', 'shop', {
      verdict: 'skip',
      reason: 'nothing to judge',
      examined: 0,
    }),
    result('pdb-presence', 'openshift-console', {
      verdict: 'flake',
      stage: 'flake',
      findings: [
        finding('console', {
          message: 'has 2 replicas and no PodDisruptionBudget',
          conclusive: false,
        }),
      ],
    }),
    result('pdb-presence', 'openshift-dns', { verdict: 'pass', stage: 'flake' }),
    result('pdb-presence', 'shop', {
      verdict: 'error',
      stage: 'flake',
      cause: 'forbidden',
      reason: 'podDisruptionBudgets list refused: 403',
      examined: 0,
    }),
    result('readiness-probes', 'openshift-console', {
      verdict: 'fail',
      guarded: true,
      severity: 'minor',
      findings: [
        finding('console', {
          path: 'spec.template.spec.containers',
          message: 'has no readiness probe',
        }),
      ],
    }),
    result('readiness-probes', 'openshift-dns', {
      verdict: 'pass',
      stage: 'observe',
      findings: [finding('dns', { object: inDns('dns'), message: 'has no readiness probe' })],
      notes: ['1 container is injected and was not judged'],
    }),
    result('readiness-probes', 'shop', {
      verdict: 'error',
      cause: 'exception',
      reason: 'TypeError: Cannot read properties of undefined',
      examined: 0,
    }),
  ];
  return report(results, {
    coverage: {
      evaluated: ['deployments', 'pods'],
      notEvaluated: [{ kind: 'podDisruptionBudgets in ns/shop', reason: 'list refused: 403' }],
    },
    exceptions: {
      used: [
        { ...pending, matched: 2 },
        { ...permanent, matched: 1 },
      ],
      unused: [
        {
          ...pending,
          at: 'exceptions/openshift.yaml:48',
          jira: 'OCPBUGS-20000',
          matched: 0,
          note: 'nothing matched',
        },
      ],
      expired: [],
      expiring: [{ ...pending, matched: 2, note: 'in 10 days' }],
      shadowed: [],
      broader: [],
    },
    inventory: {
      namespaces: 3,
      podDisruptionBudgets: 1,
      deployments: 6,
      deploymentsByReplicas: { '1': 4, '2': 2 },
      containers: 9,
      containersWithoutLiveness: 5,
      containersWithoutReadiness: 4,
      containersWithoutStartup: 9,
    },
  });
}

/** Sixty namespaces: a fifth fails, most flake, some could not be judged; about 200 findings. */
export function largeReport(): Report {
  const namespaces = Array.from({ length: 60 }, (_, n) => `openshift-team-${n}`);
  const results = namespaces.flatMap((namespace, n) => [
    result(
      'replicas-sufficient',
      namespace,
      violations(namespace, n % 5 === 0 ? 'fail' : 'flake', n % 7),
    ),
    result('pdb-presence', namespace, {
      stage: 'flake',
      ...violations(namespace, 'flake', n % 3),
    }),
    result(
      'readiness-probes',
      namespace,
      n % 6 === 0
        ? {
            verdict: 'error',
            cause: 'not collected',
            reason: `pods in ns/${namespace}: the folder has no core/pods.yaml`,
            examined: 0,
          }
        : {},
    ),
  ]);
  return report(results, {
    input: { kind: 'must-gather', name: 'must-gather.tar.xz' },
    coverage: {
      evaluated: ['deployments'],
      notEvaluated: namespaces
        .filter((_, n) => n % 6 === 0)
        .map((namespace) => ({
          kind: `pods in ns/${namespace}`,
          reason: 'the folder has no core/pods.yaml',
        })),
    },
  });
}

function violations(namespace: string, verdict: 'fail' | 'flake', n: number): Partial<Result> {
  if (n === 0) return {};
  const findings = Array.from({ length: n }, (_, i) =>
    finding(`web-${i}`, {
      object: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: `web-${i}` },
      ...(verdict === 'flake' && { exception: pending }),
    }),
  );
  return { verdict, examined: 8, findings };
}
