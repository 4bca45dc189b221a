/** Who answers for a namespace: what the user says of it, the shipped map, or the operator that keeps it. */
import type { Namespace } from '../core/objects.ts';
import { ownClusterServiceVersions } from '../core/olm.ts';
import type { Owner } from '../core/result.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { missing, objectsOf } from '../core/snapshot.ts';
import { names } from '../core/text.ts';
import shipped from './namespace-components.json' with { type: 'json' };

/** Namespace → exact Jira component; the namespaces that every OpenShift run has a result for. */
const components: Readonly<Record<string, string>> = shipped;

export const knownNamespaces: readonly string[] = Object.keys(components);

/** What else says whose a namespace is; every run reads it. */
export const ownershipKinds = [
  'clusterOperators',
  'clusterServiceVersions',
  'subscriptions',
] as const;

export type Owners = Readonly<Record<string, { readonly jiraComponent: string }>>;

export interface OwnerSources {
  /** The user's own map. */
  readonly owners: Owners;
  readonly openshift: boolean;
  readonly snapshot: Snapshot;
}

export interface Attribution {
  readonly owner?: Owner;
  /** Undefined where no component is known: then the test's name has no Jira tag. */
  readonly jiraComponent?: string;
  /** What could have named an owner and could not be read. */
  readonly notes: readonly string[];
}

export type Attribute = (namespace: string | undefined) => Attribution;

export function attributing(sources: OwnerSources): Attribute {
  const { snapshot } = sources;
  const namespaces = objectsOf(snapshot, 'namespaces').map((o) => [o.metadata.name, o] as const);
  const present = new Map(namespaces);
  const componentOf = (namespace: string) => named(namespace, present.get(namespace), sources);
  const operators = clusterOperators(snapshot);
  const versions = Map.groupBy(
    ownClusterServiceVersions(snapshot),
    ({ metadata }) => metadata.namespace,
  );
  return (namespace) => {
    if (namespace === undefined) return { notes: [] };
    const owner = componentOf(namespace);
    if (owner) return { owner, jiraComponent: owner.name, notes: [] };
    const keepers = operators.get(namespace) ?? [];
    if (keepers.length > 0) return keptBy(keepers, componentOf);
    const installed = versions.get(namespace)?.map(({ metadata }) => metadata.name);
    if (installed) {
      return { owner: { name: names(installed), source: 'ClusterServiceVersion' }, notes: [] };
    }
    return { notes: unread(snapshot, namespace) };
  };
}

/** A Jira component that somebody gave to the namespace. */
function named(
  namespace: string,
  object: Namespace | undefined,
  { owners, openshift }: OwnerSources,
): Owner | undefined {
  if (Object.hasOwn(owners, namespace) && owners[namespace]) {
    return { name: owners[namespace].jiraComponent, source: 'file' };
  }
  const { annotations = {}, labels = {} } = object?.metadata ?? {};
  const annotation = annotations[componentKey];
  if (isComponent(annotation)) return { name: annotation, source: 'annotation' };
  const label = labels[componentKey];
  if (isComponent(label)) return { name: label, source: 'label' };
  const known = Object.hasOwn(components, namespace) ? components[namespace] : undefined;
  return openshift && known !== undefined ? { name: known, source: 'component map' } : undefined;
}

const componentKey = 'ha-compliance/jira-component';

/** Whoever may write to a namespace could otherwise end the tag and write the rest of a test's name. */
function isComponent(value: string | undefined): value is string {
  return (
    value !== undefined && /^[^\s"[\]\p{C}](?:[^"[\]\p{C}]{0,98}[^\s"[\]\p{C}])?$/u.test(value)
  );
}

/** The operators of OpenShift that name a namespace among their related objects. */
function clusterOperators(snapshot: Snapshot): ReadonlyMap<string, readonly string[]> {
  const pairs = objectsOf(snapshot, 'clusterOperators').flatMap(({ metadata, status }) =>
    (status?.relatedObjects ?? [])
      .filter(({ group = '', resource }) => group === '' && resource === 'namespaces')
      .map(({ name }) => ({ namespace: name ?? '', operator: metadata.name })),
  );
  const groups = Map.groupBy(pairs, ({ namespace }) => namespace);
  return new Map(
    [...groups].map(([namespace, members]) => [
      namespace,
      [...new Set(members.map(({ operator }) => operator))],
    ]),
  );
}

/** The operator's name is no component: what its own namespace is called in Jira is. */
function keptBy(
  operators: readonly string[],
  componentOf: (namespace: string) => Owner | undefined,
): Attribution {
  const [operator = '', ...others] = operators;
  const home = operator.startsWith('openshift-') ? operator : `openshift-${operator}`;
  const component = others.length === 0 ? componentOf(home) : undefined;
  return {
    owner: { name: names(operators), source: 'ClusterOperator' },
    ...(component && { jiraComponent: component.name }),
    notes: [],
  };
}

function unread(snapshot: Snapshot, namespace: string): readonly string[] {
  return ownershipKinds.flatMap((kind) => {
    const found = missing(snapshot, kind, namespace);
    return found ? [`${kind} not readable: ${found.cause}`] : [];
  });
}
