/** Every node works: what redundancy there is can still be used up by somebody else. */
import { isYoung } from '../../../core/age.ts';
import { defineCheck } from '../../../core/check.ts';
import { lostNodeTaints } from '../../../core/failover.ts';
import { finding } from '../../../core/finding.ts';
import { N } from '../../../core/kinds.ts';
import { isBeingRemoved, updateState } from '../../../core/node-update.ts';
import { isNodeReady } from '../../../core/nodes.ts';
import type { Node } from '../../../core/objects.ts';
import type { Finding } from '../../../core/result.ts';
import { title } from '../../../core/text.ts';

export default defineCheck({
  id: 'node-health',
  title: 'All nodes are healthy',
  failureTitle: 'Nodes are not healthy',
  testName: 'nodes should be healthy',
  suite: 'nodes',
  scope: 'cluster',
  severity: 'major',
  stage: 'observe',
  source: [
    {
      title: 'Node status, conditions',
      url: 'https://kubernetes.io/docs/reference/node/node-status/#condition',
    },
  ],
  requires: [...N],
  live: true,
  transient: true,
  ownerNamespace: 'openshift-machine-config-operator',
  breaks: 'The redundancy is already used up; the next loss is one too many.',
  fix: 'Repair or replace the node.',
  run({ nodes }, scope) {
    const judged = nodes.all.filter((node) => !isBeingRemoved(node) && !isYoung(node, scope));
    const updating = judged.filter((node) => updateState(node) !== undefined);
    const settled = judged.filter((node) => updateState(node) === undefined);
    return {
      examined: judged.length,
      findings: settled.flatMap((node) => [
        ...notReady(node),
        ...underPressure(node),
        ...tainted(node),
      ]),
      notes: updating.map(
        (node) =>
          `${title({ kind: node.kind, ...node.metadata })}: not judged during its update ` +
          `(${updateState(node)})`,
      ),
    };
  },
});

function notReady(node: Node): readonly Finding[] {
  if (isNodeReady(node)) return [];
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  const { lastTransitionTime, message, reason } = ready ?? { message: 'no condition Ready' };
  const since = lastTransitionTime === undefined ? '' : ` since ${lastTransitionTime}`;
  const why = message ?? reason;
  return [inStatus(node, `NotReady${since}${why === undefined ? '' : `: ${why}`}`)];
}

function underPressure(node: Node): readonly Finding[] {
  return pressures
    .filter((pressure) =>
      node.status?.conditions?.some(({ type, status }) => type === pressure && status === 'True'),
    )
    .map((pressure) => inStatus(node, pressure));
}

const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'];

function inStatus(node: Node, message: string): Finding {
  return finding(node, {
    path: 'status.conditions',
    message: `${node.metadata.name} ${message}`,
    shows: '{.status.conditions}',
  });
}

function tainted(node: Node): readonly Finding[] {
  // Each is set with two effects.
  const keys = new Set((node.spec?.taints ?? []).map(({ key }) => key));
  const left = isNodeReady(node) ? lostNodeTaints.filter((key) => keys.has(key)) : [];
  return [
    ...(keys.has(outOfService) ? [`tainted ${outOfService}`] : []),
    ...left.map((key) => `Ready and still tainted ${key}`),
  ].map((message) =>
    finding(node, {
      path: 'spec.taints',
      message: `${node.metadata.name} ${message}`,
      shows: '{.spec.taints}',
    }),
  );
}

const outOfService = 'node.kubernetes.io/out-of-service';
