/** What a Service selects: pods that are there, and workloads whose pods will be. */
import { selectedPods } from './endpoints.ts';
import type { Container, Pod, PodSpec, Service } from './objects.ts';
import type { OwnerArtifacts } from './owner.ts';
import { isNativeSidecar } from './pods.ts';
import type { Scope } from './scope.ts';
import type { Labels } from './selector.ts';
import { serviceSelects } from './selector.ts';
import { isTemplated } from './templated.ts';
import type { Workload } from './workload.ts';
import { workloadsOf } from './workload.ts';
import { isStatefulSet } from './workload-source.ts';

export interface Selection {
  readonly service: Service;
  readonly selector: Readonly<Record<string, string>>;
  readonly ports: readonly ServicePort[];
  /** Living pods. */
  readonly pods: readonly Pod[];
  /** The workloads of these pods, and those whose template is selected, switched off or not. */
  readonly workloads: readonly Workload[];
}

type ServicePort = NonNullable<NonNullable<Service['spec']>['ports']>[number];

export function selectionOf(service: Service, artifacts: OwnerArtifacts, scope: Scope): Selection {
  const { all, of } = workloadsOf(artifacts, scope);
  const { selector = {}, ports = [] } = service.spec ?? {};
  const pods = selectedPods(service, artifacts);
  const owners = new Set(pods.map(of));
  const workloads = all.filter(
    (workload) => owners.has(workload) || serviceSelects(service, comingLabels(workload, selector)),
  );
  return { service, selector, ports, pods, workloads };
}

/** Each pod of a StatefulSet has its name and its index among its labels. */
const ordinalLabels = ['statefulset.kubernetes.io/pod-name', 'apps.kubernetes.io/pod-index'];

function comingLabels(
  { source, counted, labels }: Workload,
  selector: Selection['selector'],
): Labels {
  if (!isStatefulSet(source) || counted.length > 0) return labels;
  const own = Object.entries(selector).filter(([key]) => ordinalLabels.includes(key));
  return { ...labels, ...Object.fromEntries(own) };
}

/** Nothing is there, and nothing will be until somebody switches it on. */
export function isSwitchedOff({ pods, workloads }: Pick<Selection, 'pods' | 'workloads'>): boolean {
  const isOff = workloads.every(({ replicas }) => replicas === 0);
  return pods.length === 0 && workloads.length > 0 && isOff;
}

/**
 * The containers that may declare a port by name, native sidecars included. Undefined where that is
 * not known: nothing runs, or something was injected into pods of which only the template is kept.
 */
export function selectedContainers(
  { pods, workloads }: Pick<Selection, 'pods' | 'workloads'>,
  artifacts: OwnerArtifacts,
  scope: Scope,
): readonly Container[] | undefined {
  const { of } = workloadsOf(artifacts, scope);
  const isInjected = (pod: Pod) => {
    const known = new Set((of(pod)?.spec.containers ?? []).map(({ name }) => name));
    return (pod.spec?.containers ?? []).some(({ name }) => !known.has(name));
  };
  const [templated, whole] = [pods.filter(isTemplated), pods.filter((pod) => !isTemplated(pod))];
  const running = workloads.filter(({ replicas }) => replicas > 0);
  if (running.length + whole.length === 0 || templated.some(isInjected)) return undefined;
  const specs: readonly PodSpec[] = [
    ...running.map(({ spec }) => spec),
    ...whole.map(({ spec = {} }) => spec),
  ];
  return specs.flatMap(({ containers = [], initContainers = [] }) => [
    ...containers,
    ...initContainers.filter(isNativeSidecar),
  ]);
}
