/** Whether an exception is about a finding: the object's kind, namespace, name and container. */
import type { Finding } from '../core/result.ts';
import type { Exception } from './exception.ts';
import type { NodeNames } from './match-pattern.ts';
import { matchesPattern } from './match-pattern.ts';

/** The check is the caller's to compare: it is that of the result, not of the finding. */
export function matches(exception: Exception, finding: Finding, nodes?: NodeNames): boolean {
  const { kind, namespace, name, container } = finding.object;
  return (
    kind === exception.kind &&
    (exception.container === undefined || exception.container === container) &&
    matchesNamespace(exception, namespace, nodes) &&
    matchesName(exception, name, nodes)
  );
}

/** An exception without a namespace is about objects that have none. */
function matchesNamespace(
  exception: Exception,
  namespace: string | undefined,
  nodes: NodeNames | undefined,
): boolean {
  const { namespace: exact, namespacePattern: pattern } = exception;
  if (namespace === undefined) return exact === undefined && pattern === undefined;
  if (pattern) return matchesPattern(pattern, namespace, nodes);
  return exact?.includes(namespace) ?? false;
}

function matchesName(exception: Exception, name: string, nodes: NodeNames | undefined): boolean {
  const { namePattern: pattern } = exception;
  return pattern ? matchesPattern(pattern, name, nodes) : exception.name === name;
}
