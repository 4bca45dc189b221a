/** The rules between fields as far as a JSON Schema can say them, for editors. */
import { kinds } from '../core/kinds.ts';

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
  allOf: [
    {
      if: kindIsOneOf(true),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { anyOf: [required('namespace'), required('namespacePattern')] },
    },
    {
      if: kindIsOneOf(false),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { not: { anyOf: [required('namespace'), required('namespacePattern')] } },
    },
  ],
};

function kindIsOneOf(namespaced: boolean) {
  const known = Object.values(kinds).filter((info) => info.namespaced === namespaced);
  const names = new Set(known.map(({ kind }) => kind));
  return { properties: { kind: { enum: [...names] } }, ...required('kind') };
}

/** Kinds begin with a capital; those of several words are misspelt with only one. */
const capitalized = Object.values(kinds).map(({ kind }) => [
  kind,
  kind.charAt(0) + kind.slice(1).toLowerCase(),
]);
export const kindRules = {
  pattern: '^[A-Z][A-Za-z0-9]{0,62}$',
  not: {
    enum: [...new Set(capitalized.flatMap(([kind, plain]) => (kind === plain ? [] : plain)))],
  },
};
