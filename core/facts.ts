/** What a snapshot says about the cluster as a whole. */
import type { ClusterFacts, Options } from './scope.ts';
import type { Snapshot } from './snapshot.ts';
import { missing, objectsOf } from './snapshot.ts';
import type { Thresholds } from './thresholds.ts';
import type { Topology, TopologyMode, UnknownTopology } from './topology.ts';
import { assumedTopology, derivedTopology, topologyOf } from './topology.ts';

export interface FactOptions {
  readonly thresholds: Thresholds;
  readonly options: Options;
  /** For manifests, which know no nodes. */
  readonly topology?: TopologyMode | undefined;
}

export function factsOf(snapshot: Snapshot, given: FactOptions): ClusterFacts {
  return {
    input: snapshot.input.kind,
    openshift: isOpenShift(snapshot),
    topology: findTopology(snapshot, given.topology),
    ...(snapshot.takenAt !== undefined && { takenAt: snapshot.takenAt }),
    ...(snapshot.serverVersion !== undefined && { serverVersion: snapshot.serverVersion }),
    thresholds: given.thresholds,
    options: given.options,
  };
}

/** By its own APIs, or, where these were not recorded, by its namespaces. */
export function isOpenShift(snapshot: Snapshot): boolean {
  const own = [
    'infrastructures',
    'clusterVersions',
    'clusterOperators',
    'machineConfigPools',
  ] as const;
  return (
    own.some((kind) => objectsOf(snapshot, kind).length > 0) ||
    objectsOf(snapshot, 'namespaces').some(({ metadata }) => metadata.name === 'openshift-config')
  );
}

function findTopology(
  snapshot: Snapshot,
  option: TopologyMode | undefined,
): Topology | UnknownTopology {
  const infrastructure = objectsOf(snapshot, 'infrastructures').find(
    ({ metadata }) => metadata.name === 'cluster',
  );
  const shown = jobTopology(snapshot) ?? shownTopology(snapshot, option);
  return infrastructure ? topologyOf(infrastructure, objectsOf(snapshot, 'nodes'), shown) : shown;
}

const jobTopologies: Readonly<Record<string, TopologyMode>> = {
  ha: 'HighlyAvailable',
  single: 'SingleReplica',
  external: 'External',
};

/** In the words of OpenShift's tests; a word that is not known says nothing. */
function jobTopology({ jobData }: Snapshot): Topology | undefined {
  const known = Object.entries(jobTopologies).find(([word]) => word === jobData?.topology);
  return known && { ...optionTopology(known[1]), source: 'cluster-data' };
}

/** From nodes: a part of them shows nothing. */
function shownTopology(
  snapshot: Snapshot,
  option: TopologyMode | undefined,
): Topology | UnknownTopology {
  const absent = missing(snapshot, 'nodes');
  if (absent) return { cause: absent.cause, detail: `nodes ${absent.detail}` };
  const nodes = objectsOf(snapshot, 'nodes');
  if (nodes.length > 0) return derivedTopology(nodes);
  if (snapshot.input.kind !== 'manifests') {
    return { cause: 'not collected', detail: 'there are no nodes' };
  }
  return option ? optionTopology(option) : assumedTopology;
}

// OpenShift's infrastructureTopology has two values only.
const optionTopology = (mode: TopologyMode): Topology => ({
  controlPlaneTopology: mode,
  infrastructureTopology: mode === 'SingleReplica' ? 'SingleReplica' : 'HighlyAvailable',
  source: 'option',
});

/** The infrastructure platform, as OpenShift or the nodes' provider ids name it. */
export function platformOf(snapshot: Snapshot): string {
  const [infrastructure] = objectsOf(snapshot, 'infrastructures');
  const { platformStatus, platform } = infrastructure?.status ?? {};
  const provider = objectsOf(snapshot, 'nodes')
    .map(({ spec }) => spec?.providerID?.split(':', 1)[0])
    .find(Boolean);
  return platformStatus?.type ?? platform ?? snapshot.jobData?.platform ?? provider ?? 'unknown';
}

/** OpenShift's release; elsewhere the version of the API server. */
export function releaseOf(snapshot: Snapshot): string {
  const [version] = objectsOf(snapshot, 'clusterVersions');
  const completed = version?.status?.history?.find(({ state }) => state === 'Completed');
  return (
    version?.status?.desired?.version ??
    completed?.version ??
    snapshot.jobData?.release ??
    snapshot.serverVersion ??
    'unknown'
  );
}
