/** No node is left cordoned after what it was cordoned for. */
import { secondsSince } from '../../../core/age.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { N } from '../../../core/kinds.ts';
import { isUnderMaintenance } from '../../../core/node-update.ts';
import type { Node } from '../../../core/objects.ts';
import type { Finding } from '../../../core/result.ts';
import type { Scope } from '../../../core/scope.ts';

export default defineCheck({
  id: 'node-schedulability',
  title: 'No node is left cordoned',
  failureTitle: 'Nodes are left cordoned',
  testName: 'nodes should not be left cordoned',
  suite: 'nodes',
  scope: 'cluster',
  severity: 'minor',
  stage: 'observe',
  source: [
    {
      title: 'Safely Drain a Node',
      url: 'https://kubernetes.io/docs/tasks/administer-cluster/safely-drain-node/',
    },
  ],
  requires: [...N],
  live: true,
  transient: true,
  ownerNamespace: 'openshift-machine-config-operator',
  breaks: 'The room kept for a node loss is not there.',
  fix: 'Uncordon the node.',
  run({ nodes }, scope) {
    const cordoned = nodes.all.filter(({ spec }) => spec?.unschedulable);
    return { examined: cordoned.length, findings: cordoned.flatMap((node) => left(node, scope)) };
  },
});

function left(node: Node, scope: Scope): readonly Finding[] {
  const since = node.spec?.taints?.find(({ key }) => key === cordon)?.timeAdded;
  if (isUnderMaintenance(node) || isRecent(since, scope)) return [];
  const time = since === undefined ? '' : ` since ${since}`;
  return [
    finding(node, {
      path: 'spec.unschedulable',
      message: `${node.metadata.name} cordoned${time}, no update in progress`,
      shows: '{.spec}',
      patch: { spec: { unschedulable: false } },
    }),
  ];
}

/** The node controller adds this taint to every cordoned node. */
const cordon = 'node.kubernetes.io/unschedulable';

/** A cordon of unknown age is an old one; without a time of the snapshot none is. */
function isRecent(since: string | undefined, scope: Scope): boolean {
  const { takenAt, thresholds } = scope.cluster;
  if (takenAt === undefined) return true;
  return (secondsSince(since, scope) ?? Number.POSITIVE_INFINITY) < thresholds.settle;
}
