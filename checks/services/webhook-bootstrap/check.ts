/** A webhook that is down keeps neither its own pods, nor the control plane, nor nodes from coming back. */
import type { AdmissionRequest, ServedWebhook } from '../../../core/admission.ts';
import {
  configurationKinds,
  intercepts,
  isBlocking,
  servedWebhooks,
} from '../../../core/admission.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import type { Finding } from '../../../core/result.ts';
import type { Scope } from '../../../core/scope.ts';
import { names, title } from '../../../core/text.ts';
import type { PlacedRequest } from '../../../core/vital-requests.ts';
import {
  controlPlaneRequests,
  heartbeatRequests,
  restartRequests,
  runLevel,
} from '../../../core/vital-requests.ts';

export default defineCheck({
  id: 'webhook-bootstrap',
  title: 'Webhooks do not stand in the way of their own restart',
  failureTitle: 'A webhook blocks its own restart or the node heartbeat',
  testName: 'webhooks served from ns/<namespace> should not block their own restart',
  suite: 'services',
  scope: 'namespace',
  severity: 'critical',
  stage: 'flake',
  source: [
    {
      title: 'Admission Webhook Good Practices',
      url: 'https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/',
    },
  ],
  requires: [...W, 'services', 'namespaces', ...configurationKinds],
  uses: [...usesOfW, 'nodes'],
  breaks:
    'Once all its pods are down (zone loss, full restart) they cannot be created or become ready ' +
    'again; people must delete the configuration by hand.',
  fix: 'Exclude its own namespace, kube-system and kube-node-lease, and take nodes out of the rules.',
  run(artifacts, scope) {
    const blocking = servedWebhooks(artifacts, scope).filter(isBlocking);
    const notes = blocking
      .filter(({ matchConditions }) => matchConditions)
      .map(({ configuration: { kind, metadata }, name }) => {
        const configuration = title({ kind, name: metadata.name });
        return `${configuration}: ${name} depends on matchConditions, not judged`;
      });
    const judged = blocking.filter(({ matchConditions }) => !matchConditions);
    const findings = judged.flatMap((webhook) => {
      const controlPlane = controlPlaneRequests(artifacts, scope);
      const { leases, nodes } = heartbeatRequests(artifacts, scope);
      const { pods, rollout } = restartRequests(webhook.service, artifacts, scope);
      const caught = <R extends AdmissionRequest>(requests: readonly R[]) =>
        requests.filter((request) => intercepts(webhook, request));
      const own = caught(pods);
      const others = caught(controlPlane).filter((one) => !own.some((other) => isSame(one, other)));
      const here = ` in its own namespace ${scope.namespace}`;
      const obstacles: readonly Obstacle[] = [
        { requests: own, say: `${here} with failurePolicy Fail` },
        {
          // Who cannot create pods cannot roll out either: one finding for one defect.
          requests: own.length > 0 ? [] : caught(rollout),
          say: `${here}: no rollout while it is down`,
        },
        { requests: others, say: inControlPlane(others) },
        {
          requests: caught(leases),
          say: ' in kube-node-lease: nodes turn NotReady when it is down',
        },
        { requests: caught(nodes), say: ': nodes cannot join or change when it is down' },
      ];
      return obstacles
        .filter(({ requests }) => requests.length > 0)
        .map((obstacle) => obstructs(webhook, obstacle, scope));
    });
    return { examined: judged.length, findings, notes };
  },
});

interface Obstacle {
  readonly requests: readonly AdmissionRequest[];
  /** Where they are intercepted, and what follows. */
  readonly say: string;
}

function obstructs(webhook: ServedWebhook, { requests, say }: Obstacle, scope: Scope): Finding {
  const { configuration, name } = webhook;
  const asked = new Set(requests.map(({ operation, resource }) => `${operation} ${resource}`));
  // No namespaceSelector keeps a webhook from what is in no namespace.
  const field = requests.every(({ namespaceLabels }) => namespaceLabels)
    ? 'namespaceSelector'
    : 'rules';
  return finding(configuration, {
    path: `webhooks[${name}].${field}`,
    message: `${name} intercepts ${names([...asked])}${say}`,
    patch: field === 'rules' ? undefined : exclusion(webhook, scope),
  });
}

/** Its own namespace and those that everything rests on are left to themselves. */
function exclusion({ name, namespaceSelector }: ServedWebhook, { namespace, cluster }: Scope) {
  const values = [...new Set([namespace, 'kube-system', 'kube-node-lease'])];
  const matchExpressions = [
    ...(namespaceSelector?.matchExpressions ?? []),
    { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values },
    ...(cluster.openshift ? [{ key: runLevel, operator: 'NotIn', values: ['0', '1'] }] : []),
  ];
  return { webhooks: [{ name, namespaceSelector: { matchExpressions } }] };
}

function inControlPlane(requests: readonly PlacedRequest[]): string {
  const places = new Set(requests.map(({ namespace }) => namespace));
  const loss = requests.some(({ resource }) => resource === 'leases')
    ? 'leaders lose their election'
    : 'no pod of the control plane can be replaced';
  return ` in ${names([...places])}: ${loss} when it is down`;
}

const isSame = (a: PlacedRequest, b: PlacedRequest) =>
  a.operation === b.operation && a.resource === b.resource && a.namespace === b.namespace;
