/** Suggests the known word that was probably meant. */
import { distance } from 'fastest-levenshtein';

/** The nearest known word; none where more than a third of the letters would have to change. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const candidates = known
    .map((candidate) => ({ candidate, changes: changesTo(candidate, word) }))
    .filter(({ candidate, changes }) => changes <= Math.ceil(candidate.length / 3))
    .toSorted((a, b) => a.changes - b.changes);
  return candidates[0]?.candidate;
}

/** `, did you mean "x"?`, to be put behind a message; nothing where no word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const found = nearest(word, known);
  return found === undefined ? '' : `, did you mean ${JSON.stringify(found)}?`;
}

function changesTo(candidate: string, word: string): number {
  // A difference in length is the least number of changes: no need to compare a whole file.
  const atLeast = Math.abs(candidate.length - word.length);
  if (atLeast > candidate.length) return atLeast;
  return distance(candidate.toLowerCase(), word.toLowerCase());
}
