/** Two replicas are kept apart by force, three or more by preference. */
import { floorOf } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding, templatePatch } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import { eligibleNodes } from '../../../core/nodes.ts';
import type { Node } from '../../../core/objects.ts';
import { isControlPlaneBound, redundantWorkloads } from '../../../core/population.ts';
import type { Finding } from '../../../core/result.ts';
import type { SpreadTerm } from '../../../core/spread.ts';
import { hostnameKey, isExclusive, ownLabels, spreadTerms } from '../../../core/spread.ts';
import type { Workload } from '../../../core/workload.ts';
import { isDeployment } from '../../../core/workload-source.ts';

export default defineCheck({
  id: 'spread-strength',
  title: 'Anti-affinity has the strength of the convention',
  failureTitle: 'Anti-affinity is softer or harder than the convention',
  testName: 'workloads in ns/<namespace> should use the anti-affinity strength of the convention',
  suite: 'spread',
  scope: 'namespace',
  severity: 'minor',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift conventions: hard anti-affinity for 2 replicas, soft for 3 or more',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#high-availability',
    },
  ],
  requires: [...W, ...A, ...N],
  uses: [...usesOfW, ...usesOfA, ...usesOfN],
  redundant: true,
  isInForce: ({ cluster, class: own }) => cluster.openshift && own === 'platform',
  breaks:
    'Soft with 2 replicas: after a drain both end on one node and stay there. Hard with 3 on ' +
    'workers: the third is Pending on the smallest supported cluster.',
  fix: 'Require anti-affinity on kubernetes.io/hostname for 2 replicas, prefer it for 3 or more.',
  run(artifacts, scope) {
    const { nodes } = artifacts;
    const population = redundantWorkloads(artifacts, scope);
    const candidates = population.workloads
      .filter((workload) => workload.class === 'replicated')
      .map((workload) => ({
        workload,
        replicas: floorOf(workload, artifacts, scope).replicas,
        terms: spreadTerms(workload, scope).filter(({ selectsOwnPods }) => selectsOwnPods),
        // Manifests know no nodes: there will be enough.
        eligible: nodes.known ? eligibleNodes(workload.spec, nodes.all) : undefined,
      }))
      .filter(
        ({ replicas, terms, eligible }) =>
          replicas >= 2 && terms.length > 0 && (eligible?.length ?? 2) >= 2,
      );
    const findings = candidates.flatMap(({ workload, replicas, terms, eligible }) => {
      if (replicas > 2) return hard(workload, replicas, terms);
      const [first] = terms;
      const isHard =
        isExclusive(workload, scope) || terms.some((term) => keepsApart(term, eligible));
      return first && !isHard ? [soft(workload, first)] : [];
    });
    return { ...population, examined: candidates.length, findings };
  },
});

/** Whether two pods that differ in the key of a term are never on one node, whatever is cordoned. */
function keepsApart(
  { key, isHard, constraint, title }: SpreadTerm,
  eligible: readonly Node[] | undefined,
): boolean {
  if (!constraint) {
    // A node without the key would take both of them.
    const isCarried = eligible?.every(({ metadata }) => Object.hasOwn(metadata.labels ?? {}, key));
    return title === 'anti-affinity' && isCarried === true;
  }
  return isHard && key === hostnameKey && weakness(constraint) === undefined;
}

type Constraint = NonNullable<SpreadTerm['constraint']>;

/** How a hard constraint lets two replicas share a node. */
function weakness({ maxSkew = 1, minDomains = 1, nodeTaintsPolicy }: Constraint) {
  if (maxSkew > 1) return `with maxSkew ${maxSkew}`;
  // While a node is cordoned it is no domain then, and one domain is even with itself.
  return nodeTaintsPolicy === 'Honor' && minDomains < 2 ? 'that honors taints' : undefined;
}

function soft(workload: Workload, term: SpreadTerm): Finding {
  const convention = `convention: required on ${hostnameKey}`;
  return finding(workload, {
    path: 'spec.template.spec.affinity.podAntiAffinity',
    message: `2 replicas with ${termText(term)} only; ${convention}`,
    shows: '{.spec.template.spec.affinity}{.spec.template.spec.topologySpreadConstraints}',
    patch: requiring(workload),
  });
}

function termText({ title, key, isHard, constraint }: SpreadTerm): string {
  if (!constraint) return isHard ? `anti-affinity on ${key}` : title;
  if (!isHard) return `${title} ScheduleAnyway`;
  return `${title} ${key === hostnameKey ? weakness(constraint) : `on ${key}`}`;
}

function requiring(workload: Workload) {
  const { source, spec } = workload;
  const term = { topologyKey: hostnameKey, labelSelector: { matchLabels: ownLabels(workload) } };
  // The list is replaced as a whole: what is required already stays.
  const required = spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const patch = templatePatch(workload, {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [...(required ?? []), term],
      },
    },
  });
  const isRolling = isDeployment(source) && source.spec?.strategy?.type !== 'Recreate';
  if (!patch || !isRolling) return patch;
  // On two nodes a surge pod would find no place: one must go first.
  const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
  return { spec: { ...patch.spec, strategy } };
}

function hard(
  workload: Workload,
  replicas: number,
  terms: readonly SpreadTerm[],
): readonly Finding[] {
  const isRequired = terms.some(
    ({ title, key }) => title === 'anti-affinity' && key === hostnameKey,
  );
  if (!isRequired || isControlPlaneBound(workload)) return [];
  const pending = replicas === 3 ? 'one' : replicas - 2;
  return [
    finding(workload, {
      path: 'spec.template.spec.affinity.podAntiAffinity',
      message:
        `${replicas} replicas with required anti-affinity; ` +
        `a cluster with 2 workers leaves ${pending} Pending`,
      shows: '{.spec.replicas} {.spec.template.spec.affinity}',
    }),
  ];
}
