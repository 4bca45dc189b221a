/** A cluster's state at a moment: objects by kind, or why a kind could not be read. */
import type { ErrorCause } from './errors.ts';
import type { Kind, ObjectOf } from './kinds.ts';

/** Where the objects came from; it decides what can be judged (spec of checks, input kinds). */
export const inputKinds = [
  'live',
  'must-gather',
  'gather-extra',
  'snapshot',
  'objects',
  'manifests',
] as const;
export type InputKind = (typeof inputKinds)[number];

/** A part of a kind that could not be read: one namespace of it, or an unknown part of the whole. */
export interface Gap {
  readonly namespace?: string;
  readonly cause: ErrorCause;
  readonly detail: string;
}

/**
 * What is known of one kind. Missing is not empty: only `read` says anything about objects, and only
 * outside its gaps. `unknown` is for manifests, which say nothing of nodes.
 */
export type Listing<K extends Kind = Kind> =
  | {
      readonly state: 'read';
      readonly objects: readonly ObjectOf<K>[];
      readonly gaps: readonly Gap[];
    }
  | { readonly state: 'not served' }
  | { readonly state: 'unknown' }
  | { readonly state: 'missing'; readonly cause: ErrorCause; readonly detail: string };

export type Listings = { readonly [K in Kind]?: Listing<K> };

/** What a CI job wrote of its cluster, in the words of OpenShift's tests: `ha`, `single`, `external`. */
export interface JobData {
  readonly topology?: string;
  readonly platform?: string;
  readonly release?: string;
}

export interface Snapshot {
  readonly input: { readonly kind: InputKind; readonly name: string };
  /** RFC 3339; live: the server's Date at the start of the gathering. Absent in manifests. */
  readonly takenAt?: string;
  /** The API server's version, such as v1.36.3. */
  readonly serverVersion?: string;
  /** For where Infrastructure and ClusterVersion were not recorded. */
  readonly jobData?: JobData;
  readonly listings: Listings;
  /** False when the reading was cut short: a signal, a deadline, a truncated archive. */
  readonly complete: boolean;
}

/** The listing of a kind; one that nobody gathered is missing. */
export function listing<K extends Kind>(snapshot: Snapshot, kind: K): Listing<K> {
  // The table maps each kind to its own listing; TypeScript cannot follow that through an index.
  const found = snapshot.listings[kind] as Listing<K> | undefined;
  return found ?? { state: 'missing', cause: 'not collected', detail: 'was not gathered' };
}

/** The objects of a kind that could be read, whatever is missing beside them. */
export function objectsOf<K extends Kind>(snapshot: Snapshot, kind: K): readonly ObjectOf<K>[] {
  const found = listing(snapshot, kind);
  return found.state === 'read' ? found.objects : [];
}

/** Why a kind cannot be judged in a namespace (or in the cluster); undefined when it can. */
export function missing(
  snapshot: Snapshot,
  kind: Kind,
  namespace?: string,
): { readonly cause: ErrorCause; readonly detail: string } | undefined {
  const found = listing(snapshot, kind);
  if (found.state === 'missing') return found;
  if (found.state !== 'read') return undefined;
  return found.gaps.find((gap) => gap.namespace === undefined || gap.namespace === namespace);
}
