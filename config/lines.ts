/** Turns an offset in a text into the line and column that an editor shows. */
import type { Position } from './problems.ts';

/** Line breaks are those of YAML 1.2: LF, CR LF, CR. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0, ...text.matchAll(/\r\n|\r|\n/g).map((found) => found.index + found[0].length)];
  return (offset) => {
    const line = countUpTo(starts, offset);
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

/** How many of the sorted numbers are at most the limit, by halving. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
