/** Patterns of names: literal text with placeholders for what Kubernetes generates, never a wildcard. */

/** Some characters of a set; the first and the last may be limited further. */
export interface Run {
  readonly characters: string;
  readonly edges: string;
  readonly shortest: number;
  readonly longest: number;
}

export type Part = { readonly literal: string } | { readonly run: Run } | { readonly node: Run };

export interface Pattern {
  readonly text: string;
  readonly parts: readonly Part[];
}

const digits = '0123456789';
const alphanumeric = `abcdefghijklmnopqrstuvwxyz${digits}`;
const longestName = 253;

/**
 * What Kubernetes appends to names: 5 random characters, or up to 10 that encode a template's hash or
 * count a CronJob's minutes. Its alphabet has no vowels, lest it spell words: neither `web-cache` nor
 * `web-api` is a `web-<hash>` (k8s.io/apimachinery/pkg/util/rand).
 */
const generated = `bcdfghjklmnpqrstvwxz${digits}`;

const placeholders: Readonly<Record<string, Part>> = {
  '<hash>': { run: { characters: generated, edges: generated, shortest: 5, longest: 10 } },
  // Of a pod of a StatefulSet, or of a revision.
  '<ordinal>': { run: { characters: digits, edges: digits, shortest: 1, longest: 10 } },
  // Any text that can name a node: used where the names of the nodes are not known.
  '<node>': {
    node: {
      characters: `${alphanumeric}.-`,
      edges: alphanumeric,
      shortest: 1,
      longest: longestName,
    },
  },
  '<any>': {
    run: {
      characters: `${alphanumeric}-`,
      edges: `${alphanumeric}-`,
      shortest: 1,
      longest: longestName,
    },
  },
};

export const namePatternSyntax = /^(?:[A-Za-z0-9.:_-]|<(?:hash|node|ordinal)>)+$/;
export const namespacePatternSyntax = /^(?:[a-z0-9-]|<(?:hash|node|ordinal|any)>)+$/;

/** For the published schema: a placeholder, literal text beside it, and <any> at most once. */
const placeholder = '(?=.*<)';
const literal = '(?=(?:.*>)?[^<])';
const onceAny = '(?!.*<any>.*<any>)';
export const publishedNamePattern = namePatternSyntax.source.replace(
  '^',
  `^${placeholder}${literal}`,
);
export const publishedNamespacePattern = namespacePatternSyntax.source.replace(
  '^',
  `^${placeholder}${literal}${onceAny}`,
);

/** Of a text that has the syntax. */
export function parsePattern(text: string): Pattern {
  const parts = text.split(/(<[a-z]+>)/).filter((part) => part !== '');
  return { text, parts: parts.map((part) => placeholders[part] ?? { literal: part }) };
}

/** What a text of the right syntax still lacks to be a pattern. */
export function expectedOfPattern({ text, parts }: Pattern): string | undefined {
  const literals = parts.filter((part) => 'literal' in part);
  if (literals.length === parts.length) return 'at least one placeholder';
  if (literals.length === 0) return 'literal text beside the placeholders';
  return text.split('<any>').length > 2 ? '<any> only once' : undefined;
}
