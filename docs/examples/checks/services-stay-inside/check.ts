/** An example: no Service of a namespace is reachable from outside unless the namespace says so. */
import { defineCheck } from '../../../../core/check.ts';
import { finding } from '../../../../core/finding.ts';

export default defineCheck({
  id: 'services-stay-inside',
  title: 'Services are reachable from outside only where that is meant',
  failureTitle: 'Services are reachable from outside',
  testName: 'Services in ns/<namespace> should stay inside',
  suite: 'company',
  scope: 'namespace',
  severity: 'minor',
  stage: 'observe',
  source: [
    {
      title: 'Service types',
      url: 'https://kubernetes.io/docs/concepts/services-networking/service/',
    },
  ],
  requires: ['services'],
  breaks: 'A node port is lost with the node that its clients know.',
  fix: 'Use an Ingress, or label the namespace outside=allowed.',
  run({ services }, { namespace, labels = {} }) {
    const own = services.in(namespace);
    const open = own.filter(
      ({ spec }) => spec?.type === 'NodePort' && labels['outside'] !== 'allowed',
    );
    return {
      examined: own.length,
      findings: open.map((service) =>
        finding(service, {
          path: 'spec.type',
          message: 'is of type NodePort; expected ClusterIP',
          shows: '{.spec.type}',
        }),
      ),
    };
  },
});
