/** The APIs that something in the cluster serves are there, whichever node goes. */
import { isYoung } from '../../../core/age.ts';
import type { Callers } from '../../../core/backend-weakness.ts';
import { redundantCallee, weaknessesOf } from '../../../core/backend-weakness.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import { isNowhere, restsNowhere } from '../../../core/nowhere.ts';
import type { ApiService } from '../../../core/objects.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import type { Finding } from '../../../core/result.ts';
import type { Scope } from '../../../core/scope.ts';
import { count, title } from '../../../core/text.ts';

export default defineCheck({
  id: 'apiservice-redundancy',
  title: 'Aggregated APIs survive a node loss',
  failureTitle: 'A node loss takes an aggregated API away',
  testName: 'aggregated APIs served from ns/<namespace> should survive the loss of a node',
  suite: 'services',
  scope: 'namespace',
  severity: 'critical',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift conventions: aggregated APIs must not fail',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#upgrade-and-reconfiguration',
    },
    {
      title: 'Kubernetes API Aggregation Layer',
      url: 'https://kubernetes.io/docs/concepts/extend-kubernetes/api-extension/apiserver-aggregation/',
    },
  ],
  requires: [...W, ...A, ...N, 'services', 'apiServices'],
  uses: [
    ...usesOfW,
    ...usesOfA,
    ...usesOfN,
    'endpointSlices',
    'podDisruptionBudgets',
    'namespaces',
  ],
  redundant: true,
  breaks:
    'All requests to that group version answer 503 and its kinds disappear from discovery; no ' +
    'namespace can be deleted to the end (it stays Terminating, NamespaceDeletionDiscoveryFailure) ' +
    'and (metrics APIs) autoscaling stops, cluster-wide.',
  fix: 'Run two replicas under required anti-affinity and a PodDisruptionBudget with maxUnavailable 1.',
  run(artifacts, scope) {
    const population = redundantWorkloads(artifacts, scope);
    const groups = byService(artifacts.apiServices.all, scope).flatMap(({ name, apis }) => {
      const callee = redundantCallee(name, artifacts, scope);
      const place = `${scope.namespace}/${name}`;
      return callee ? [{ ...callee, apis, callers: callersOf(apis, place), place }] : [];
    });
    const findings = groups.flatMap(({ apis, ...called }) => {
      const weaknesses = weaknessesOf(called, artifacts, scope);
      const standing = weaknesses.flatMap((weakness) =>
        (called.service ? [called.service] : apis).map((subject) => finding(subject, weakness)),
      );
      // An API that nothing serves is not available either: one finding for one defect.
      const isExplained = weaknesses.some(({ isOutage }) => isOutage);
      return isExplained ? standing : [...standing, ...unavailable(apis, scope)];
    });
    const lost = artifacts.apiServices.all.flatMap((api) => {
      const service = api.spec?.service ?? {};
      return isNowhere(service, artifacts.namespaces, scope)
        ? [
            finding(
              api,
              restsNowhere(api.metadata.name, title({ kind: 'Service', name: '', ...service })),
            ),
          ]
        : [];
    });
    const outside = groups
      .filter(({ isUnknown }) => isUnknown)
      .map(
        ({ callers, place }) => `${callers.title}: what is behind Service ${place} is not judged`,
      );
    return {
      ...population,
      examined: groups.flatMap(({ apis }) => apis).length + lost.length,
      findings: [...findings, ...lost],
      notes: [...population.notes, ...outside],
    };
  },
});

/** Without a Service an API is served by the API server that is asked for it. */
function byService(apis: readonly ApiService[], { namespace }: Scope) {
  const served = apis.flatMap((api) => {
    const { namespace: own, name } = api.spec?.service ?? {};
    return own === namespace && name !== undefined ? [{ api, name }] : [];
  });
  return [...Map.groupBy(served, ({ name }) => name)].map(([name, group]) => ({
    name,
    apis: group.map(({ api }) => api),
  }));
}

/** The only one by its name, others by how many groups they are. */
function callersOf(apis: readonly ApiService[], place: string): Callers {
  const [first, ...others] = apis;
  if (first && others.length === 0) return { title: first.metadata.name, isPlural: false };
  const groups = new Set(apis.map(({ spec }) => spec?.group)).size;
  return { title: `${count(groups, 'API group')} of ${place}`, isPlural: groups > 1 };
}

function unavailable(apis: readonly ApiService[], scope: Scope): readonly Finding[] {
  if (scope.cluster.input === 'manifests') return [];
  const settled = apis.filter((api) => !isYoung(api, scope));
  return settled.flatMap((api) => {
    const available = api.status?.conditions?.find(({ type }) => type === 'Available');
    if (available?.status === 'True') return [];
    const { status = 'unset', reason = 'no reason' } = available ?? {};
    return [
      finding(api, {
        path: 'status.conditions[Available]',
        message: `condition Available is ${status} (${reason}); needs True`,
        shows: '{.status.conditions}',
        transient: true,
      }),
    ];
  });
}
