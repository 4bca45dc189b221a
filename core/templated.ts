/** Which pods are kept in part: the owner's template says the rest for all of them. */
import type { OwnerReference } from './objects.ts';

interface Owned {
  readonly metadata?: { readonly ownerReferences?: readonly OwnerReference[] };
}

/** The groups of controllers that are always read; a ReplicationController need not be. */
const templating = ['apps/v1', 'batch/v1'];

/** Most of a cluster's memory is pods, and most of a pod is its template. */
export function isTemplated({ metadata }: Owned): boolean {
  const controller = metadata?.ownerReferences?.find((reference) => reference.controller);
  return templating.includes(controller?.apiVersion ?? '');
}
