/** Drops from pods what their owner's template says for all of them. */
import type { OwnerReference, PodSpec } from './objects.ts';

interface Trimmable {
  readonly metadata?: { readonly ownerReferences?: readonly OwnerReference[] };
  readonly spec?: PodSpec;
}

/** The groups of controllers that are always read; a ReplicationController need not be. */
const templated = ['apps/v1', 'batch/v1'];

/** Most of a cluster's memory is pods, and most of a pod is its template. */
export function trimPod(pod: Trimmable): object {
  if (!pod.spec || !isTemplated(pod)) return pod;
  const { nodeName, hostNetwork, restartPolicy } = pod.spec;
  return {
    ...pod,
    spec: {
      ...(nodeName !== undefined && { nodeName }),
      ...(hostNetwork && { hostNetwork }),
      ...(restartPolicy !== undefined && { restartPolicy }),
    },
  };
}

export function isTemplated({ metadata }: Trimmable): boolean {
  const controller = metadata?.ownerReferences?.find((reference) => reference.controller);
  return templated.includes(controller?.apiVersion ?? '');
}
