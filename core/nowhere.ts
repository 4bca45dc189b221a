/** Services in namespaces that do not exist: no namespace of a run speaks for them, so default does. */
import type { Collection } from './artifacts.ts';
import { kubectlGet } from './finding.ts';
import type { Namespace } from './objects.ts';
import { isInfrastructureRedundant } from './population.ts';
import type { Scope } from './scope.ts';

/** Whether a Service that is called is in a namespace that was deleted, and is to be redundant. */
export function isNowhere(
  { namespace }: { readonly namespace?: string },
  namespaces: Collection<Namespace> | undefined,
  scope: Scope,
): boolean {
  // Only an API server lists every namespace, and default is always among them.
  const isJudged = scope.namespace === 'default' && scope.cluster.input === 'live';
  if (!isJudged || !isInfrastructureRedundant(scope)) return false;
  if (!namespaces?.get(undefined, 'default')) return false;
  return namespace !== undefined && !namespaces.get(undefined, namespace);
}

/** The observation that callers rest on nothing. */
export function restsNowhere(callers: string, service: string) {
  return {
    message: `${callers}: ${service} does not exist, nor does its namespace`,
    command: kubectlGet(['namespaces']),
    // The namespace may have been made between two lists.
    transient: true,
  } as const;
}
