/** The record of an exception: who agreed to which deviation, for what reason, and until when. */
import { z } from 'zod';
import { kinds } from '../core/kinds.ts';
import { topologyModes } from '../core/topology.ts';
import {
  expectedOfPattern,
  namePatternSyntax,
  namespacePatternSyntax,
  parsePattern,
  publishedNamePattern,
  publishedNamespacePattern,
} from './pattern.ts';
import { fieldRules, kindRules } from './record-json-schema.ts';
import type { Given } from './record-rules.ts';
import { brokenRules } from './record-rules.ts';
import { releasesSyntax, versionSyntax } from './releases.ts';

const line = z.string().regex(/^(?! *$)[^\p{Cc}]+$/u, 'one line of text');
const date = z.iso.date('a date such as 2026-11-21');
const dnsLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const namespaceName = z.string().regex(dnsLabel, 'the exact name of a namespace');
const containerName = z.string().regex(dnsLabel, 'the exact name of a container');
const objectName = z
  .string()
  .regex(/^[A-Za-z0-9.:_-]{1,253}$/, 'an exact name (placeholders belong in namePattern)');

/** As kubectl explain spells it, so that an exception does not miss its object by a letter's case. */
const kind = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9]{0,62}$/, { error: 'a kind such as Deployment', abort: true })
  .superRefine((given, context) => {
    const known = Object.values(kinds).find(
      (info) => info.kind.toLowerCase() === given.toLowerCase(),
    );
    if (known && known.kind !== given) context.addIssue({ code: 'custom', message: known.kind });
  });

const namespaces = z
  .union(
    [
      namespaceName,
      z.array(namespaceName).min(1, 'at least one namespace').meta({ uniqueItems: true }),
    ],
    'a namespace or a list of namespaces',
  )
  .transform((given) => (typeof given === 'string' ? [given] : given));

const jira = z
  .string()
  .regex(
    /^(?:https:\/\/(?:redhat\.atlassian\.net|issues\.redhat\.com)\/browse\/)?[A-Z][A-Z0-9_]+-[1-9][0-9]*$/,
    'a Jira key such as OCPBUGS-12345, or its browse URL',
  )
  .transform((given) => given.slice(given.lastIndexOf('/') + 1));

export const recordSchema = z
  .strictObject({
    check: line.describe("The exact id of a check, or a rollout rule's code"),
    namespace: namespaces.optional().describe('Exact; a list is fine'),
    namespacePattern: pattern(namespacePatternSyntax, '<hash>, <node>, <ordinal> and <any>')
      .optional()
      .meta({ pattern: publishedNamespacePattern })
      .describe('Literal text with placeholders: <hash>, <node>, <ordinal>, and once <any>'),
    patternReason: line.optional().describe('Why exact namespaces do not do'),
    kind: kind.meta(kindRules).describe('The kind of the object, as the API spells it'),
    name: objectName.optional().describe('Exact'),
    namePattern: pattern(namePatternSyntax, '<hash>, <node> and <ordinal>')
      .optional()
      .meta({ pattern: publishedNamePattern })
      .describe('Literal text with placeholders: <hash>, <node>, <ordinal>'),
    container: containerName.optional().describe('Exact; for findings about a container'),
    state: z.enum(['pending', 'permanent']).describe('pending: will be fixed; permanent: will not'),
    jira: jira.optional().describe('Required for pending; for permanent either this or source'),
    source: z
      .string()
      .regex(/^https:\/\/[^\s/]+(?:\/\S*)?$/, 'an https:// link')
      .optional()
      .describe('The public convention that allows a permanent exception'),
    reason: line.describe('One sentence'),
    approver: line.optional().describe('Required for permanent'),
    addedOn: date,
    expires: date.optional().describe('The last day on which the exception covers anything (UTC)'),
    targetRelease: z
      .string('a release in quotes, such as "5.1" (5.10 without them is 5.1)')
      .regex(versionSyntax, 'a release such as "5.1"')
      .optional()
      .describe('The first release in which the exception covers nothing'),
    releases: z
      .string('a range of releases in quotes, such as ">=4.20 <5.1"')
      .regex(releasesSyntax, 'a range of releases such as ">=4.20 <5.1"')
      .optional()
      .describe('Compared as versions: 4.1 is not 4.10'),
    topologies: z
      .array(z.enum(topologyModes))
      .min(1, 'at least one topology')
      .optional()
      .describe('Of the control plane'),
    platforms: z.array(line).min(1, 'at least one platform').optional(),
    matched: z.int().min(0).optional().describe('How many objects it matched when written'),
  })
  .superRefine(
    (record: Given, context) => {
      for (const { field, expected } of brokenRules(record)) {
        context.addIssue({ code: 'custom', path: [field], message: expected });
      }
    },
    // Also beside fields that are wrong in themselves: all problems are told at once.
    { when: ({ value }) => isMap(value) },
  )
  .meta(fieldRules);

export const exceptionsSchema = z.array(recordSchema).meta({
  title: 'Exceptions',
  description:
    'Accepted deviations from the checks of ha-compliance, each with its Jira issue or source.',
});

export type ExceptionRecord = z.output<typeof recordSchema>;

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pattern(syntax: RegExp, placeholders: string) {
  const expected = `literal text and the placeholders ${placeholders}`;
  return z
    .string()
    .max(300, { error: 'at most 300 characters', abort: true })
    .regex(syntax, { error: expected, abort: true })
    .transform((text, context) => {
      const parsed = parsePattern(text);
      const missing = expectedOfPattern(parsed);
      if (missing !== undefined) context.addIssue({ code: 'custom', message: missing });
      return parsed;
    });
}
