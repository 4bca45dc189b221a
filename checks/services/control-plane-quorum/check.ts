/** One control-plane node can go, and the API stays. */
import { isYoung } from '../../../core/age.ts';
import type { Collection } from '../../../core/artifacts.ts';
import { defineCheck } from '../../../core/check.ts';
import { etcdGuards, etcdMembers, guardBudget, openshiftEtcd } from '../../../core/etcd.ts';
import { finding, kubectlGet } from '../../../core/finding.ts';
import { N, usesOfN } from '../../../core/kinds.ts';
import { updateState } from '../../../core/node-update.ts';
import { isNodeReady, zoneOf } from '../../../core/nodes.ts';
import type { Node, Pod, PodDisruptionBudget } from '../../../core/objects.ts';
import { isReady } from '../../../core/pods.ts';
import { majority } from '../../../core/quorum.ts';
import type { Finding } from '../../../core/result.ts';
import type { Scope } from '../../../core/scope.ts';
import { count, title } from '../../../core/text.ts';
import type { TopologyMode } from '../../../core/topology.ts';
import { controlPlaneOf, isArbiter, isControlPlane } from '../../../core/topology.ts';

export default defineCheck({
  id: 'control-plane-quorum',
  title: 'The control plane keeps quorum when one node is lost',
  failureTitle: 'The loss of one control-plane node stops the API',
  testName: 'control plane should keep etcd quorum when one node is lost',
  suite: 'services',
  scope: 'cluster',
  severity: 'critical',
  stage: 'enforce',
  source: [
    {
      title: 'OpenShift conventions: high availability',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#high-availability',
    },
    {
      title: 'etcd: failure tolerance by cluster size',
      url: 'https://etcd.io/docs/latest/faq/#why-an-odd-number-of-cluster-members',
    },
  ],
  requires: [...N, 'pods'],
  uses: [...usesOfN, 'podDisruptionBudgets'],
  live: true,
  transient: true,
  controlPlaneTopologies: ['HighlyAvailable', 'HighlyAvailableArbiter', 'DualReplica'],
  ownerNamespace: openshiftEtcd,
  breaks: 'The API becomes read-only or unreachable for everyone.',
  fix: 'Replace the lost member, and let the budget of the guard pods keep a majority.',
  run({ nodes, pods, podDisruptionBudgets: budgets }, scope) {
    const { cluster } = scope;
    const members = etcdMembers(pods);
    const view: View = {
      mode: controlPlaneOf(cluster.topology),
      namespace:
        members[0]?.metadata.namespace ?? (cluster.openshift ? openshiftEtcd : 'kube-system'),
      controlPlane: nodes.all.filter(isControlPlane),
      members,
      spare: members.length - majority(members.length),
      nodeOf: (pod) => nodes.get(undefined, pod.spec?.nodeName ?? ''),
    };
    const examined = view.controlPlane.length + members.length;
    const lacking = [...tooFewNodes(view), ...noArbiter(view, nodes.all)];
    const notes = updates(view);
    if (members.length === 0) {
      notes.push('no member of etcd runs in a pod: only nodes are judged');
      // Where it cannot but be in pods, these were not read.
      const isUnseen = cluster.openshift && lacking.length === 0;
      const missing = `pods of etcd in ns/${view.namespace} were not read`;
      return { examined, findings: lacking, notes, ...(isUnseen && { missing }) };
    }
    const size = isFenced(view) ? [] : wrongSize(view);
    const weak = isFenced(view) ? [] : oneMoreLoss(view, scope);
    // Zones and guards of a set of the wrong size follow from it.
    const isPlaced = view.mode === 'HighlyAvailable' && size.length === 0;
    if (isPlaced) notes.push(...twoZones(view));
    const placed = isPlaced ? fullZones(view) : [];
    const isGuarded = isPlaced && cluster.openshift && budgets !== undefined;
    const guarded = isGuarded ? unguarded(view, etcdGuards(pods), budgets) : [];
    const findings = [...lacking, ...size, ...weak, ...placed, ...guarded];
    return { examined, findings, notes };
  },
});

interface View {
  readonly mode: TopologyMode | undefined;
  /** Where etcd runs: the object that stands for it. */
  readonly namespace: string;
  readonly controlPlane: readonly Node[];
  readonly members: readonly Pod[];
  /** How many members can go before the majority does. */
  readonly spare: number;
  nodeOf(pod: Pod): Node | undefined;
}

function etcdFinding({ namespace }: View, message: string, words: readonly string[]): Finding {
  const etcd = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  return finding(etcd, { message, command: kubectlGet(words) });
}

const allNodes = ['nodes', '-o', 'wide'];
const itsPods = ({ namespace }: View) => ['pods', '-n', namespace, '-o', 'wide'];

/** On a node that reboots for its update nothing is lost: it comes back by itself. */
const isUpdating = (node: Node | undefined) =>
  node !== undefined && updateState(node) !== undefined;

function updates({ controlPlane }: View): string[] {
  return controlPlane
    .filter(isUpdating)
    .map((node) => `${title({ kind: node.kind, ...node.metadata })}: counted during its update`);
}

function tooFewNodes(view: View): readonly Finding[] {
  const { mode, controlPlane } = view;
  const wanted = mode === 'HighlyAvailable' ? 3 : 2;
  const up = controlPlane.filter((node) => isNodeReady(node) || isUpdating(node)).length;
  if (up >= wanted) return [];
  const found = count(up, 'Ready control-plane node');
  return [etcdFinding(view, `${found}; needs ${wanted}`, allNodes)];
}

function noArbiter(view: View, nodes: readonly Node[]): readonly Finding[] {
  if (view.mode !== 'HighlyAvailableArbiter' || nodes.some(isArbiter)) return [];
  return [etcdFinding(view, 'no arbiter node; needs 1', allNodes)];
}

/** OpenShift's pair of nodes goes on by fencing the other one, not by a majority. */
const isFenced = ({ mode, namespace }: View) =>
  mode === 'DualReplica' && namespace === openshiftEtcd;

function wrongSize(view: View): readonly Finding[] {
  const { members, spare } = view;
  const size = members.length;
  const all = count(size, 'etcd member');
  const loss = `${all} ${size === 1 ? 'tolerates' : 'tolerate'} the loss of`;
  if (size < 3) return [etcdFinding(view, `${loss} none; needs 3`, itsPods(view))];
  if (size % 2 > 0) return [];
  return [etcdFinding(view, `${loss} ${spare}, as ${size - 1} do`, itsPods(view))];
}

function oneMoreLoss(view: View, scope: Scope): readonly Finding[] {
  const { members, nodeOf } = view;
  // A new revision of etcd makes each member's pod anew, one after the other.
  const ready = members.filter(
    (pod) => isReady(pod) || isYoung(pod, scope) || isUpdating(nodeOf(pod)),
  ).length;
  const needed = majority(members.length);
  if (ready > needed || ready === members.length) return [];
  const said = ready < needed ? `quorum needs ${needed}` : 'one more loss stops the API';
  return [etcdFinding(view, `${ready} of ${members.length} members ready: ${said}`, itsPods(view))];
}

const zonesOf = ({ controlPlane }: View) =>
  new Set(controlPlane.flatMap((node) => zoneOf(node) ?? []));

/** No placement of three members in two zones survives the loss of either. */
function twoZones(view: View): readonly string[] {
  return zonesOf(view).size === 2
    ? ['control-plane nodes in 2 zones: the loss of one of them stops the API']
    : [];
}

function fullZones(view: View): readonly Finding[] {
  const { members, spare, nodeOf } = view;
  if (zonesOf(view).size < 3) return [];
  const zones = Map.groupBy(members, (pod) => {
    const node = nodeOf(pod);
    return node && zoneOf(node);
  });
  return [...zones].flatMap(([zone, { length }]) => {
    if (zone === undefined || length <= spare) return [];
    const message = `zone ${zone} holds ${length} of ${members.length} etcd members; at most ${spare}`;
    return [etcdFinding(view, message, itsPods(view))];
  });
}

function unguarded(
  view: View,
  guards: readonly Pod[],
  budgets: Collection<PodDisruptionBudget>,
): readonly Finding[] {
  const { namespace, spare } = view;
  const found = guardBudget(guards, budgets);
  if (!found) {
    const message = `no PodDisruptionBudget covers guard pods of etcd; needs one that allows ${spare}`;
    return [etcdFinding(view, message, ['poddisruptionbudgets', '-n', namespace, '-o', 'wide'])];
  }
  const { budget, allowed } = found;
  if (allowed <= spare) return [];
  return [
    finding(budget, {
      path: 'spec',
      message: `etcd guard budget allows ${allowed} of ${guards.length}; at most ${spare}`,
      shows: '{.spec}{.status}',
      patch: { spec: { maxUnavailable: null, minAvailable: guards.length - spare } },
    }),
  ];
}
