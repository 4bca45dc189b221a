/** Sets that need a majority, how large they must be, and how many replicas of a workload must stay. */
import { isTerminal } from './pods.ts';
import type { Workload } from './workload.ts';
import { isDeployment } from './workload-source.ts';

const quorumNames = new Set([
  'etcd',
  'zookeeper',
  'consul',
  'vault',
  'rabbitmq',
  'mongodb',
  'cockroachdb',
  'nats',
  'redis-sentinel',
  'sentinel',
  'galera',
  'pxc',
]);

/** Said by an annotation of the workload, else known by the name of what runs in it. */
export function isQuorumSet(workload: Workload): boolean {
  const { class: cls, source, labels, spec } = workload;
  const said = source?.metadata.annotations?.['ha-compliance/quorum'];
  if (said === 'true' || said === 'false') return said === 'true';
  if (cls !== 'replicated') return false;
  if (labels['strimzi.io/controller-role'] === 'true') return true;
  const names = [
    isBesideMembers(workload) ? undefined : labels['app.kubernetes.io/name'],
    ...(spec.containers ?? []).map((container) => container.name),
  ];
  return names.some((name) => name !== undefined && quorumNames.has(name));
}

/** The name is the whole application's: its shell, its injector, its exporter have it, too. */
function isBesideMembers({ source, labels }: Workload): boolean {
  const component = labels['app.kubernetes.io/component'];
  return isDeployment(source) && component !== undefined && !quorumNames.has(component);
}

/** The smallest set that has a majority left when one member goes. */
export const smallestQuorum = 3;

/** Of one or two members all are the majority: the set is no more available than its weakest. */
export function isTooSmallForQuorum(workload: Workload, replicas: number): boolean {
  return isQuorumSet(workload) && replicas < smallestQuorum;
}

/** Of so many replicas, how many must stay: a majority of a quorum set, else one. */
export function need(workload: Workload, replicas: number): number {
  return isQuorumSet(workload) ? majority(replicas) : 1;
}

/** Whether enough stay when so many of the pods that have a place go with it. */
export function survives(workload: Workload, lost: number, placed: number): boolean {
  if (!isQuorumSet(workload)) return placed > lost;
  // A member that is being replaced is not lost with these, and counts for the majority all the same.
  const living = workload.pods.filter((pod) => !isTerminal(pod)).length;
  const all = Math.max(workload.replicas, living);
  return all - lost >= majority(all);
}

/** More than half. */
export function majority(members: number): number {
  return Math.floor(members / 2) + 1;
}
