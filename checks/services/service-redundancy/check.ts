/** Of several pods that are meant to answer, more than one does. */
import { isYoung } from '../../../core/age.ts';
import { backendOf, isRedundantBackend } from '../../../core/backend.ts';
import { defineCheck } from '../../../core/check.ts';
import { endpointsCommand, readyEndpoints, selectedPods } from '../../../core/endpoints.ts';
import { finding } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import { isReady } from '../../../core/pods.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import { hasSelector } from '../../../core/selector.ts';
import { count } from '../../../core/text.ts';
import { isMetricsOnly } from '../../../core/traffic.ts';

export default defineCheck({
  id: 'service-redundancy',
  title: 'Services have more than one ready endpoint',
  failureTitle: 'Services hang on one ready endpoint or none',
  testName: 'Services in ns/<namespace> should have more than one ready endpoint',
  suite: 'services',
  scope: 'namespace',
  severity: 'critical',
  stage: 'observe',
  source: [
    {
      title: 'EndpointSlices',
      url: 'https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/',
    },
  ],
  requires: [...W, ...A, ...N, 'services'],
  uses: [...usesOfW, ...usesOfA, ...usesOfN, 'endpointSlices'],
  live: true,
  transient: true,
  redundant: true,
  breaks: 'Every client of the Service fails with the one pod that is left.',
  fix: 'Repair the pods that are not ready.',
  run(artifacts, scope) {
    const population = redundantWorkloads(artifacts, scope);
    const services = artifacts.services
      .in(scope.namespace)
      .filter((service) => hasSelector(service) && service.spec?.clusterIP !== 'None')
      .filter((service) => !isMetricsOnly(service) && !isYoung(service, scope))
      .filter((service) => {
        const backend = backendOf(service, artifacts, scope);
        return backend.replicas >= 2 && isRedundantBackend(backend, scope);
      });
    const findings = services.flatMap((service) => {
      const endpoints = readyEndpoints(service, artifacts);
      const selected = selectedPods(service, artifacts);
      // A rollout or a drain has just made these anew: they are about to answer.
      const coming = selected.filter((pod) => !isReady(pod) && isYoung(pod, scope));
      if (endpoints.length + coming.length >= 2) return [];
      const [last] = endpoints;
      const pods = count(selected.length, 'pod');
      const where = last?.node === undefined ? '' : ` on ${last.node}`;
      const message = last
        ? `1 ready endpoint of ${pods}: ${last.pod}${where}; needs 2`
        : 'no ready endpoint; needs 2';
      return [finding(service, { message, command: endpointsCommand(service) })];
    });
    return { ...population, examined: services.length, findings };
  },
});
