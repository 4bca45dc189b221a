/** The rules between fields as far as a JSON Schema can say them, for editors. */
const required = (...fields: readonly string[]) => ({ required: fields });

export const fieldRules = {
  oneOf: [required('name'), required('namePattern')],
  not: required('namespace', 'namespacePattern'),
  dependentRequired: { namespacePattern: ['patternReason'], patternReason: ['namespacePattern'] },
  if: { properties: { state: { const: 'pending' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    ...required('jira'),
    oneOf: [required('expires'), required('targetRelease')],
    not: required('source'),
  },
  else: {
    ...required('approver'),
    anyOf: [required('jira'), required('source')],
    not: required('expires', 'targetRelease'),
  },
};
