/** What a run says: verdict, finding, result and report, as they stand in report.json. */
import type { ErrorCause } from './errors.ts';
import type { Fact } from './fact.ts';
import type { Inventory } from './inventory.ts';
import type { Kind } from './kinds.ts';
import type { InputKind } from './snapshot.ts';
import type { Topology } from './topology.ts';

export const verdicts = ['pass', 'flake', 'fail', 'skip', 'error'] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * What an uncovered finding of a check comes to: `observe` a note on a pass, `flake` a flake,
 * `enforce` a failure.
 */
export const stages = ['observe', 'flake', 'enforce'] as const;
export type Stage = (typeof stages)[number];

/**
 * critical: an outage, or a drain blocked for ever, on the first event; major: an outage on a second
 * or a particular event; minor: slow or fragile recovery.
 */
export const severities = ['critical', 'major', 'minor'] as const;
export type Severity = (typeof severities)[number];

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly container?: string;
}

/** One violation by one object: the object is what a person would edit. */
export interface Finding {
  readonly code?: string;
  readonly object: ObjectReference;
  /** The field that is at fault, as kubectl explain names it. */
  readonly path?: string;
  /** What was observed, then what is expected. */
  readonly message: string;
  /** A read-only kubectl command that shows the evidence. */
  readonly command: string;
  /** A strategic merge patch (custom resources: a merge patch) that makes the finding go. */
  readonly patch?: Readonly<Record<string, unknown>>;
  /** May be gone a moment later: counts in full only when it holds in two listings. */
  readonly transient?: true;
}

/** The exception that covers a finding, or that a report lists; `at` is file:line. */
export interface ExceptionReference {
  readonly at: string;
  readonly check: string;
  readonly state: 'pending' | 'permanent';
  readonly reason: string;
  readonly jira?: string;
  readonly source?: string;
  readonly expires?: string;
  readonly targetRelease?: string;
}

export interface ClassifiedFinding extends Omit<Finding, 'transient'> {
  /** False where the observation could not be confirmed, such as a passing state seen only once. */
  readonly conclusive: boolean;
  readonly exception?: ExceptionReference;
}

/**
 * What says who answers for a namespace, the first that does: the user's file, the namespace's own
 * annotation or label, the shipped map of components, an operator of the platform or of OLM.
 */
export const ownerSources = [
  'file',
  'annotation',
  'label',
  'component map',
  'ClusterOperator',
  'ClusterServiceVersion',
] as const;

export interface Owner {
  /** A Jira component, or the operator; an operator's name is no component. */
  readonly name: string;
  readonly source: (typeof ownerSources)[number];
}

/** The verdict of one check in one namespace (or for the cluster). */
export interface Result {
  /** `<check>/<namespace or subject>`: unique in a report and stable over runs. */
  readonly id: string;
  readonly check: string;
  readonly code?: string;
  readonly suite: string;
  readonly severity: Severity;
  /** The stage in force for this result, caps included. */
  readonly stage: Stage;
  readonly namespace?: string;
  readonly subject?: string;
  readonly cluster?: string;
  readonly testName: string;
  /** Who answers for the namespace, or for the part of the cluster that the check is about. */
  readonly owner?: Owner;
  /** The exact name of the owner's Jira component, where it is known. */
  readonly jiraComponent?: string;
  readonly verdict: Verdict;
  /** A failure that the mass failure limit turns into a flake in JUnit. */
  readonly guarded?: true;
  /** Why it is a skip or an error. */
  readonly reason?: string;
  readonly cause?: ErrorCause;
  /** How many objects were judged. */
  readonly examined: number;
  readonly notes: readonly string[];
  readonly findings: readonly ClassifiedFinding[];
}

/** What the views need to know of a check beside its results. */
export interface CheckSummary {
  readonly id: string;
  readonly title: string;
  readonly failureTitle: string;
  readonly breaks: string;
  readonly fix: string;
  readonly docs: string;
}

/** An exception in a report's bookkeeping, with the number of objects that it matched. */
export interface ExceptionUse extends ExceptionReference {
  readonly matched: number;
  /** Why it stands in its list, such as the exception that shadows it. */
  readonly note?: string;
}

export interface ExceptionUses {
  readonly used: readonly ExceptionUse[];
  readonly unused: readonly ExceptionUse[];
  readonly expired: readonly ExceptionUse[];
  readonly expiring: readonly ExceptionUse[];
  readonly shadowed: readonly ExceptionUse[];
  readonly broader: readonly ExceptionUse[];
}

export interface Coverage {
  /** The kinds that were read to the end. */
  readonly evaluated: readonly string[];
  /** What was not: a kind, or `<kind> in ns/<namespace>`. */
  readonly notEvaluated: readonly { readonly kind: string; readonly reason: string }[];
}

export const schemaVersion = 1;

export interface Report {
  readonly schemaVersion: typeof schemaVersion;
  readonly tool: { readonly name: string; readonly version: string };
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
  /** The stage of each check that ran, as asked for; a result may be capped below it. */
  readonly stages: Readonly<Record<string, Stage>>;
  readonly input: { readonly kind: InputKind; readonly name: string };
  readonly topology: Topology | 'unknown';
  /** The infrastructure platform, such as AWS; `unknown` where nothing tells. */
  readonly platform: string;
  /** The OpenShift release, elsewhere the Kubernetes version; `unknown` where nothing tells. */
  readonly release: string;
  readonly coverage: Coverage;
  /** False when a signal, a deadline or an unreadable list cut the run short, or damage a recording. */
  readonly complete: boolean;
  /** A signal or the deadline came before the end. */
  readonly interrupted?: true;
  readonly checks: readonly CheckSummary[];
  readonly results: readonly Result[];
  readonly exceptions: ExceptionUses;
  readonly inventory: Inventory;
  readonly summary: Readonly<Record<Verdict, number>>;
}

/** What is said of one object: what is known of it, and what each check that judges it makes of that. */
export interface Explanation {
  readonly object: Omit<ObjectReference, 'container'>;
  readonly facts: readonly Fact[];
  readonly checks: readonly ExplainedCheck[];
}

export interface ExplainedCheck {
  readonly check: string;
  /** Of the namespace, or of the cluster without one, that the check judged. */
  readonly namespace?: string;
  /** What is expected. */
  readonly title: string;
  readonly breaks: string;
  readonly fix: string;
  readonly docs: string;
  readonly stage: Stage;
  /** By the findings on this object alone. */
  readonly verdict: Verdict;
  readonly reason?: string;
  /** The names of the facts on which the expectation may rest. */
  readonly facts: readonly string[];
  /** The kinds that the rule reads: how many objects of each there are here, or why it is not known. */
  readonly reads: readonly { readonly kind: Kind; readonly objects: number | string }[];
  /** Notes that name the object. */
  readonly notes: readonly string[];
  readonly findings: readonly ExplainedFinding[];
}

export interface ExplainedFinding extends ClassifiedFinding {
  /** What the API server says of the patch. */
  readonly dryRun?: Trial;
}

export interface Trial {
  readonly state: 'accepted' | 'refused' | 'not tried';
  readonly reason?: string;
}
