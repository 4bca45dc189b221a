/** What checks say of one object: what they read, what they expect and why, and what would make them pass. */
import type { DryRun } from '../cluster/dry-run.ts';
import { didYouMean } from '../config/nearest.ts';
import { artifactsOf } from '../core/artifacts.ts';
import type { AnyCheck } from '../core/check.ts';
import { KnownError } from '../core/errors.ts';
import { always } from '../core/evaluate.ts';
import type { Kind } from '../core/kinds.ts';
import { kinds } from '../core/kinds.ts';
import type { Fact, FactArtifacts } from '../core/object-facts.ts';
import { factsAbout } from '../core/object-facts.ts';
import type { ClassifiedFinding, Result } from '../core/result.ts';
import { listing, objectsOf } from '../core/snapshot.ts';
import { title } from '../core/text.ts';
import type { Context } from './context.ts';
import { judge } from './judge.ts';
import type { Case } from './plan.ts';

/** `shop/Deployment/cart`; without a namespace for objects of the cluster. */
export interface ObjectName {
  readonly namespace?: string;
  readonly kind: Kind;
  readonly name: string;
}

export interface Explanation {
  readonly object: { readonly kind: string; readonly namespace?: string; readonly name: string };
  readonly facts: readonly Fact[];
  readonly checks: readonly ExplainedCheck[];
}

export interface ExplainedCheck {
  readonly check: string;
  readonly title: string;
  readonly docs: string;
  readonly stage: Result['stage'];
  /** By the findings on this object alone. */
  readonly verdict: Result['verdict'];
  readonly reason?: string;
  /** The kinds that the rule reads, and how many objects of each are there to be read. */
  readonly reads: readonly { readonly kind: Kind; readonly objects: number | string }[];
  /** Notes that name the object. */
  readonly notes: readonly string[];
  readonly findings: readonly (ClassifiedFinding & { readonly dryRun?: DryRun })[];
}

/** Kinds by every name that kubectl takes for them. */
const shortNames: Readonly<Record<string, Kind>> = {
  cj: 'cronJobs',
  cm: 'lockMetadata',
  deploy: 'deployments',
  ds: 'daemonSets',
  hpa: 'horizontalPodAutoscalers',
  ing: 'ingresses',
  mcp: 'machineConfigPools',
  no: 'nodes',
  ns: 'namespaces',
  pdb: 'podDisruptionBudgets',
  po: 'pods',
  pv: 'persistentVolumes',
  pvc: 'persistentVolumeClaims',
  rc: 'replicationControllers',
  rs: 'replicaSets',
  so: 'scaledObjects',
  sts: 'statefulSets',
  svc: 'services',
};

/** Throws KnownError USAGE where the words name no object. */
export function objectName(words: string): ObjectName {
  const parts = words.split('/');
  const [name = '', kindWord = '', namespace] = parts.toReversed();
  const shape = 'expected NAMESPACE/KIND/NAME, or KIND/NAME for an object of the cluster';
  if (parts.length < 2 || parts.length > 3 || parts.includes('')) {
    throw new KnownError('USAGE', `${shape}, found "${words}"`);
  }
  const kind = kindOf(kindWord);
  const { namespaced } = kinds[kind];
  if (namespaced !== (namespace !== undefined)) {
    const lives = namespaced ? 'lives in a namespace' : 'is an object of the cluster';
    throw new KnownError('USAGE', `${kinds[kind].kind} ${lives}: ${shape}, found "${words}"`);
  }
  return { ...(namespace !== undefined && { namespace }), kind, name };
}

function kindOf(word: string): Kind {
  const wanted = word.toLowerCase().replace(/\..*/, '');
  const short = shortNames[wanted];
  if (short) return short;
  const all = Object.entries(kinds) as [Kind, (typeof kinds)[Kind]][];
  const found = all.find(
    ([, { kind, resources }]) =>
      kind.toLowerCase() === wanted || resources.some((resource) => resource === wanted),
  );
  if (found) return found[0];
  const known = all.map(([, { kind }]) => kind);
  throw new KnownError('USAGE', `unknown kind "${word}"${didYouMean(word, known)}`);
}

/** Throws KnownError USAGE where there is no such object. */
export async function explain(object: ObjectName, context: Context): Promise<Explanation> {
  const { kind: kindName } = kinds[object.kind];
  demandObject(object, context);
  const { namespace, name } = object;
  const cases = context.cases.filter(({ scope }) => scope.namespace === namespace);
  const subject = { kind: kindName, ...(namespace !== undefined && { namespace }), name };
  const { facts, related } = knownAbout(subject, cases, context);
  const about = [{ kind: kindName, name }, ...related];
  const explained: ExplainedCheck[] = [];
  for (const one of cases) explained.push(await explainCase(one, about, context));
  return { object: subject, facts, checks: explained };
}

function demandObject({ namespace, kind, name }: ObjectName, { snapshot }: Context): void {
  const read = listing(snapshot, kind);
  // What could not be read may be there.
  if (read.state !== 'read') return;
  const all = objectsOf(snapshot, kind).filter((o) => o.metadata.namespace === namespace);
  if (all.some(({ metadata }) => metadata.name === name)) return;
  const known = all.map(({ metadata }) => metadata.name);
  const what = title({ kind: kinds[kind].kind, namespace, name });
  throw new KnownError('USAGE', `there is no ${what}${didYouMean(name, known)}`);
}

type Subject = Explanation['object'];

function knownAbout(subject: Subject, [first]: readonly Case[], { snapshot }: Context) {
  if (!first || subject.namespace === undefined) return { facts: [], related: [] };
  const artifacts = artifactsOf(snapshot)(subject.namespace);
  // Each fact looks whether what it rests on is there.
  return factsAbout(subject, artifacts as FactArtifacts, first.scope);
}

/** The object, and what is judged for its sake. */
type About = readonly { readonly kind: string; readonly name: string }[];

async function explainCase(one: Case, about: About, context: Context): Promise<ExplainedCheck> {
  const whole = context.evaluate(one);
  const isAbout = ({ object }: { readonly object: Subject }) =>
    about.some(({ kind, name }) => kind === object.kind && name === object.name);
  const own =
    whole.kind === 'judged' ? { ...whole, findings: whole.findings.filter(isAbout) } : whole;
  const result = await judge(one, { ...context, evaluate: () => own });
  const findings = await Promise.all(
    result.findings.map(async (finding) => ({
      ...finding,
      ...(finding.patch && { dryRun: await context.dryRun(finding) }),
    })),
  );
  const { check } = one;
  return {
    check: check.id,
    title: check.title,
    docs: `checks/${check.suite}/${check.id}/README.md`,
    stage: result.stage,
    verdict: result.verdict,
    ...(result.reason !== undefined && { reason: result.reason }),
    reads: readsOf(check, one, context),
    notes: result.notes.filter((note) => about.some(({ name }) => mentions(note, name))),
    findings,
  };
}

const mentions = (note: string, name: string) => note.split(/[\s/:,;()]+/).includes(name);

function readsOf({ requires, uses = [] }: AnyCheck, { scope }: Case, { snapshot }: Context) {
  const own = new Set<Kind>([...requires, ...uses]);
  for (const kind of always) if (!requires.includes(kind)) own.delete(kind);
  return [...own].map((kind) => {
    const read = listing(snapshot, kind);
    if (read.state !== 'read') return { kind, objects: read.state };
    const { namespaced } = kinds[kind];
    const here = read.objects.filter(
      ({ metadata }) =>
        !namespaced || scope.namespace === undefined || metadata.namespace === scope.namespace,
    );
    return { kind, objects: here.length };
  });
}
