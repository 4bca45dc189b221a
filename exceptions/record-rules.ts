/** The rules of an exception's record that concern more than one field. */
import { kinds } from '../core/kinds.ts';

/** A record as it was written, whatever its fields hold. */
export type Given = Readonly<Record<string, unknown>>;

export interface Rule {
  /** The field at which a breach is reported. */
  readonly field: string;
  readonly expected: string;
  readonly isBroken: (record: Given) => boolean;
}

export function brokenRules(record: Given): readonly Rule[] {
  return rules.filter((rule) => rule.isBroken(record));
}

const has = (record: Given, field: string) => record[field] !== undefined;
const both = (one: string, other: string) => (record: Given) =>
  has(record, one) && has(record, other);
const neither = (one: string, other: string) => (record: Given) =>
  !has(record, one) && !has(record, other);
const lone = (one: string, other: string) => (record: Given) =>
  has(record, one) && !has(record, other);

/** A kind that the table does not know may be either: without a namespace only the cluster's match. */
const scopes = new Map(Object.values(kinds).map(({ kind, namespaced }) => [kind, namespaced]));
const isScoped = (record: Given, namespaced: boolean) =>
  typeof record['kind'] === 'string' && scopes.get(record['kind']) === namespaced;

const rules: readonly Rule[] = [
  {
    field: 'name',
    expected: 'an exact name, or namePattern',
    isBroken: neither('name', 'namePattern'),
  },
  { field: 'namePattern', expected: 'nothing beside name', isBroken: both('name', 'namePattern') },
  {
    field: 'namespace',
    expected: 'a namespace, or namespacePattern (the kind is namespaced)',
    isBroken: (record) =>
      isScoped(record, true) && neither('namespace', 'namespacePattern')(record),
  },
  ...['namespace', 'namespacePattern'].map((field) => ({
    field,
    expected: 'nothing (the kind is cluster-scoped)',
    isBroken: (record: Given) => isScoped(record, false) && has(record, field),
  })),
  {
    field: 'namespacePattern',
    expected: 'nothing beside namespace',
    isBroken: both('namespace', 'namespacePattern'),
  },
  {
    field: 'patternReason',
    expected: 'the reason why exact namespaces do not do',
    isBroken: lone('namespacePattern', 'patternReason'),
  },
  {
    field: 'patternReason',
    expected: 'nothing without namespacePattern',
    isBroken: lone('patternReason', 'namespacePattern'),
  },
  {
    field: 'jira',
    expected: 'the Jira issue that will end the exception',
    isBroken: (record) => record['state'] === 'pending' && !has(record, 'jira'),
  },
  {
    field: 'expires',
    expected: 'a date, or targetRelease (a pending exception ends)',
    isBroken: (record) =>
      record['state'] === 'pending' && neither('expires', 'targetRelease')(record),
  },
  {
    field: 'source',
    expected: 'nothing (a convention allows permanent exceptions only)',
    isBroken: (record) => record['state'] === 'pending' && has(record, 'source'),
  },
  {
    field: 'jira',
    expected: 'a Jira issue, or source',
    isBroken: (record) => record['state'] === 'permanent' && neither('jira', 'source')(record),
  },
  {
    field: 'approver',
    expected: 'the name of who approved the permanent exception',
    isBroken: (record) => record['state'] === 'permanent' && !has(record, 'approver'),
  },
  {
    field: 'targetRelease',
    expected: 'nothing beside expires',
    isBroken: both('expires', 'targetRelease'),
  },
  {
    field: 'expires',
    expected: 'a date that is not before addedOn',
    isBroken: ({ expires, addedOn }) => isDate(expires) && isDate(addedOn) && expires < addedOn,
  },
];

/** By its form, in which dates compare as texts. */
function isDate(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
}
