/** Replicas are kept apart by something that is about them and that the nodes can tell apart. */
import { floorOf } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding, templatePatch } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import { eligibleNodes } from '../../../core/nodes.ts';
import type { Node } from '../../../core/objects.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import { labelsLike, selectorText } from '../../../core/selector.ts';
import type { SpreadTerm } from '../../../core/spread.ts';
import { hostnameKey, isExclusive, ownLabels, spreadTerms } from '../../../core/spread.ts';
import { valuesOf } from '../../../core/spread-domains.ts';
import { count } from '../../../core/text.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'spread-declaration',
  title: 'Multi-replica workloads declare how they spread',
  failureTitle: 'Workloads leave the spread of replicas to chance',
  testName: 'workloads in ns/<namespace> should declare how replicas are spread',
  suite: 'spread',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'OpenShift conventions, anti-affinity',
      url: 'https://github.com/openshift/enhancements/blob/master/CONVENTIONS.md#high-availability',
    },
    {
      title: 'Pod Topology Spread Constraints',
      url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/',
    },
  ],
  requires: [...W, ...A, ...N],
  uses: [...usesOfW, ...usesOfA, ...usesOfN],
  redundant: true,
  breaks:
    'The scheduler may put all replicas on one node (its built-in default is a preference only); ' +
    "that node's loss is then a full outage.",
  fix: 'Add a topology spread constraint (or anti-affinity) that selects the pods themselves.',
  run(artifacts, scope) {
    const { nodes } = artifacts;
    const population = redundantWorkloads(artifacts, scope);
    const candidates = population.workloads
      .filter((workload) => workload.class === 'replicated' && workload.isTemplateKnown)
      .map((workload) => ({
        workload,
        replicas: floorOf(workload, artifacts, scope).replicas,
        // Manifests know no nodes: there will be enough.
        eligible: nodes.known ? eligibleNodes(workload.spec, nodes.all) : undefined,
      }))
      .filter(({ replicas, eligible }) => replicas >= 2 && (eligible?.length ?? 2) >= 2);
    const findings = candidates.flatMap(({ workload, replicas, eligible }) => {
      const terms = spreadTerms(workload, scope);
      const isSpread = terms.some((term) => term.selectsOwnPods && distinguishes(term, eligible));
      return isSpread || isExclusive(workload, scope)
        ? []
        : [undeclared(workload, nearMiss(workload, terms, eligible ?? []), replicas)];
    });
    return { ...population, examined: candidates.length, findings };
  },
});

/** Whether two eligible nodes differ in the term's key, so that pods can be kept apart by it. */
function distinguishes({ key }: SpreadTerm, eligible: readonly Node[] | undefined): boolean {
  return eligible === undefined || valuesOf(key, eligible).length >= 2;
}

/** What comes nearest to a spread that works; undefined when there is nothing of the kind. */
function nearMiss(
  workload: Workload,
  terms: readonly SpreadTerm[],
  eligible: readonly Node[],
): string | undefined {
  const term = terms.find(({ selectsOwnPods }) => selectsOwnPods) ?? terms[0];
  if (!term) return workload.spec.affinity?.podAntiAffinity && 'podAntiAffinity is empty';
  const { title, key, selector, elsewhere } = term;
  if (term.selectsOwnPods) {
    const [only] = valuesOf(key, eligible);
    return only === undefined
      ? `spreads over ${key}, which no eligible node carries`
      : `spreads over ${key}, where all eligible nodes have ${only}`;
  }
  if (!selector) return `${title} without labelSelector selects no pod`;
  if (elsewhere !== undefined) return `${title} selects ${selectorText(selector)} ${elsewhere}`;
  const own = labelsLike(workload.labels, selector);
  return `${title} selects ${selectorText(selector)}, the pods have ${own}`;
}

function undeclared(workload: Workload, miss: string | undefined, replicas: number) {
  // A constraint with the same key is merged with this one: what it selects by must be named to go.
  const own = ownLabels(workload);
  const merged = constraintOn(hostnameKey, workload);
  const { matchLabels = {}, matchExpressions } = merged?.labelSelector ?? {};
  const gone = Object.fromEntries(Object.keys(matchLabels).map((key) => [key, null]));
  const labelSelector = {
    matchLabels: { ...gone, ...own },
    ...(matchExpressions && { matchExpressions: null }),
  };
  return finding(workload, {
    path: 'spec.template.spec.topologySpreadConstraints',
    message: miss ?? `${count(replicas, 'replica')}, no anti-affinity and no topology spread`,
    shows: '{.spec.template.spec.affinity}{.spec.template.spec.topologySpreadConstraints}',
    patch: templatePatch(workload, {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: hostnameKey,
          whenUnsatisfiable: merged?.whenUnsatisfiable ?? 'ScheduleAnyway',
          labelSelector,
          // A key may not stand in both.
          ...(merged?.matchLabelKeys?.some((key) => key in own) && { matchLabelKeys: null }),
        },
      ],
    }),
  });
}

function constraintOn(key: string, { spec }: Workload) {
  return spec.topologySpreadConstraints?.find(({ topologyKey }) => topologyKey === key);
}
