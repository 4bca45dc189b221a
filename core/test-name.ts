/** The name of a result in JUnit: it is the test's identity in every dashboard, for ever. */

export const monitorPrefix = '[Monitor:ha-compliance]';

/** Two names may differ by namespace and check only; a component that is not known leaves no tag. */
export function testName(
  template: string,
  {
    namespace,
    jiraComponent,
  }: { namespace?: string | undefined; jiraComponent?: string | undefined },
): string {
  const owner = jiraComponent === undefined ? '' : `[Jira:"${jiraComponent}"]`;
  return `${monitorPrefix}${owner} ${template.replace('<namespace>', () => namespace ?? '')}`;
}
