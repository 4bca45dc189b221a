/** What an inspected cluster served: told by the definitions and API services that were saved with it. */
import type { Kind } from '../../core/kinds.ts';
import { kinds } from '../../core/kinds.ts';
import type { Root } from './tree.ts';

export interface Evidence {
  /** Names such as rollouts.argoproj.io; undefined when definitions were not saved. */
  readonly definitions: ReadonlySet<string> | undefined;
  /** Names such as v1.route.openshift.io; must-gather saves those that belong to a ClusterOperator. */
  readonly apiServices: ReadonlySet<string> | undefined;
}

const folders = {
  definitions: 'cluster-scoped-resources/apiextensions.k8s.io/customresourcedefinitions',
  apiServices: 'cluster-scoped-resources/apiregistration.k8s.io/apiservices',
} as const;

/** Files that list the names; where there are none, the names are those of the files in a folder. */
export const evidenceLists = {
  [`${folders.definitions}.yaml`]: 'definitions',
  [`${folders.apiServices}.yaml`]: 'apiServices',
} as const satisfies Readonly<Record<string, keyof Evidence>>;

/** Named by the operator that runs them, as its operand's version. */
export const operatorFiles = [
  'cluster-scoped-resources/config.openshift.io/clusteroperators.yaml',
  'cluster-scoped-resources/config.openshift.io/clusteroperators/kube-apiserver.yaml',
];

/** The names that folders give, by themselves. */
export function evidenceOf(
  roots: readonly Root[],
  listed: ReadonlyMap<keyof Evidence, ReadonlySet<string>>,
): Evidence {
  return {
    definitions: listed.get('definitions') ?? namesIn(roots, folders.definitions),
    apiServices: listed.get('apiServices') ?? namesIn(roots, folders.apiServices),
  };
}

function namesIn(roots: readonly Root[], folder: string): ReadonlySet<string> | undefined {
  const here = roots.filter(({ files, prefix }) => files.folders.has(prefix + folder));
  if (here.length === 0) return undefined;
  const names = here.flatMap(({ files, prefix }) => {
    const parent = `${prefix}${folder}/`;
    const paths = files.paths.filter((path) => path.startsWith(parent));
    return paths.map((path) => path.slice(parent.length).replace(/\.(ya?ml|json)$/, ''));
  });
  return new Set(names);
}

/** Aggregated APIs have no definition; an API service stands for the whole group. */
const aggregated: ReadonlySet<Kind> = new Set(['routes', 'deploymentConfigs']);

/** The resources of a kind that the cluster served, as far as the evidence goes. */
export function servedResources(
  kind: Kind,
  { definitions, apiServices }: Partial<Evidence>,
  recorded: ReadonlySet<string>,
): readonly string[] {
  const { protobuf, resources, group, versions } = kinds[kind];
  if (protobuf) return resources;
  return resources.filter((resource) => {
    if (recorded.has(resource) || definitions?.has(`${resource}.${group}`)) return true;
    if (aggregated.has(kind)) {
      return !apiServices || versions.some((version) => apiServices.has(`${version}.${group}`));
    }
    return definitions === undefined && recorded.size === 0;
  });
}
