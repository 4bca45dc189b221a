/** Objects as people name them on the command line, and finding them in a snapshot. */
import { didYouMean } from '../config/nearest.ts';
import { KnownError } from '../core/errors.ts';
import type { Kind, KindInfo } from '../core/kinds.ts';
import { kinds } from '../core/kinds.ts';
import { reference } from '../core/reference.ts';
import type { ObjectReference } from '../core/result.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { listing, missing, objectsOf } from '../core/snapshot.ts';
import { title } from '../core/text.ts';

/** `shop/deployment/cart`; without a namespace for objects of the cluster. */
export interface ObjectName {
  readonly namespace?: string;
  readonly kind: Kind;
  readonly name: string;
}

/** Throws KnownError USAGE where the words cannot name an object. */
export function objectName(words: string): ObjectName {
  const parts = words.split('/');
  const [name = '', kindWord = '', namespace] = parts.toReversed();
  const expected = 'expected NAMESPACE/KIND/NAME, or KIND/NAME for an object of the cluster';
  if (parts.length < 2 || parts.length > 3 || parts.includes('')) {
    throw new KnownError('USAGE', `${expected}, found "${words}"`);
  }
  const kind = kindOf(kindWord);
  const { namespaced, kind: kindName } = kinds[kind];
  if (namespaced !== (namespace !== undefined)) {
    const lives = namespaced ? 'lives in a namespace' : 'is an object of the cluster';
    throw new KnownError('USAGE', `a ${kindName} ${lives}: ${expected}, found "${words}"`);
  }
  return { ...(namespace !== undefined && { namespace }), kind, name };
}

/** Kinds by every name that kubectl takes for them: `Deployment`, `deployments.apps`, `deploy`. */
function kindOf(word: string): Kind {
  const wanted = word.toLowerCase().replace(/\..*/, '');
  const short = shortNames.get(wanted);
  if (short) return short;
  const all = Object.entries(kinds) as readonly (readonly [Kind, KindInfo])[];
  const found = all.find(
    ([, { kind, resources }]) =>
      kind.toLowerCase() === wanted ||
      resources.some((resource) => resource === wanted || resource === `${wanted}s`),
  );
  if (found) return found[0];
  const known = all.map(([, { kind }]) => kind);
  throw new KnownError('USAGE', `unknown kind "${word}"${didYouMean(word, known)}`);
}

const shortNames: ReadonlyMap<string, Kind> = new Map([
  ['cj', 'cronJobs'],
  ['cm', 'lockMetadata'],
  ['co', 'clusterOperators'],
  ['csv', 'clusterServiceVersions'],
  ['dc', 'deploymentConfigs'],
  ['deploy', 'deployments'],
  ['ds', 'daemonSets'],
  ['hpa', 'horizontalPodAutoscalers'],
  ['ing', 'ingresses'],
  ['mcp', 'machineConfigPools'],
  ['no', 'nodes'],
  ['ns', 'namespaces'],
  ['pc', 'priorityClasses'],
  ['pdb', 'podDisruptionBudgets'],
  ['po', 'pods'],
  ['pv', 'persistentVolumes'],
  ['pvc', 'persistentVolumeClaims'],
  ['rc', 'replicationControllers'],
  ['ro', 'rollouts'],
  ['rs', 'replicaSets'],
  ['so', 'scaledObjects'],
  ['sts', 'statefulSets'],
  ['svc', 'services'],
]);

/** Throws KnownError USAGE where there is no such object. What could not be read may be there. */
export function findObject(wanted: ObjectName, snapshot: Snapshot): ObjectReference {
  const { namespace, kind, name } = wanted;
  const { group, versions, kind: kindName }: KindInfo = kinds[kind];
  const all = objectsOf(snapshot, kind).filter((one) => one.metadata.namespace === namespace);
  const found = all.find(({ metadata }) => metadata.name === name);
  if (found) return reference(found);
  if (listing(snapshot, kind).state === 'not served') {
    throw new KnownError('USAGE', `the cluster serves no ${kindName}`);
  }
  if (listing(snapshot, kind).state === 'read' && !missing(snapshot, kind, namespace)) {
    const known = all.map(({ metadata }) => metadata.name);
    const what = title({ kind: kindName, namespace, name });
    throw new KnownError('USAGE', `there is no ${what}${didYouMean(name, known)}`);
  }
  const apiVersion = group === '' ? versions[0] : `${group}/${versions[0]}`;
  return { apiVersion, kind: kindName, ...(namespace !== undefined && { namespace }), name };
}
