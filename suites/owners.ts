/** Who answers for a namespace: the user's own map, then on OpenShift the shipped one. */
import shipped from './namespace-components.json' with { type: 'json' };

/** Namespace → exact Jira component; the namespaces that every OpenShift run has a result for. */
const components: Readonly<Record<string, string>> = shipped;

export const knownNamespaces: readonly string[] = Object.keys(components);

export type Owners = Readonly<Record<string, { readonly jiraComponent: string }>>;

/** Undefined where no component is known: then the test's name has no Jira tag. */
export function jiraComponentOf(
  namespace: string | undefined,
  { owners, openshift }: { readonly owners: Owners; readonly openshift: boolean },
): string | undefined {
  if (namespace === undefined) return undefined;
  const own = Object.hasOwn(owners, namespace) ? owners[namespace] : undefined;
  if (own) return own.jiraComponent;
  return openshift && Object.hasOwn(components, namespace) ? components[namespace] : undefined;
}
