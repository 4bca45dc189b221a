/** More than one node may run the pods of a workload. */
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { A, N, T, usesOfA, usesOfN, usesOfT, usesOfW, W } from '../../../core/kinds.ts';
import { eligibleNodes } from '../../../core/nodes.ts';
import type { Node, PodSpec } from '../../../core/objects.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import { labels } from '../../../core/text.ts';
import { isFrontDoor } from '../../../core/traffic.ts';

export default defineCheck({
  id: 'node-choice',
  title: 'Workloads can run on more than one node',
  failureTitle: 'Workloads are tied to one node',
  testName: 'workloads in ns/<namespace> should be able to run on more than one node',
  suite: 'scheduling',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'Assigning Pods to Nodes',
      url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/',
    },
  ],
  requires: [...W, ...A, ...N, ...T],
  uses: [...usesOfW, ...usesOfA, ...usesOfN, ...usesOfT],
  redundant: true,
  breaks: 'When that node goes, no other may run the pod; replicas and budgets do not help.',
  fix: 'Label a second node, or widen the selector.',
  run(artifacts, scope) {
    const { nodes } = artifacts;
    const population = redundantWorkloads(artifacts, scope);
    const placed = population.workloads.filter(
      (workload) =>
        // What makes pods one by one may have chosen a node for each.
        workload.source &&
        workload.isTemplateKnown &&
        (workload.class === 'replicated' || isFrontDoor(workload, artifacts, scope)),
    );
    const judged = placed.filter(({ spec }) => nodes.known || spec.nodeName !== undefined);
    const findings = judged.flatMap((workload) => {
      const message = tie(workload.spec, nodes.all);
      const path = 'spec.template.spec';
      return message === undefined ? [] : [finding(workload, { path, message, shows: evidence })];
    });
    return {
      ...population,
      examined: judged.length,
      findings,
      ...(placed.length > 0 && { skip: 'no live state' }),
    };
  },
});

const evidence = ['nodeName', 'nodeSelector', 'affinity', 'tolerations']
  .map((field) => `{.spec.template.spec.${field}}`)
  .join('');

/** What ties pods to one node, or to none; undefined where they have a choice. */
function tie(spec: PodSpec, nodes: readonly Node[]): string | undefined {
  if (spec.nodeName !== undefined) return `nodeName ${spec.nodeName} is fixed in the template`;
  const eligible = eligibleNodes(spec, nodes);
  if (eligible.length >= 2) return undefined;
  const [only] = eligible;
  const cause = demandsOf(spec).find(
    ({ without }) => eligibleNodes(without, nodes).length > eligible.length,
  );
  if (!only) return cause?.none ?? 'no node can run its pods';
  return `only ${only.metadata.name} ${cause?.one ?? 'can run its pods'}`;
}

/** What a pod asks of nodes, the pod without it, and what is said where it leaves one node or none. */
function demandsOf(spec: PodSpec) {
  const { nodeSelector, ...unselective } = spec;
  const { affinity: _, ...indifferent } = spec;
  const pairs = labels(nodeSelector);
  return [
    {
      without: unselective,
      one: `matches nodeSelector ${pairs}`,
      none: `no node matches ${pairs}`,
    },
    {
      without: indifferent,
      one: 'matches the required node affinity',
      none: 'no node matches the required node affinity',
    },
    {
      without: { ...spec, tolerations: [{ operator: 'Exists' }] },
      one: 'has no taint that its pods do not tolerate',
      none: 'every node has a taint that its pods do not tolerate',
    },
  ];
}
