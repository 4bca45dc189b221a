/** An evicted pod is not put back on the node that is being drained. */
import { defineCheck } from '../../../core/check.ts';
import { finding, templatePatch } from '../../../core/finding.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import { tolerates } from '../../../core/nodes.ts';
import type { Toleration } from '../../../core/objects.ts';
import { isControlPlaneBound, runningWorkloads } from '../../../core/population.ts';
import { labels } from '../../../core/text.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'toleration-scope',
  title: 'Workloads do not tolerate the taint of a drained node',
  failureTitle: 'Workloads may land again on a node being drained',
  testName: 'workloads in ns/<namespace> should not tolerate the taint of a drained node',
  suite: 'scheduling',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift conventions: taints and tolerations',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#taints-and-tolerations',
    },
  ],
  requires: [...W],
  uses: [...usesOfW],
  breaks:
    'The evicted pod may be put back on the cordoned node. kubectl drain reports success all the ' +
    'same and the pod dies with the node; a drain that looks again never ends.',
  fix: 'Tolerate only the taints of the nodes that the workload needs.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const workloads = population.workloads.filter(
      (workload) =>
        workload.class === 'replicated' && workload.isTemplateKnown && !isOfItsNode(workload),
    );
    const findings = workloads.flatMap((workload) => {
      const [first] = (workload.spec.tolerations ?? []).filter(isTooWide).toSorted(widestFirst);
      if (!first) return [];
      return [
        finding(workload, {
          path: 'spec.template.spec.tolerations',
          message: said(first),
          shows: '{.spec.template.spec.tolerations}',
          patch: patchOf(workload),
        }),
      ];
    });
    return { ...population, examined: workloads.length, findings };
  },
});

/** A custom controller that pins each pod to its node, as DaemonSets do: it comes back there only. */
function isOfItsNode({ source, spec: { affinity } }: Workload): boolean {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const fields = required?.nodeSelectorTerms?.flatMap(({ matchFields = [] }) => matchFields) ?? [];
  return !source && fields.some(({ key }) => key === 'metadata.name');
}

const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

const isTooWide = (toleration: Toleration) => tolerates(toleration, cordon);
const isOpen = ({ key }: Toleration) => key === undefined;
const widestFirst = (a: Toleration, b: Toleration) => Number(isOpen(b)) - Number(isOpen(a));

function said(toleration: Toleration): string {
  if (!isOpen(toleration)) return `tolerates ${cordon.key}, the taint of a cordoned node`;
  const { effect } = toleration;
  const which = effect === undefined ? 'every taint' : `every ${effect} taint`;
  const written = labels({ operator: 'Exists', ...(effect !== undefined && { effect }) });
  return `tolerates ${which} (${written}), the one of a cordoned node included`;
}

/** A list of tolerations is replaced as a whole. */
function patchOf(workload: Workload) {
  const { tolerations = [] } = workload.spec;
  const others = tolerations.filter((toleration) => !isTooWide(toleration));
  if (!tolerations.some((toleration) => isTooWide(toleration) && isOpen(toleration))) {
    return templatePatch(workload, { tolerations: others });
  }
  // Which taints it has to tolerate is written down only where it is bound to the control plane.
  if (!isControlPlaneBound(workload)) return undefined;
  return templatePatch(workload, { tolerations: [...others, ...ofControlPlane] });
}

const ofControlPlane = ['control-plane', 'master'].map((role) => ({
  key: `node-role.kubernetes.io/${role}`,
  operator: 'Exists',
  effect: 'NoSchedule',
}));
