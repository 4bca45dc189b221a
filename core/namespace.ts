/** Whose a namespace is: it decides which rules and conventions apply to it. */
import type { Namespace } from './objects.ts';

export type NamespaceClass = 'excluded' | 'managed-service' | 'platform' | 'operator' | 'user';

/** Namespaces of OpenShift's managed offering, without their prefix; its service teams answer for them. */
const managedService = new Set(
  [
    'addon-operator aqua aws-vpce-operator backplane backplane-cee backplane-csa backplane-cse',
    'backplane-csm backplane-managed-scripts backplane-mcs-tier-two backplane-mobb',
    'backplane-sdcicd backplane-srep backplane-tam cloud-ingress-operator codeready-workspaces',
    'compliance compliance-monkey container-security custom-domains-operator',
    'customer-monitoring deployment-validation-operator file-integrity logging',
    'managed-node-metadata-operator managed-upgrade-operator marketplace must-gather-operator',
    'nmstate observability-operator ocm-agent-operator operators-redhat osd-metrics',
    'package-operator rbac-permissions route-monitor-operator scanning security',
    'splunk-forwarder-operator sre-pruning suricata validation-webhook velero',
  ]
    .join(' ')
    .split(' ')
    .map((name) => `openshift-${name}`),
);

/** Made for one debugging session each: their names are generated. */
const temporary = ['openshift-must-gather-', 'openshift-debug-', 'openshift-copy-to-node-'];

export interface ClassFacts {
  readonly openshift: boolean;
  readonly managedService: boolean;
  /** The namespaces that hold an operator of the Operator Lifecycle Manager. */
  readonly operators: ReadonlySet<string>;
}

/** The class of a namespace, by the first predicate that holds. */
export function classOf(namespace: Namespace, cluster: ClassFacts): NamespaceClass {
  const { name, generateName } = namespace.metadata;
  if (temporary.some((prefix) => name.startsWith(prefix))) return 'excluded';
  if (generateName !== undefined || namespace.status?.phase === 'Terminating') return 'excluded';
  if (cluster.managedService && managedService.has(name)) return 'managed-service';
  if (isPlatform(name, cluster.openshift)) return 'platform';
  return cluster.operators.has(name) ? 'operator' : 'user';
}

// The hyphen counts: kubeflow and openshiftx are somebody's own.
function isPlatform(name: string, openshift: boolean): boolean {
  if (name === 'default' || name === 'kubernetes' || name.startsWith('kube-')) return true;
  return openshift && (name === 'openshift' || name.startsWith('openshift-'));
}
