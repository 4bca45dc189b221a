/** The role that ships in deploy/, for users of a sandbox, whole or without some kinds. */
import { join } from 'node:path';
import type { Kind } from '../core/kinds.ts';
import { kinds } from '../core/kinds.ts';
import type { Manifest } from '../sandbox/manifests.ts';
import { readManifestFile } from '../sandbox/manifests.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { until } from '../sandbox/until.ts';

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

export interface Permission {
  readonly user: string;
  readonly except?: readonly Kind[];
}

const apiGroup = 'rbac.authorization.k8s.io';
const apiVersion = `${apiGroup}/v1`;

export const shippedManifests = (): Promise<readonly Manifest[]> =>
  readManifestFile(join(import.meta.dirname, '..', 'deploy', 'rbac.yaml'));

export async function shippedRules(): Promise<readonly Rule[]> {
  const manifests = await shippedManifests();
  const roles = manifests.filter(({ kind }) => kind === 'ClusterRole');
  return roles.flatMap(({ rules }) => rules as readonly Rule[]); // as the API has them
}

/** Resolves when the API server knows. */
export async function allow(sandbox: Sandbox, permissions: readonly Permission[]): Promise<void> {
  const rules = await shippedRules();
  const made = permissions.flatMap(({ user, except }) => [
    { apiVersion, kind: 'ClusterRole', metadata: { name: user }, rules: without(rules, except) },
    {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name: user },
      roleRef: { apiGroup, kind: 'ClusterRole', name: user },
      subjects: [{ apiGroup, kind: 'User', name: user }],
    },
  ]);
  await sandbox.apply(made);
  const reviews = permissions.map(({ user, except }) => reviewOf(user, without(rules, except)));
  await until(() => denied(sandbox, reviews), {
    signal: new AbortController().signal,
    timeout: 20_000,
  });
}

function without(rules: readonly Rule[], except: readonly Kind[] = []): readonly Rule[] {
  return rules.flatMap((rule) => {
    const isLeftOut = (resource: string) =>
      except.some(
        (kind) =>
          rule.apiGroups.includes(kinds[kind].group) &&
          kinds[kind].resources.some((own) => own === resource),
      );
    const resources = rule.resources.filter((resource) => !isLeftOut(resource));
    return resources.length > 0 ? [{ ...rule, resources }] : [];
  });
}

/** Asks whether the user may do the first thing that its rules allow. */
function reviewOf(user: string, [rule]: readonly Rule[]) {
  const [group] = rule?.apiGroups ?? [];
  const [resource] = rule?.resources ?? [];
  const [verb] = rule?.verbs ?? [];
  return {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user, resourceAttributes: { group, resource, verb } },
  };
}

async function denied(sandbox: Sandbox, reviews: readonly object[]): Promise<string | undefined> {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: reviews });
  const path = 'jsonpath={.status.allowed} ';
  const answers = await sandbox.kubectl(['create', '-f', '-', '-o', path], { input });
  const allowed = answers.trim().split(' ');
  const isInForce = allowed.length === reviews.length && allowed.every((one) => one === 'true');
  return isInForce ? undefined : `roles are not in force: ${answers}`;
}
