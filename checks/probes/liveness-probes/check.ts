/** A process that hangs is restarted. */
import { defineCheck } from '../../../core/check.ts';
import { finding, templatePatch } from '../../../core/finding.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import type { Container } from '../../../core/objects.ts';
import { runningWorkloads } from '../../../core/population.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'liveness-probes',
  title: 'Long-running containers define liveness',
  failureTitle: 'Long-running containers define no liveness probe',
  testName: 'containers in ns/<namespace> should define liveness probes',
  suite: 'probes',
  scope: 'namespace',
  severity: 'minor',
  stage: 'observe',
  source: [
    {
      title: 'OpenShift HA policy enhancement (proposed)',
      url: 'https://github.com/openshift/enhancements/pull/1932',
    },
  ],
  requires: [...W],
  uses: [...usesOfW],
  perContainer: true,
  breaks:
    'A hung process keeps its place until a person restarts it; with one replica that is an outage ' +
    'without end.',
  fix: 'Add a liveness probe that is several times as patient as readiness.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const containers = population.workloads.flatMap((workload) =>
      (workload.spec.containers ?? []).map((container) => ({ workload, container })),
    );
    const findings = containers
      .filter(({ container }) => !container.livenessProbe)
      .map(({ workload, container }) => {
        const { name = '' } = container;
        return finding(workload, {
          container: name,
          path: `spec.template.spec.containers[${name}].livenessProbe`,
          message: `container ${name} has no liveness probe`,
          shows: '{.spec.template.spec.containers[*].livenessProbe}',
          patch: patchOf(workload, container),
        });
      });
    return { ...population, examined: containers.length, findings };
  },
});

function patchOf(workload: Workload, { name, ports = [] }: Container) {
  const port = ports.find(({ protocol = 'TCP' }) => protocol === 'TCP')?.containerPort;
  if (port === undefined) return undefined;
  const livenessProbe = { tcpSocket: { port }, periodSeconds: 10, failureThreshold: 6 };
  return templatePatch(workload, { containers: [{ name, livenessProbe }] });
}
