/** Versions of API servers and releases, compared by their numbers: 4.10 is newer than 4.9. */

/** The numbers of `v1.36.3`, `4.16.0-rc.1` or `1.27+`; undefined when there is none. */
export function parseVersion(version: string): readonly number[] | undefined {
  const match = /^v?(\d+(?:\.\d+)*)/.exec(version);
  return match?.[1]?.split('.').map(Number);
}

/** Compares as many numbers as the shorter one has, so that 4.16.3 is neither older nor newer than 4.16. */
export function compareVersions(a: string, b: string): number | undefined {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (!left || !right) return undefined;
  for (const [i, number] of left.entries()) {
    const difference = number - (right[i] ?? number);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}

export function olderThan(version: string, than: string): boolean {
  return compareVersions(version, than) === -1;
}
