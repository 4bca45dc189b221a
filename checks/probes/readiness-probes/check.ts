/** What receives traffic says when it can take it. */
import { defineCheck } from '../../../core/check.ts';
import { finding, templatePatch } from '../../../core/finding.ts';
import { T, usesOfT, usesOfW, W } from '../../../core/kinds.ts';
import { isNativeSidecar, takesHostPorts } from '../../../core/pods.ts';
import { runningWorkloads } from '../../../core/population.ts';
import type { Finding } from '../../../core/result.ts';
import type { TrafficTargets } from '../../../core/traffic.ts';
import { isServing, trafficTargets } from '../../../core/traffic.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'readiness-probes',
  title: 'Containers that receive traffic report readiness',
  failureTitle: 'Containers receive traffic before they are ready',
  testName: 'containers in ns/<namespace> should report readiness before receiving traffic',
  suite: 'probes',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift HA policy enhancement (proposed)',
      url: 'https://github.com/openshift/enhancements/pull/1932',
    },
    {
      title: 'Liveness, Readiness, and Startup Probes',
      url: 'https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/',
    },
  ],
  requires: [...W, ...T],
  uses: [...usesOfW, ...usesOfT],
  perContainer: true,
  breaks:
    'After a node loss or during a rollout clients are routed to a pod that has only started; ' +
    'rollouts and budgets count it as available.',
  fix: 'Give the container behind the port a readiness probe.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const serving = population.workloads.filter((workload) =>
      isServing(workload, artifacts, scope),
    );
    const findings = serving.flatMap((workload) =>
      unready(workload, trafficTargets(workload, artifacts, scope)),
    );
    return { ...population, examined: serving.length, findings };
  },
});

function unready(
  workload: Workload,
  { containers, undeclared }: TrafficTargets,
): readonly Finding[] {
  const silent = containers
    .filter(({ container }) => !container.readinessProbe)
    .map(({ container: { name = '' }, via, ...port }) =>
      finding(workload, {
        container: name,
        path: `spec.template.spec.containers[${name}].readinessProbe`,
        message: `container ${name} serves ${via} without a readiness probe`,
        shows: '{.spec.template.spec.containers[*].readinessProbe}',
        patch: connects(workload, name, port),
      }),
    );
  // Where the traffic goes is not written down then: any container may be meant.
  const isUnclear =
    undeclared.length > 0 || (containers.length === 0 && takesHostPorts(workload.spec));
  if (!isUnclear || silent.length > 0 || reportsReadiness(workload)) return silent;
  const [first] = undeclared;
  const target = first ? `${first.via} targets undeclared port ${first.target}` : 'host port';
  return [
    finding(workload, {
      path: 'spec.template.spec.containers[*].readinessProbe',
      message: `no container reports readiness (${target})`,
      shows: '{.spec.template.spec.containers[*].readinessProbe}',
      patch: first && onlyContainer(workload, first),
    }),
  ];
}

/** What a native sidecar says of its readiness is part of the pod's. */
function reportsReadiness({ spec }: Workload): boolean {
  const { containers = [], initContainers = [], readinessGates = [] } = spec;
  const asked = [...containers, ...initContainers.filter(isNativeSidecar)];
  return readinessGates.length > 0 || asked.some((container) => container.readinessProbe);
}

type Port = Pick<TrafficTargets['undeclared'][number], 'target' | 'protocol'>;

// That the port answers is the least that readiness can mean; an endpoint of its own says more.
function connects(workload: Workload, name: string | undefined, { target, protocol }: Port) {
  if (protocol !== 'TCP') return undefined;
  const readinessProbe = { tcpSocket: { port: target }, periodSeconds: 5 };
  return templatePatch(workload, { containers: [{ name, readinessProbe }] });
}

function onlyContainer(workload: Workload, port: Port) {
  const { containers = [] } = workload.spec;
  return containers.length === 1 ? connects(workload, containers[0]?.name, port) : undefined;
}
