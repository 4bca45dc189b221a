/** What a run is to do: the configuration with its defaults filled in. */
import type { Config } from '../config/schema.ts';
import { defaultOptions, type Options } from '../core/scope.ts';
import type { Thresholds } from '../core/thresholds.ts';
import { defaultThresholds } from '../core/thresholds.ts';
import type { TopologyMode } from '../core/topology.ts';
import type { Owners } from './owners.ts';
import type { StageOptions } from './stages.ts';

export interface Settings {
  readonly connection: Pick<
    Config,
    'kubeconfig' | 'context' | 'cluster' | 'user' | 'as' | 'asGroups'
  >;
  /** Recordings; none is a live cluster. */
  readonly from: readonly string[];
  readonly namespaces: readonly string[];
  readonly excludeNamespaces: readonly string[];
  readonly scope: Config['scope'];
  readonly suites: readonly string[];
  readonly checks: readonly string[];
  /** Folders of checks of the user's own. */
  readonly checkFolders: readonly string[];
  readonly stages: StageOptions;
  readonly exceptions: readonly string[];
  readonly shippedExceptions: boolean;
  readonly record: string | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  readonly settleWait: number;
  readonly topology: TopologyMode | undefined;
  readonly managedService: boolean;
  readonly options: Options;
  readonly thresholds: Thresholds;
  readonly owners: Owners;
  readonly suiteName: string;
  readonly failureLimit: number;
}

export function settingsOf(config: Config): Settings {
  const { kubeconfig, context, cluster, user, as, asGroups } = config;
  return {
    connection: { kubeconfig, context, cluster, user, as, asGroups },
    from: config.from ?? [],
    namespaces: config.namespaces ?? [],
    excludeNamespaces: config.excludeNamespaces ?? [],
    scope: config.scope,
    suites: config.suites ?? [],
    checks: config.checks ?? [],
    checkFolders: config.checkFolders ?? [],
    stages: config.stages ?? {},
    exceptions: config.exceptions ?? [],
    shippedExceptions: config.shippedExceptions ?? true,
    record: config.record,
    timeout: config.timeout ?? 10 * 60_000,
    settleWait: config.settleWait ?? 30_000,
    topology: config.topology,
    managedService: config.managedService ?? false,
    options: {
      strictSingletons: config.strictSingletons ?? defaultOptions.strictSingletons,
      strictSuspend: config.strictSuspend ?? defaultOptions.strictSuspend,
      sidecars: config.sidecars ?? defaultOptions.sidecars,
      criticalBudgets: config.criticalBudgets ?? defaultOptions.criticalBudgets,
    },
    thresholds: thresholdsOf(config.thresholds),
    owners: config.owners ?? {},
    suiteName: config.junit?.suiteName ?? 'openshift-tests',
    failureLimit: config.junit?.failureLimit ?? 10,
  };
}

function thresholdsOf(own: Config['thresholds'] = {}): Thresholds {
  const set = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...defaultThresholds, workloads: [], ...Object.fromEntries(set) };
}
