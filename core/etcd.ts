/** The etcd of a cluster, where it runs in pods: its members, and the pods that guard it in a drain. */
import type { Collection } from './artifacts.ts';
import { desiredHealthy } from './budget.ts';
import type { Pod, PodDisruptionBudget } from './objects.ts';
import { isCounted, isTerminal } from './pods.ts';
import { budgetSelects } from './selector.ts';

export const openshiftEtcd = 'openshift-etcd';

/** The members as far as pods show them; most of them are static pods. */
export function etcdMembers(pods: Collection<Pod>): readonly Pod[] {
  const members = labelled(pods, openshiftEtcd, 'etcd', 'true');
  return members.length > 0 ? members : labelled(pods, 'kube-system', 'component', 'etcd');
}

function labelled(pods: Collection<Pod>, namespace: string, key: string, value: string) {
  return pods
    .in(namespace)
    .filter((pod) => !isTerminal(pod) && pod.metadata.labels?.[key] === value);
}

/** Pods of OpenShift that are ready as long as the member beside them is: evicting one needs its budget. */
export function etcdGuards(pods: Collection<Pod>): readonly Pod[] {
  // Until 4.5 they were the Machine Config Operator's.
  const [guards = []] = [openshiftEtcd, 'openshift-machine-config-operator']
    .map((namespace) => pods.in(namespace).filter((pod) => isCounted(pod) && isGuard(pod)))
    .filter(({ length }) => length > 0);
  return guards;
}

function isGuard({ metadata: { labels = {} } }: Pod): boolean {
  return labels['app'] === 'guard' || labels['k8s-app'] === 'etcd-quorum-guard';
}

export interface GuardBudget {
  readonly budget: PodDisruptionBudget;
  /** How many of the guards it lets go at once. */
  readonly allowed: number;
}

/** The strictest budget that selects all of the guards. One that can never allow anything is strict enough. */
export function guardBudget(
  guards: readonly Pod[],
  budgets: Collection<PodDisruptionBudget>,
): GuardBudget | undefined {
  const [first] = guards;
  if (!first) return undefined;
  return budgets
    .in(first.metadata.namespace)
    .filter((budget) => guards.every((pod) => budgetSelects(budget, pod.metadata.labels)))
    .map((budget) => ({ budget, allowed: allowedBy(budget, guards.length) }))
    .toSorted((a, b) => a.allowed - b.allowed)[0];
}

function allowedBy({ spec = {} }: PodDisruptionBudget, guards: number): number {
  const { minAvailable, maxUnavailable } = spec;
  const desired = desiredHealthy({ minAvailable, maxUnavailable }, guards) ?? guards;
  return Math.max(0, guards - desired);
}
