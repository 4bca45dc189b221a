/** What is said of one object: what is known of it, and what each check that judges it makes of that. */
import type { Kind } from './kinds.ts';
import type { ClassifiedFinding, ObjectReference, Stage, Verdict } from './result.ts';

export interface Explanation {
  readonly object: Omit<ObjectReference, 'container'>;
  readonly facts: readonly Fact[];
  readonly checks: readonly ExplainedCheck[];
}

export interface Fact {
  readonly name: string;
  readonly text: string;
  /** The kinds that it is derived from. */
  readonly from: readonly Kind[];
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
