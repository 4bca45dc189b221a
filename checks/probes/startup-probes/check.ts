/** Liveness is not judged while a container still starts. */
import { defineCheck } from '../../../core/check.ts';
import { finding, templatePatch } from '../../../core/finding.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import type { Container } from '../../../core/objects.ts';
import { runningWorkloads } from '../../../core/population.ts';
import { startBudget } from '../../../core/probe.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'startup-probes',
  title: 'Containers with a liveness probe also have a startup probe',
  failureTitle: 'Liveness is judged while containers still start',
  testName: 'containers in ns/<namespace> should define startup probes beside liveness probes',
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
    "When a lost node's pods all start at once they start slowly; liveness kills them in a loop and " +
    'the outage lasts.',
  fix: 'Add a startup probe with the same handler and a generous failureThreshold.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const containers = population.workloads.flatMap((workload) =>
      (workload.spec.containers ?? [])
        .filter((container) => container.livenessProbe)
        .map((container) => ({ workload, container })),
    );
    const findings = containers
      .filter(({ container }) => !container.startupProbe)
      .map(({ workload, container }) => {
        const { name = '' } = container;
        return finding(workload, {
          container: name,
          path: `spec.template.spec.containers[${name}].startupProbe`,
          message: `container ${name} has a liveness probe (start budget ${startBudget(container)} s) but no startup probe`,
          shows: '{.spec.template.spec.containers[*].livenessProbe}',
          patch: patchOf(workload, container),
        });
      });
    return { ...population, examined: containers.length, findings };
  },
});

// The command of an exec probe and the headers of an HTTP probe stay in the cluster: such a handler
// cannot be repeated here.
function patchOf(workload: Workload, container: Container) {
  const { name, livenessProbe = {} } = container;
  const { httpGet, tcpSocket, grpc } = livenessProbe;
  if (httpGet?.httpHeaders) return undefined;
  const handler = {
    ...(httpGet && { httpGet }),
    ...(tcpSocket && { tcpSocket }),
    ...(grpc && { grpc }),
  };
  if (Object.keys(handler).length === 0) return undefined;
  // No less time to start than before.
  const failureThreshold = Math.max(24, Math.ceil(startBudget(container) / 5));
  const startupProbe = { ...handler, periodSeconds: 5, failureThreshold };
  return templatePatch(workload, { containers: [{ name, startupProbe }] });
}
