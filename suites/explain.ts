/** What checks say of one object: what they read, what they expect and why, and what would make them pass. */
import type { DryRun } from '../cluster/dry-run.ts';
import { artifactsOf } from '../core/artifacts.ts';
import { docsOf } from '../core/check.ts';
import type { Outcome } from '../core/evaluate.ts';
import { evaluate } from '../core/evaluate.ts';
import type { Fact, FactArtifacts } from '../core/fact.ts';
import type { Kind } from '../core/kinds.ts';
import { kinds } from '../core/kinds.ts';
import { factsAbout } from '../core/object-facts.ts';
import { isSameObject } from '../core/reference.ts';
import type {
  ClassifiedFinding,
  ExplainedCheck,
  ExplainedFinding,
  Explanation,
  ObjectReference,
  Trial,
} from '../core/result.ts';
import { listing, missing, objectsOf } from '../core/snapshot.ts';
import { without } from '../core/without.ts';
import type { Context } from './context.ts';
import { judge } from './judge.ts';
import { selectNamespaces } from './namespaces.ts';
import type { ObjectName } from './object-name.ts';
import { findObject } from './object-name.ts';
import type { Case } from './plan.ts';

/** Throws KnownError USAGE where there is no such object. */
export async function explain(wanted: ObjectName, context: Context): Promise<Explanation> {
  const { snapshot, cases } = context;
  const object = findObject(wanted, snapshot);
  const isHome = ({ scope }: Case) => scope.namespace === object.namespace;
  const { facts, related } = knownOf(object, cases.find(isHome), context);
  const about = [object, ...related];
  const rest = artifactsOf(without(snapshot, about));
  const checks: ExplainedCheck[] = [];
  for (const one of cases) {
    const own = outcomeOf(one, about, context, rest);
    // Elsewhere only what judges it: a webhook is judged where its backend is, etcd's pods in the cluster.
    if (!isHome(one) && own.kind !== 'judged') continue;
    checks.push(await explainCase(one, own, facts, context));
  }
  return { object, facts, checks };
}

function knownOf(object: ObjectReference, home: Case | undefined, context: Context) {
  const { namespace } = object;
  if (!home || namespace === undefined) return { facts: [], related: [] };
  const artifacts = artifactsOf(context.snapshot)(namespace);
  // Each fact looks whether what it is derived from is there.
  const { facts, related } = factsAbout(object, artifacts as FactArtifacts, home.scope);
  return { facts: [namespaceFact(home, context), ...facts], related };
}

/** Which runs come to it at all. */
function namespaceFact({ scope }: Case, { snapshot, settings }: Context): Fact {
  const { openshift } = scope.cluster;
  const usual = selectNamespaces(snapshot, { ...settings, namespaces: [], openshift });
  const isKnown = missing(snapshot, 'namespaces') === undefined;
  const isLeftOut = isKnown && !usual.some(({ name }) => name === scope.namespace);
  const remark = isLeftOut
    ? ': a run leaves it out, unless --namespace or --scope asks for it'
    : '';
  return { name: 'namespace', text: `${scope.class}${remark}`, from: ['namespaces'] };
}

/** The object, and what is judged for its sake. */
type About = readonly ObjectReference[];

/** The outcome as far as it is about these objects; a skip where they are not among what is judged. */
function outcomeOf(
  one: Case,
  about: About,
  context: Context,
  rest: ReturnType<typeof artifactsOf>,
): Outcome {
  const whole = context.evaluate(one);
  if (whole.kind !== 'judged') return whole;
  const findings = whole.findings.filter(({ object }) => isAmong(about, object));
  const notes = whole.notes.filter((note) => about.some(({ name }) => mentions(note, name)));
  const own = { ...whole, findings, notes };
  if (findings.length > 0) return own;
  const { check, scope } = one;
  const others = evaluate(check, context.snapshot, rest(scope.namespace), scope);
  const judged = others.kind === 'judged' ? others.examined : 0;
  return judged < whole.examined ? own : { kind: 'skip', reason: 'nothing to judge', notes };
}

const mentions = (note: string, name: string) => note.split(/[\s/:,;()]+/).includes(name);

const isAmong = (about: About, object: ObjectReference) =>
  about.some((one) => isSameObject(one, object));

async function explainCase(
  one: Case,
  own: Outcome,
  facts: readonly Fact[],
  context: Context,
): Promise<ExplainedCheck> {
  const result = await judge(one, { ...context, evaluate: () => own });
  const { check, scope } = one;
  const { namespace } = scope;
  const { id, title, breaks, fix } = check;
  const { stage, verdict, reason, notes } = result;
  const kindsRead = new Set<Kind>([...check.requires, ...(check.uses ?? [])]);
  return {
    check: id,
    ...(namespace !== undefined && { namespace }),
    title,
    breaks,
    fix,
    docs: docsOf(check),
    stage,
    verdict,
    ...(reason !== undefined && { reason }),
    facts: facts.filter(({ from }) => isSubset(from, kindsRead)).map(({ name }) => name),
    reads: [...kindsRead].map((kind) => ({ kind, objects: extentOf(kind, one, context) })),
    notes,
    findings: await tried(result.findings, context),
  };
}

const isSubset = (some: readonly Kind[], all: ReadonlySet<Kind>) =>
  some.every((kind) => all.has(kind));

/** How many objects there are in the scope of a case, or why it is not known. */
function extentOf(kind: Kind, { scope }: Case, { snapshot }: Context): number | string {
  const gap = missing(snapshot, kind, scope.namespace);
  if (gap) return gap.cause;
  const { state } = listing(snapshot, kind);
  if (state !== 'read') return state;
  const all = objectsOf(snapshot, kind);
  if (scope.namespace === undefined || !kinds[kind].namespaced) return all.length;
  return all.filter(({ metadata }) => metadata.namespace === scope.namespace).length;
}

/** One after the other: the server has other things to do. */
async function tried(
  findings: readonly ClassifiedFinding[],
  { dryRun }: Context,
): Promise<readonly ExplainedFinding[]> {
  const explained: ExplainedFinding[] = [];
  for (const finding of findings) {
    explained.push(
      finding.patch ? { ...finding, dryRun: trialOf(await dryRun(finding)) } : finding,
    );
  }
  return explained;
}

/** Without the object that the server answers with: it holds environments and whatever else. */
function trialOf(answer: DryRun): Trial {
  return answer.state === 'accepted' ? { state: answer.state } : answer;
}
