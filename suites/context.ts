/** What every suite works on: a snapshot that is read once, and all that is to be asked of it. */
import { didYouMean } from '../config/nearest.ts';
import type { Artifacts } from '../core/artifacts.ts';
import { artifactsOf } from '../core/artifacts.ts';
import type { AnyCheck } from '../core/check.ts';
import { KnownError } from '../core/errors.ts';
import type { Outcome } from '../core/evaluate.ts';
import { evaluate, placeOf } from '../core/evaluate.ts';
import { factsOf, platformOf, releaseOf } from '../core/facts.ts';
import type { Kind } from '../core/kinds.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { listing, objectsOf } from '../core/snapshot.ts';
import type { Exception } from '../exceptions/exception.ts';
import { loadExceptions } from '../exceptions/load.ts';
import { nodeNames } from '../exceptions/match-pattern.ts';
import { shippedExceptions } from '../exceptions/shipped.ts';
import type { Circumstances } from '../exceptions/validity.ts';
import type { Confirm } from './confirm.ts';
import { confirmation } from './confirm.ts';
import type { SelectedNamespace } from './namespaces.ts';
import { selectNamespaces } from './namespaces.ts';
import { attributing, ownershipKinds } from './owners.ts';
import type { Case } from './plan.ts';
import { planOf } from './plan.ts';
import { kindsFor, selectChecks } from './select.ts';
import type { Settings } from './settings.ts';
import type { Source, SourceOptions } from './source.ts';
import { openSource } from './source.ts';
import { allChecks } from './user-checks.ts';

export interface Context {
  readonly settings: Settings;
  readonly checks: readonly AnyCheck[];
  readonly snapshot: Snapshot;
  readonly cases: readonly Case[];
  readonly exceptions: readonly Exception[];
  readonly circumstances: Circumstances;
  evaluate(subject: Case): Outcome;
  readonly confirm: Confirm;
  readonly dryRun: Source['dryRun'];
  /** Ends connections; what was read stays. */
  close(): Promise<void>;
}

export interface PrepareOptions extends SourceOptions {
  readonly now: Date;
  /** What is read beside the kinds that the checks name. */
  readonly alsoRead?: readonly Kind[];
}

/** Reads everything. Throws KnownError where what the user gave cannot be used. */
export async function prepare(settings: Settings, options: PrepareOptions): Promise<Context> {
  const known = await allChecks(settings.checkFolders);
  const checks = selectChecks(known, settings);
  // Before anything is read: a mistake in a file should not cost minutes.
  const exceptions = await exceptionsOf(settings, known);
  const source = await openSource(settings, options);
  const also = options.alsoRead ?? [];
  const snapshot = await source.read(kindsFor(checks, [...ownershipKinds, ...also]));
  if (!source.isLive && !options.signal.aborted) demandSomething(snapshot);
  const readAt = performance.now();
  const cluster = factsOf(snapshot, settings);
  const namespaces = selectNamespaces(snapshot, { ...settings, openshift: cluster.openshift });
  demandNamespaces(settings, namespaces, snapshot);
  const cases = planOf(checks, namespaces, {
    cluster,
    attribute: attributing({ owners: settings.owners, openshift: cluster.openshift, snapshot }),
  });
  const artifacts = artifactsOf(snapshot);
  const outcomes = new Map<Case, Outcome>();
  const evaluateOnce = (subject: Case) => {
    const known = outcomes.get(subject) ?? outcomeOf(subject, snapshot, artifacts);
    outcomes.set(subject, known);
    return known;
  };
  const { settleWait } = settings;
  const isSecondRead = source.isLive && settleWait > 0;
  const doubtful = isSecondRead ? cases.filter((one) => isInDoubt(evaluateOnce(one))) : [];
  const { signal } = options;
  return {
    settings,
    checks,
    snapshot,
    cases,
    exceptions: exceptions(cluster.openshift),
    circumstances: circumstancesOf(snapshot, options.now, cluster.topology),
    evaluate: evaluateOnce,
    dryRun: (finding) => source.dryRun(finding),
    confirm: confirmation(doubtful, { source, snapshot, settleWait, readAt, signal }),
    close: () => source.close(),
  };
}

/** A recording of which nothing can be used must not pass for a cluster in which nothing is wrong. */
function demandSomething({ input, listings }: Snapshot): void {
  const all = Object.entries(listings);
  if (all.some(([, { state }]) => state === 'read')) return;
  const [kind, first] = all.find(([, { state }]) => state === 'missing') ?? [];
  const why = first?.state === 'missing' ? `: ${kind} ${first.detail}` : '';
  throw new KnownError('UNREADABLE_INPUT', `${input.name}: nothing in it can be judged${why}`);
}

/** A name with a slip in it must not pass for a namespace in which nothing is wrong. */
function demandNamespaces(
  { namespaces: named }: Settings,
  selected: readonly SelectedNamespace[],
  snapshot: Snapshot,
): void {
  if (named.length === 0 || selected.some(({ isAbsent }) => !isAbsent)) return;
  const known = objectsOf(snapshot, 'namespaces').map(({ metadata }) => metadata.name);
  const absent = selected.map(({ name }) => `no namespace "${name}"${didYouMean(name, known)}`);
  const excluded = 'every namespace that is named is excluded, too';
  throw new KnownError('USAGE', absent.length > 0 ? `there is ${absent.join('; ')}` : excluded);
}

const isInDoubt = (outcome: Outcome) =>
  outcome.kind === 'judged' && outcome.findings.some((finding) => finding.transient);

function outcomeOf(
  { check, scope, isAbsent }: Case,
  snapshot: Snapshot,
  artifacts: (namespace: string | undefined) => Artifacts<never, Kind>,
): Outcome {
  if (isAbsent) return { kind: 'skip', reason: 'namespace absent', notes: [] };
  return evaluate(check, snapshot, artifacts(placeOf(check, scope)), scope);
}

/** All files are checked, whichever platform's is used in the end. */
async function exceptionsOf(
  { exceptions: own, shippedExceptions: isShipped }: Settings,
  checks: readonly AnyCheck[],
) {
  const load = async (platform: 'openshift' | 'kubernetes') =>
    loadExceptions([...(isShipped ? [shippedExceptions(platform)] : []), ...own], {
      checks,
    });
  const [openshift, kubernetes] = await Promise.all([load('openshift'), load('kubernetes')]);
  return (isOpenShift: boolean) => (isOpenShift ? openshift : kubernetes);
}

function circumstancesOf(
  snapshot: Snapshot,
  now: Date,
  topology: Case['scope']['cluster']['topology'],
): Circumstances {
  const nodes = objectsOf(snapshot, 'nodes').map(({ metadata }) => metadata.name);
  return {
    now,
    release: releaseOf(snapshot),
    platform: platformOf(snapshot),
    controlPlaneTopology: 'cause' in topology ? undefined : topology.controlPlaneTopology,
    ...(listing(snapshot, 'nodes').state === 'read' && { nodes: nodeNames(nodes) }),
  };
}
