/** What is being done to a node on purpose, as the Machine Config Operator and autoscalers say on it. */
import type { Node } from './objects.ts';

const prefix = 'machineconfiguration.openshift.io/';

/** `Working` or `Rebooting` while the Machine Config Operator brings the node to its new configuration. */
export function updateState(node: Node): string | undefined {
  const state = said(node, 'state');
  return state === 'Working' || state === 'Rebooting' ? state : undefined;
}

/** On its way out: deleted, or taken by the autoscaler, which ends the machine before the node. */
export function isBeingRemoved({ metadata, spec = {} }: Node): boolean {
  if (metadata.deletionTimestamp !== undefined) return true;
  return spec.taints?.some(({ key }) => key === 'ToBeDeletedByClusterAutoscaler') ?? false;
}

/** Being removed, drained or updated, or held in the middle of an update that failed. */
export function isUnderMaintenance(node: Node): boolean {
  if (isBeingRemoved(node)) return true;
  const state = said(node, 'state') ?? '';
  return (
    (state !== '' && state !== 'Done') ||
    said(node, 'currentConfig') !== said(node, 'desiredConfig') ||
    said(node, 'desiredDrain') !== said(node, 'lastAppliedDrain')
  );
}

function said({ metadata }: Node, field: string): string | undefined {
  return metadata.annotations?.[`${prefix}${field}`];
}
