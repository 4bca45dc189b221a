/** The scheduler knows what containers need, and the kubelet whom to evict last. */
import { defineCheck } from '../../../core/check.ts';
import { finding, templatePatch } from '../../../core/finding.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import type { Container, Resources } from '../../../core/objects.ts';
import { runningWorkloads } from '../../../core/population.ts';
import { lesser } from '../../../core/quantity.ts';
import type { Finding } from '../../../core/result.ts';
import type { Workload } from '../../../core/workload.ts';
import { newestOf } from '../../../core/workload.ts';

export default defineCheck({
  id: 'resource-requests',
  title: 'Containers request the CPU and memory they need',
  failureTitle: 'Containers request nothing',
  testName: 'containers in ns/<namespace> should request the resources they need',
  suite: 'scheduling',
  scope: 'namespace',
  severity: 'minor',
  stage: 'observe',
  source: [
    {
      title: 'OpenShift conventions: resources and limits',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#resources-and-limits',
    },
    {
      title: 'Pod Quality of Service Classes',
      url: 'https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/',
    },
  ],
  requires: [...W],
  uses: [...usesOfW],
  perContainer: true,
  breaks:
    'Such pods are the first to be evicted under pressure, and the scheduler over-fills the nodes ' +
    'that must take over after a loss.',
  fix: 'Request the CPU and the memory that the container uses when it is busy.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const containers = population.workloads.flatMap(({ spec }) => spec.containers ?? []);
    const findings = population.workloads.flatMap(lacking);
    return { ...population, examined: containers.length, findings };
  },
});

function lacking(workload: Workload): readonly Finding[] {
  const { containers = [] } = workload.spec;
  const lacks = containers
    .map((container) => ({ container, missing: missingOf(workload, container) }))
    .filter(({ missing }) => missing.length > 0);
  if (lacks.length > 0 && isBestEffort(workload)) {
    return [
      finding(workload, {
        path: 'spec.template.spec.containers[*].resources',
        message: 'pod is BestEffort',
        shows: '{.spec.template.spec.containers[*].resources}',
        patch: patchOf(workload, lacks),
      }),
    ];
  }
  return lacks.map((lack) => {
    const { name = '' } = lack.container;
    const what = lack.missing.map((resource) => words[resource]).join(' and no ');
    return finding(workload, {
      container: name,
      path: `spec.template.spec.containers[${name}].resources.requests`,
      message: `container ${name} requests no ${what}`,
      shows: '{.spec.template.spec.containers[*].resources}',
      patch: patchOf(workload, [lack]),
    });
  });
}

interface Lack {
  readonly container: Container;
  readonly missing: readonly Resource[];
}

type Resource = keyof typeof words;
const words = { cpu: 'CPU', memory: 'memory' };
const resources: readonly Resource[] = ['cpu', 'memory'];

/** What neither the pod as a whole nor the container requests. */
function missingOf(workload: Workload, container: Container): readonly Resource[] {
  const sources = [workload.spec.resources, ...resourcesOf(workload, container)];
  return resources.filter((resource) => !sources.some((own) => requests(own, resource)));
}

/**
 * As the template has it, and as admission has made it: a LimitRange adds requests to pods, and the
 * partitioning of a single node takes them away.
 */
function resourcesOf({ counted }: Workload, { name, resources: own }: Container) {
  const pod = newestOf(counted);
  const admitted = pod?.spec?.containers?.find((container) => container.name === name);
  return [own, admitted?.resources];
}

/** A limit alone is copied to the request at admission. */
function requests(own: Resources | undefined, resource: Resource): boolean {
  const amount = own?.requests?.[resource] ?? own?.limits?.[resource];
  return amount !== undefined && Number.parseFloat(amount) > 0;
}

/** Nothing in the whole pod is above 0: it is the first to go. */
function isBestEffort(workload: Workload): boolean {
  const { resources: own, containers = [], initContainers = [] } = workload.spec;
  const all = [
    own,
    ...initContainers.map((container) => container.resources),
    ...containers.flatMap((container) => resourcesOf(workload, container)),
  ];
  const amounts = all.flatMap((each) => [
    ...Object.values(each?.requests ?? {}),
    ...Object.values(each?.limits ?? {}),
  ]);
  return !amounts.some((amount) => Number.parseFloat(amount) > 0);
}

const enough = { cpu: '10m', memory: '50Mi' };

function patchOf(workload: Workload, lacks: readonly Lack[]) {
  const containers = lacks.map(({ container: { name, resources: own }, missing }) => {
    // The API server refuses a request above the limit.
    const least = missing.map((resource) => [
      resource,
      lesser(enough[resource], own?.limits?.[resource]),
    ]);
    return { name, resources: { requests: Object.fromEntries(least) } };
  });
  return templatePatch(workload, { containers });
}
