/** What receives traffic says when it can take it. */
import { defineCheck } from '../../../core/check.ts';
import { finding, templatePatch } from '../../../core/finding.ts';
import { T, usesOfT, usesOfW, W } from '../../../core/kinds.ts';
import { runningWorkloads } from '../../../core/population.ts';
import type { ReadinessGap } from '../../../core/readiness.ts';
import { readinessGaps } from '../../../core/readiness.ts';
import type { Finding } from '../../../core/result.ts';
import type { TrafficTargets } from '../../../core/traffic.ts';
import { isServing } from '../../../core/traffic.ts';
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
      readinessGaps(workload, artifacts, scope).map((gap) => unready(workload, gap)),
    );
    return { ...population, examined: serving.length, findings };
  },
});

function unready(workload: Workload, gap: ReadinessGap): Finding {
  const path = 'spec.template.spec.containers[*].readinessProbe';
  const shows = `{.${path}}`;
  switch (gap.through) {
    case 'declared port': {
      const { container, via } = gap;
      const { name = '' } = container;
      return finding(workload, {
        container: name,
        path: `spec.template.spec.containers[${name}].readinessProbe`,
        message: `container ${name} serves ${via} without a readiness probe`,
        shows,
        patch: connects(workload, name, gap),
      });
    }
    case 'undeclared port': {
      const message = `no container reports readiness (${gap.via} targets undeclared port ${gap.target})`;
      return finding(workload, { path, message, shows, patch: onlyContainer(workload, gap) });
    }
    case 'host port':
      return finding(workload, {
        path,
        message: 'no container reports readiness (host port)',
        shows,
      });
  }
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
