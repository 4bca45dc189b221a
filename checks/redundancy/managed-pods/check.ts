/** Somebody makes a pod again when its node goes. */
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import type { OwnerReference, Pod } from '../../../core/objects.ts';
import { controllerOf, groupOf } from '../../../core/owner.ts';
import { isCounted } from '../../../core/pods.ts';
import type { Finding } from '../../../core/result.ts';
import { names } from '../../../core/text.ts';

export default defineCheck({
  id: 'managed-pods',
  title: 'Pods belong to a controller',
  failureTitle: 'Pods run without a controller',
  testName: 'pods in ns/<namespace> should be owned by a controller',
  suite: 'redundancy',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'Workload Management',
      url: 'https://kubernetes.io/docs/concepts/workloads/controllers/',
    },
    {
      title: 'Safely Drain a Node',
      url: 'https://kubernetes.io/docs/tasks/administer-cluster/safely-drain-node/',
    },
  ],
  requires: ['pods'],
  breaks:
    'The pod is not re-created when its node goes, and kubectl drain without --force refuses to ' +
    'delete it, so that a node update may stop.',
  fix: 'Move the pod into the template of a Deployment, or of a Job if it ends by itself.',
  run({ pods }, { namespace = '' }) {
    const counted = pods.in(namespace).filter(isCounted);
    const findings: Finding[] = [];
    const notes: string[] = [];
    for (const pod of counted) {
      if (controllerOf(pod) || isOfOperator(pod) || isForTheMoment(pod)) continue;
      const owners = pod.metadata.ownerReferences ?? [];
      if (owners.some(isCatalogSource)) {
        notes.push(`Pod ${namespace}/${pod.metadata.name}: re-created by OLM`);
      } else findings.push(unmanaged(pod, owners));
    }
    return { examined: counted.length, findings, notes };
  },
});

/** Where OpenShift's operators of static pods make pods without being their controller. */
const operated = [
  'openshift-etcd',
  'openshift-kube-apiserver',
  'openshift-kube-controller-manager',
  'openshift-kube-scheduler',
];
/** One stands for the static pod of its node; the others bring a revision there and take old ones away. */
const roles = ['guard', 'installer', 'pruner'];

/** Their operator makes them again. */
function isOfOperator({ metadata: { namespace = '', labels = {} } }: Pod): boolean {
  return roles.includes(labels['app'] ?? '') && operated.includes(namespace);
}

/** Somebody looks into something with `oc debug` or `kubectl debug`, or tests a release of Helm. */
function isForTheMoment({ metadata: { annotations = {}, labels = {} } }: Pod): boolean {
  return (
    Object.hasOwn(annotations, 'debug.openshift.io/source-resource') ||
    Object.hasOwn(annotations, 'helm.sh/hook') ||
    labels['app.kubernetes.io/managed-by'] === 'kubectl-debug'
  );
}

/** OLM watches the pods of its catalogues although it does not call itself their controller. */
function isCatalogSource({ apiVersion, kind }: OwnerReference): boolean {
  return kind === 'CatalogSource' && groupOf(apiVersion) === 'operators.coreos.com';
}

function unmanaged(pod: Pod, owners: readonly OwnerReference[]): Finding {
  const { nodeName } = pod.spec ?? {};
  const node = nodeName === undefined ? 'its node' : `node ${nodeName}`;
  const owned = names(owners.map(({ kind, name }) => `${kind} ${name}`));
  return finding(pod, {
    path: 'metadata.ownerReferences',
    message:
      owners.length > 0
        ? `owned by ${owned} without controller: nothing re-creates it`
        : `has no controller; it is lost with ${node}`,
    shows: '{.metadata.ownerReferences}{.spec.nodeName}',
  });
}
