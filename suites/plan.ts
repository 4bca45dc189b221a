/** What a run has to answer: every selected check, for every selected namespace or for the cluster. */
import type { AnyCheck } from '../core/check.ts';
import type { Scope } from '../core/scope.ts';
import { testName } from '../core/test-name.ts';
import type { SelectedNamespace } from './namespaces.ts';
import type { Attribute, Attribution } from './owners.ts';

/** One check in one scope: one test, one result. */
export interface Case {
  /** `<check>/<namespace or subject>` */
  readonly id: string;
  readonly check: AnyCheck;
  readonly scope: Scope;
  readonly subject?: string;
  readonly testName: string;
  /** Whose the result is. */
  readonly attribution: Attribution;
  /** The namespace is known by name only. */
  readonly isAbsent: boolean;
}

/** By suite, check and namespace, as the checks and namespaces come. */
export function planOf(
  checks: readonly AnyCheck[],
  namespaces: readonly SelectedNamespace[],
  { cluster, attribute }: { readonly cluster: Scope['cluster']; readonly attribute: Attribute },
): readonly Case[] {
  const clusterScope: Scope = { cluster };
  // One scope per namespace: what is derived for one check serves the others.
  const scopes = namespaces.map((namespace) => ({
    namespace,
    scope: scopeOf(namespace, cluster),
    attribution: attribute(namespace.name),
  }));
  return checks.flatMap((check) => {
    if (check.scope === 'cluster') {
      const attribution = attribute(check.ownerNamespace);
      return [{ ...caseOf(check, clusterScope, attribution), subject: 'cluster', isAbsent: false }];
    }
    return scopes.map(({ namespace: { isAbsent }, scope, attribution }) => ({
      ...caseOf(check, scope, attribution),
      isAbsent,
    }));
  });
}

function scopeOf(namespace: SelectedNamespace, cluster: Scope['cluster']): Scope {
  return { namespace: namespace.name, class: namespace.class, labels: namespace.labels, cluster };
}

function caseOf(check: AnyCheck, scope: Scope, attribution: Attribution) {
  const { namespace } = scope;
  const { jiraComponent } = attribution;
  return {
    id: `${check.id}/${namespace ?? 'cluster'}`,
    check,
    scope,
    testName: testName(check.testName, { namespace, jiraComponent }),
    attribution,
  };
}
