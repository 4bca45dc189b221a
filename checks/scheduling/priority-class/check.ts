/** What the platform consists of is not pushed aside by what runs on it. */
import type { Artifacts } from '../../../core/artifacts.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding, templatePatch } from '../../../core/finding.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import type { PriorityClass } from '../../../core/objects.ts';
import { runningWorkloads } from '../../../core/population.ts';
import type { Scope } from '../../../core/scope.ts';

export default defineCheck({
  id: 'priority-class',
  title: 'Workloads carry an agreed priority class',
  failureTitle: 'Workloads carry no or a foreign priority class',
  testName: 'workloads in ns/<namespace> should use an agreed priority class',
  suite: 'scheduling',
  scope: 'namespace',
  severity: 'minor',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift conventions: priority classes',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#priority-classes',
    },
  ],
  requires: [...W],
  uses: [...usesOfW, 'priorityClasses'],
  isInForce: ({ cluster, class: own, namespace }) =>
    cluster.openshift ? own === 'platform' : namespace === 'kube-system',
  breaks:
    "When a lost node's pods crowd the rest, this component is preempted or evicted before user " +
    'workloads.',
  fix: 'Set priorityClassName to one that is agreed for the platform.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const workloads = population.workloads.filter(({ isTemplateKnown }) => isTemplateKnown);
    const findings = workloads.flatMap((workload) => {
      const message = objection(workload.spec.priorityClassName, artifacts, scope);
      if (message === undefined) return [];
      return [
        finding(workload, {
          path: 'spec.template.spec.priorityClassName',
          message,
          shows: '{.spec.template.spec.priorityClassName}',
          patch: templatePatch(workload, { priorityClassName: 'system-cluster-critical' }),
        }),
      ];
    });
    return { ...population, examined: workloads.length, findings };
  },
});

/** Made by every API server. */
const builtin = ['system-cluster-critical', 'system-node-critical'];

function objection(
  name: string | undefined,
  { priorityClasses }: Artifacts<never, 'priorityClasses'>,
  { cluster }: Scope,
): string | undefined {
  const classes = priorityClasses?.all ?? [];
  if (name === undefined) return `no priorityClassName (${byDefault(classes)})`;
  if (isAbsent(name, classes)) return `priorityClassName ${name} does not exist`;
  const agreed = [...(cluster.openshift ? ['openshift-user-critical'] : []), ...builtin];
  if (agreed.includes(name)) return undefined;
  return `priorityClassName ${name}; needs one of ${agreed.join(', ')}`;
}

/** A list without the built-in ones is not the whole list: manifests and must-gathers hold some. */
function isAbsent(name: string, classes: readonly PriorityClass[]): boolean {
  const known = new Set(classes.map(({ metadata }) => metadata.name));
  return builtin.every((own) => known.has(own)) && !known.has(name);
}

/** Of several defaults, which only a race can make, admission takes the lowest. */
function byDefault(classes: readonly PriorityClass[]): string {
  const [lowest] = classes
    .filter(({ globalDefault }) => globalDefault)
    .map(({ metadata: { name }, value = 0 }) => ({ name, value }))
    .toSorted((a, b) => a.value - b.value);
  return lowest ? `globalDefault ${lowest.name}, priority ${lowest.value}` : 'priority 0';
}
