import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { KindInfo } from './kinds.ts';
import {
  A,
  kindNames,
  kinds,
  N,
  T,
  usesOfA,
  usesOfL,
  usesOfN,
  usesOfT,
  usesOfW,
  W,
} from './kinds.ts';

const table: { readonly [kind: string]: KindInfo } = kinds;

describe('kinds', () => {
  it('are named in URLs as the API server does', () => {
    const resources = Object.values(table).flatMap((kind) => kind.resources);
    assert.deepEqual(resources.toSorted(), [
      'apiservices',
      'clusteroperators',
      'clusterserviceversions',
      'clusterversions',
      'configmaps',
      'cronjobs',
      'daemonsets',
      'deploymentconfigs',
      'deployments',
      'endpointslices',
      'grpcroutes',
      'horizontalpodautoscalers',
      'httproutes',
      'infrastructures',
      'ingresses',
      'jobs',
      'leases',
      'machineconfigpools',
      'mutatingwebhookconfigurations',
      'namespaces',
      'nodes',
      'persistentvolumeclaims',
      'persistentvolumes',
      'poddisruptionbudgets',
      'pods',
      'priorityclasses',
      'replicasets',
      'replicationcontrollers',
      'rollouts',
      'routes',
      'scaledobjects',
      'services',
      'statefulsets',
      'subscriptions',
      'tcproutes',
      'tlsroutes',
      'udproutes',
      'validatingwebhookconfigurations',
    ]);
  });

  it('are namespaced but for those of the cluster', () => {
    assert.deepEqual(
      kindNames.filter((kind) => !kinds[kind].namespaced),
      [
        'namespaces',
        'nodes',
        'infrastructures',
        'clusterVersions',
        'clusterOperators',
        'machineConfigPools',
        'validatingWebhookConfigurations',
        'mutatingWebhookConfigurations',
        'apiServices',
        'persistentVolumes',
        'priorityClasses',
      ],
    );
  });

  it('are read as Protobuf where Kubernetes itself serves them', () => {
    for (const { group, kind, protobuf } of Object.values(table)) {
      const isBuiltIn = !group.includes('.') || /^(?!gateway\.).*\.k8s\.io$/.test(group);
      assert.equal(protobuf, isBuiltIn, kind);
    }
  });

  it('ask of some for metadata only: their content never leaves the server', () => {
    const only = Object.values(table).filter(({ metadataOnly }) => metadataOnly);
    assert.deepEqual(
      only.map(({ kind, shape }) => [kind, Object.keys(shape)]),
      [
        ['ClusterServiceVersion', ['metadata']],
        ['Subscription', ['metadata']],
        ['ConfigMap', ['metadata']],
      ],
    );
  });

  it('hold no Secret', () => {
    assert.ok(Object.values(table).every(({ kind }) => kind !== 'Secret'));
  });

  it('stand in groups that name kinds once', () => {
    for (const group of [W, usesOfW, A, usesOfA, N, usesOfN, T, usesOfT, usesOfL]) {
      assert.equal(new Set(group).size, group.length);
      for (const kind of group) assert.ok(kindNames.includes(kind));
    }
  });
});
