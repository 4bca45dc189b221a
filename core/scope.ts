/** What a judgement depends on beside objects: the namespace, the cluster's facts, thresholds and options. */
import type { NamespaceClass } from './namespace.ts';
import type { InputKind } from './snapshot.ts';
import type { Thresholds } from './thresholds.ts';
import type { Topology, UnknownTopology } from './topology.ts';

/** Facts about the whole cluster, the same for every namespace of a run. */
export interface ClusterFacts {
  readonly input: InputKind;
  /** An OpenShift cluster: it serves config.openshift.io, or its namespaces say so. */
  readonly openshift: boolean;
  readonly topology: Topology | UnknownTopology;
  /** RFC 3339. Absent in manifests: a rule that needs an age does not report then. */
  readonly takenAt?: string;
  readonly serverVersion?: string;
  readonly thresholds: Thresholds;
  readonly options: Options;
}

/** Switches of the rules, each named in the check that it changes. */
export interface Options {
  /** Demand two replicas also of what only its name shows to be a control loop. */
  readonly strictSingletons: boolean;
  /** Report a suspended CronJob instead of noting it. */
  readonly strictSuspend: boolean;
  /** Containers that are injected into pods, by name: left out where only pods show the template. */
  readonly sidecars: readonly string[];
  /** PodDisruptionBudgets (namespace/name) that guard data as a quorum does. */
  readonly criticalBudgets: readonly string[];
}

export const defaultOptions: Options = {
  strictSingletons: false,
  strictSuspend: false,
  sidecars: ['istio-proxy', 'linkerd-proxy', 'vault-agent'],
  criticalBudgets: [],
};

export interface Scope {
  /** Absent for checks of the cluster. */
  readonly namespace?: string;
  readonly class?: NamespaceClass;
  /** The namespace's own labels. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly cluster: ClusterFacts;
}
