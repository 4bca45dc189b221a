/** Asks the API server whether it would take the patch of a finding; nothing is changed. */
import type { KindInfo } from '../core/kinds.ts';
import { kinds } from '../core/kinds.ts';
import { groupOf } from '../core/owner.ts';
import type { Finding, ObjectReference } from '../core/result.ts';
import type { Answer, Connection } from './connect.ts';
import { reasonOf } from './status.ts';

export type DryRun =
  | { readonly state: 'accepted'; readonly object: unknown }
  | { readonly state: 'refused' | 'not tried'; readonly reason: string };

/** Never rejects: what keeps a patch from being tried is said in the reason. */
export async function dryRun(
  connection: Connection,
  { object, patch }: Pick<Finding, 'object' | 'patch'>,
  signal: AbortSignal,
): Promise<DryRun> {
  const path = pathOf(object);
  if (!path) return { state: 'not tried', reason: `${object.kind} is no kind that is read` };
  const body = JSON.stringify(patch);
  try {
    return stateOf(await connection.dryRun(path, { contentType: typeOf(object), body }, signal));
  } catch (cause) {
    return { state: 'not tried', reason: cause instanceof Error ? cause.message : String(cause) };
  }
}

function stateOf(answer: Answer): DryRun {
  const { status, body } = answer;
  if (status === 200) return { state: 'accepted', object: JSON.parse(body.toString('utf8')) };
  const reason = `${status} ${reasonOf(answer)}`;
  // To read is enough for everything else.
  return { state: status === 401 || status === 403 ? 'not tried' : 'refused', reason };
}

/** Custom resources have no strategic merge. */
function typeOf({ apiVersion }: ObjectReference): string {
  const group = groupOf(apiVersion);
  const isBuiltIn = !group.includes('.') || group.endsWith('.k8s.io');
  return `application/${isBuiltIn ? 'strategic-merge-patch' : 'merge-patch'}+json`;
}

function pathOf({ apiVersion, kind, namespace, name }: ObjectReference): string | undefined {
  const known: readonly KindInfo[] = Object.values(kinds);
  const info = known.find((one) => one.kind === kind && one.group === groupOf(apiVersion));
  if (!info) return undefined;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${info.resources[0]}/${encodeURIComponent(name)}`;
}
