/** What the API server stores, a controller has seen. */
import { isYoung } from '../../../core/age.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';

export default defineCheck({
  id: 'controller-sync',
  title: 'Controllers have seen the latest spec',
  failureTitle: 'Controllers lag behind the spec',
  testName: 'workloads in ns/<namespace> should be observed by their controller',
  suite: 'rollout',
  scope: 'namespace',
  severity: 'major',
  stage: 'observe',
  source: [
    {
      title: 'Kubernetes API conventions, observedGeneration',
      url: 'https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties',
    },
  ],
  requires: ['deployments', 'statefulSets', 'daemonSets', 'replicaSets'],
  live: true,
  transient: true,
  breaks: 'Nothing reacts: lost pods are not replaced, updates do not start.',
  fix: 'Repair the controller manager.',
  run({ deployments, statefulSets, daemonSets, replicaSets }, scope) {
    const { namespace } = scope;
    const scaled = [deployments, statefulSets, replicaSets].flatMap((kind) => kind.in(namespace));
    // How many pods a DaemonSet wants only its controller knows: one that lags may want none yet.
    const objects = [
      ...scaled.filter(({ spec }) => spec?.replicas !== 0),
      ...daemonSets.in(namespace),
    ];
    // What waits for a finalizer never observes its last generation.
    const judged = objects.filter(
      (object) => object.metadata.deletionTimestamp === undefined && !isYoung(object, scope),
    );
    const findings = judged.flatMap((object) => {
      const { generation = 0 } = object.metadata;
      const observed = object.status?.observedGeneration ?? 0;
      if (observed >= generation) return [];
      return [
        finding(object, {
          path: 'status.observedGeneration',
          message: `generation ${generation}, observed ${observed}`,
          shows: '{.metadata.generation} {.status.observedGeneration}',
        }),
      ];
    });
    return { examined: judged.length, findings };
  },
});
