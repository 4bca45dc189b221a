/** Asks the API server whether it would take the patch of a finding; nothing is changed. */
import type { KindInfo } from '../core/kinds.ts';
import { kinds } from '../core/kinds.ts';
import { groupOf } from '../core/owner.ts';
import type { Finding, ObjectReference } from '../core/result.ts';
import type { Answer, Connection, Patch } from './connect.ts';
import { reasonOf } from './status.ts';

export type DryRun =
  /** With the object that it would become. */
  | { readonly state: 'accepted'; readonly object: unknown }
  | { readonly state: 'refused' | 'not tried'; readonly reason: string };

/** Never rejects: what keeps a patch from being tried is said in the reason. */
export async function dryRun(
  connection: Pick<Connection, 'dryRun'>,
  { object, patch }: Pick<Finding, 'object' | 'patch'>,
  signal: AbortSignal,
): Promise<DryRun> {
  const known: readonly KindInfo[] = Object.values(kinds);
  const info = known.find(({ kind, group }) => isOf(object, kind, group));
  if (!info) return { state: 'not tried', reason: `${object.kind} is no kind that is read` };
  const body = JSON.stringify(patch);
  try {
    const answer = await connection.dryRun(
      pathOf(object, info),
      { type: typeOf(info), body },
      signal,
    );
    return judge(answer);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { state: 'not tried', reason };
  }
}

const isOf = ({ apiVersion, kind }: ObjectReference, kindName: string, group: string) =>
  kind === kindName && groupOf(apiVersion) === group;

function pathOf({ apiVersion, namespace, name }: ObjectReference, { resources }: KindInfo): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${resources[0]}/${encodeURIComponent(name)}`;
}

/** Custom resources have no strategic merge, nor Protobuf. */
function typeOf({ protobuf }: KindInfo): Patch['type'] {
  return protobuf ? 'application/strategic-merge-patch+json' : 'application/merge-patch+json';
}

function judge(answer: Answer): DryRun {
  const { status, body } = answer;
  if (status === 200) return { state: 'accepted', object: JSON.parse(body.toString('utf8')) };
  const said = reasonOf(answer);
  return { state: isRefusal(status, said) ? 'refused' : 'not tried', reason: `${status} ${said}` };
}

/**
 * Whoever may not patch, such as a reader, or asks too often, learns nothing of the patch. Admission
 * forbids, too: quotas, limits and many webhooks do.
 */
function isRefusal(status: number, said: string): boolean {
  if (status === 403) return !/ cannot patch resource /.test(said);
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
}
