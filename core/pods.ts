/** Which pods count, and what their phase and conditions say. */
import type { Container, Pod, PodSpec } from './objects.ts';

/** Succeeded or Failed: it will never run again. */
export function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/** The shadow of a pod that a kubelet runs from a file on its node. */
export function isMirror(pod: Pod): boolean {
  const annotations = pod.metadata.annotations ?? {};
  return Object.hasOwn(annotations, 'kubernetes.io/config.mirror');
}

/** Counts for redundancy and spread. */
export function isCounted(pod: Pod): boolean {
  return !isTerminal(pod) && !isTerminating(pod) && !isMirror(pod);
}

/** The Ready condition, which already includes readiness gates. */
export function isReady(pod: Pod): boolean {
  return (
    pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ??
    false
  );
}

/** An init container that is kept running beside the regular ones. */
export function isNativeSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

/** Where one of them runs, no other pod with the same ports can. */
export function takesHostPorts(spec: PodSpec): boolean {
  return (spec.containers ?? []).some((container) => hostPorts(spec, container).length > 0);
}

/** The ports of the node that a container takes. On the node's network every port is one. */
export function hostPorts(spec: PodSpec, container: Container): readonly number[] {
  return (container.ports ?? []).flatMap(({ hostPort, containerPort }) => {
    const taken = hostPort ?? (spec.hostNetwork ? containerPort : undefined);
    return taken === undefined ? [] : [taken];
  });
}
