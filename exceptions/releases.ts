/** Ranges of releases such as `>=4.20 <5.1`, compared as versions: 4.1 is not 4.10. */
import { compareVersions } from '../core/version.ts';

const version = String.raw`\d{1,5}(?:\.\d{1,5}){0,2}`;
const comparator = `(?:>=|<=|>|<|=)?${version}`;

export const versionSyntax = new RegExp(`^${version}$`);
export const releasesSyntax = new RegExp(`^${comparator}(?: +${comparator})*$`);

/**
 * Whether a release is in every part of a range. Only the numbers that a part names are compared:
 * 4.20.3 is in `=4.20` and `<=4.20`, not in `>4.20`. A release that is not known is in no range.
 */
export function includesRelease(range: string, release: string): boolean {
  return range.split(/ +/).every((part) => {
    const order = compareVersions(release, part.replace(/^[<>=]+/, ''));
    return order !== undefined && accepts(part, order);
  });
}

/** `order` is that of the release and the version behind the operator. */
function accepts(part: string, order: number): boolean {
  if (part.startsWith('>=')) return order >= 0;
  if (part.startsWith('<=')) return order <= 0;
  if (part.startsWith('>')) return order > 0;
  if (part.startsWith('<')) return order < 0;
  return order === 0;
}
