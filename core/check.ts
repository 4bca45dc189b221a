/** What a check is: a rule over declared artifacts, with the metadata that every view needs. */
import type { Artifacts } from './artifacts.ts';
import type { Kind } from './kinds.ts';
import type { Finding, Severity, Stage } from './result.ts';
import type { Scope } from './scope.ts';
import type { TopologyMode } from './topology.ts';

export interface Check<R extends Kind = Kind, U extends Kind = never> {
  /** kebab-case, the good state as a noun phrase; the folder's name; for ever. */
  readonly id: string;
  /** The id of a rollout rule in its specification, such as CM-01. */
  readonly code?: string;
  /** What a passing cluster does. */
  readonly title: string;
  /** What a failing cluster does. */
  readonly failureTitle: string;
  /** The JUnit name after the tags; `ns/<namespace>` stands for the namespace. For ever, too. */
  readonly testName: string;
  /** The folder above the check's. */
  readonly suite: string;
  readonly scope: 'namespace' | 'cluster';
  readonly severity: Severity;
  readonly stage: Stage;
  /** The convention, documentation or proposal that the rule rests on. */
  readonly source: readonly { readonly title: string; readonly url: string }[];
  /** The check cannot judge without these. */
  readonly requires: readonly R[];
  /** Optional evidence. */
  readonly uses?: readonly U[];
  /** Of this evidence one kind is enough, and none is too little. */
  readonly requiresOneOf?: readonly NoInfer<U>[];
  /** Needs status or placement: skips on manifests. */
  readonly live?: true;
  /** The value may be between two states when it is read: a finding must hold in two listings. */
  readonly transient?: true;
  /** Only workloads that the topology wants redundant are judged. */
  readonly redundant?: true;
  /** Findings are about single containers, so that an exception may be, too. */
  readonly perContainer?: true;
  /** The control planes that the check is about; of an unknown one nothing can be said. */
  readonly controlPlaneTopologies?: readonly TopologyMode[];
  /** Whether the convention that the rule rests on holds in this namespace. */
  readonly isInForce?: (scope: Scope) => boolean;
  /** The oldest API server whose answer means something, and the field that needs it. */
  readonly since?: { readonly version: string; readonly field: string };
  /**
   * The namespace whose owner answers for a check of scope cluster. What the check reads of
   * namespaces must be readable there.
   */
  readonly ownerNamespace?: string;
  /** The highest stage in this situation; lifted only by naming the check. */
  readonly cap?: (scope: Scope) => Stage | undefined;
  /** What breaks, for whom, when a node, a zone or a rollout goes. */
  readonly breaks: string;
  /** What a person does about a finding, in one sentence. */
  readonly fix: string;
  /** Its page, where that is not the README.md of its folder. */
  readonly docs?: string;
  readonly run: (artifacts: Artifacts<R, U>, scope: Scope) => Judgement;
}

export interface Judgement {
  /** The size of the population: how many objects were judged. */
  readonly examined: number;
  readonly findings: readonly Finding[];
  readonly notes?: readonly string[];
  /** Why the population is empty, where it is not for want of objects. */
  readonly skip?: string;
  /** What cannot but be there and was not read: nothing is judged then. */
  readonly missing?: string;
}

/** Infers the artifacts of `run` from `requires` and `uses`: reading another kind does not compile. */
export function defineCheck<const R extends Kind, const U extends Kind = never>(
  check: Check<R, U>,
): Check<R, U> {
  return check;
}

/** A check of whatever kinds, as the registry, the suites and evaluate() see it. */
export type AnyCheck = Omit<Check<Kind, Kind>, 'run'> & {
  // Each run reads the kinds of its own check only; together they read any.
  readonly run: (artifacts: never, scope: Scope) => Judgement;
};

/** Where a check's page is. */
export function docsOf({ suite, id, docs }: Pick<AnyCheck, 'suite' | 'id' | 'docs'>): string {
  return docs ?? `checks/${suite}/${id}/README.md`;
}
