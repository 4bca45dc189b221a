/** What keeps replicas apart can be met on these nodes, and really keeps them apart. */
import { floorOf } from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding, templatePatch } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import { eligibleNodes } from '../../../core/nodes.ts';
import type { TopologySpreadConstraint } from '../../../core/objects.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import type { Finding } from '../../../core/result.ts';
import type { SpreadTerm } from '../../../core/spread.ts';
import { spreadTerms } from '../../../core/spread.ts';
import { valuesOf } from '../../../core/spread-domains.ts';
import type { Placing } from '../../../core/spread-fault.ts';
import { constraintFault, placesText } from '../../../core/spread-fault.ts';
import { count, names, title } from '../../../core/text.ts';

export default defineCheck({
  id: 'spread-sufficiency',
  title: 'Spread constraints can be met and have an effect',
  failureTitle: 'Spread constraints are ineffective or cannot be met',
  testName: 'workloads in ns/<namespace> should have spread constraints the nodes can satisfy',
  suite: 'spread',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'Pod Topology Spread Constraints',
      url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/',
    },
  ],
  requires: [...W, ...A, ...N],
  uses: [...usesOfW, ...usesOfA, ...usesOfN],
  redundant: true,
  breaks:
    'Either a replica stays Pending for ever (one less than paid for), or the constraint permits ' +
    'what it seems to forbid.',
  fix: 'Use maxSkew 1, let the constraint honor taints, or ask for no more replicas than places.',
  run(artifacts, scope) {
    const { nodes } = artifacts;
    if (!nodes.known) return { examined: 0, findings: [], skip: 'no live state' };
    const population = redundantWorkloads(artifacts, scope);
    const candidates: readonly Candidate[] = population.workloads
      .filter((workload) => workload.class === 'replicated')
      .map((workload) => ({
        workload,
        replicas: floorOf(workload, artifacts, scope).replicas,
        terms: spreadTerms(workload, scope).filter(({ selectsOwnPods }) => selectsOwnPods),
        nodes: nodes.all,
        eligible: eligibleNodes(workload.spec, nodes.all),
      }))
      .filter(({ replicas, terms, eligible }) => {
        return replicas >= 2 && terms.length > 0 && eligible.length >= 2;
      });
    return {
      ...population,
      examined: candidates.length,
      findings: candidates.flatMap((candidate) => [
        ...crowded(candidate),
        ...constrained(candidate),
      ]),
      notes: [...population.notes, ...candidates.flatMap(shunned)],
    };
  },
});

interface Candidate extends Placing {
  /** Those about its own pods. */
  readonly terms: readonly SpreadTerm[];
}

/** More replicas than places that required anti-affinity leaves to them. */
function crowded({ workload, replicas, terms, eligible }: Candidate): readonly Finding[] {
  const required = terms.filter((term) => term.title === 'anti-affinity');
  return required.flatMap(({ key }) => {
    // A node without the key takes any number of them.
    const isLimited = eligible.every(({ metadata }) => Object.hasOwn(metadata.labels ?? {}, key));
    const places = valuesOf(key, eligible).length;
    if (!isLimited || replicas <= places) return [];
    const left = count(replicas - places, 'replica');
    return [
      finding(workload, {
        path: 'spec.template.spec.affinity.podAntiAffinity',
        message: `${replicas} replicas, ${placesText(places, key)}: ${left} can never be placed`,
        shows: '{.spec.replicas} {.spec.template.spec.affinity}',
      }),
    ];
  });
}

const path = 'spec.template.spec.topologySpreadConstraints';

function constrained(candidate: Candidate): readonly Finding[] {
  const { workload, terms } = candidate;
  const all = workload.spec.topologySpreadConstraints ?? [];
  return terms.flatMap(({ constraint, isHard }) => {
    if (!constraint || !isHard) return [];
    const message = constraintFault(constraint, terms, candidate);
    if (message === undefined) return [];
    const { topologyKey } = constraint;
    // A patch of one is merged with every constraint of its key: of two nobody knows with which.
    const isUnique = all.filter((other) => other.topologyKey === topologyKey).length === 1;
    const cure = cures.find(
      (change) =>
        isUnique && constraintFault({ ...constraint, ...change }, terms, candidate) === undefined,
    );
    return [
      finding(workload, {
        path: `${path}[${all.indexOf(constraint)}]`,
        message,
        shows: `{.${path}}`,
        patch:
          cure &&
          templatePatch(workload, { topologySpreadConstraints: [{ topologyKey, ...cure }] }),
      }),
    ];
  });
}

/** Smallest first: to honor taints costs the guarantee while a node is cordoned. */
const cures: readonly TopologySpreadConstraint[] = [
  { maxSkew: 1 },
  { nodeTaintsPolicy: 'Honor' },
  { nodeAffinityPolicy: 'Honor' },
  { nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Honor' },
  { maxSkew: 1, nodeTaintsPolicy: 'Honor' },
];

/** Where the scheduler never puts a pod that has a hard constraint on a label that is not there. */
function shunned({ workload, terms, eligible }: Candidate): readonly string[] {
  const keys = terms.flatMap(({ isHard, constraint, key }) => (isHard && constraint ? [key] : []));
  return keys.flatMap((key) => {
    const lacking = eligible.filter(({ metadata }) => !Object.hasOwn(metadata.labels ?? {}, key));
    if (lacking.length === 0 || lacking.length === eligible.length) return [];
    const where = names(lacking.map(({ metadata }) => metadata.name));
    return [`${title(workload)}: never placed on ${where}, without ${key}`];
  });
}
