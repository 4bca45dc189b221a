/** Text in terminal columns: measured, cut and wrapped by what a person sees, not by code units. */
import { oneLine } from './clean.ts';

const segmenter = new Intl.Segmenter('en');
const wide =
  /\p{Emoji_Presentation}|\uFE0F|[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303F\uFF01-\uFF60\uFFE0-\uFFE6]/u;

/** One line without what has no width: joiners, marks of writing direction, soft hyphens. */
export const plain = (text: string): string => oneLine(text.replace(/\p{Cf}/gu, ''));

/** Columns that plain text takes. */
export function width(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + columnsOf(grapheme), 0);
}

/** At most so many columns; `…` stands for what is left out. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  return `${split(text, columns - 1).head.trimEnd()}…`;
}

/** Lines of at most so many columns. Words that are longer, such as URLs, go on in the next line. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && width(`${line} ${word}`) > columns) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
    while (width(line) > columns) {
      const { head, tail } = split(line, columns);
      lines.push(head);
      line = tail;
    }
  }
  return [...lines, line];
}

/** The longest head of at most so many columns, never empty, and the rest. */
function split(text: string, columns: number): { readonly head: string; readonly tail: string } {
  let taken = 0;
  let head = '';
  for (const grapheme of graphemes(text)) {
    taken += columnsOf(grapheme);
    if (taken > columns && head !== '') break;
    head += grapheme;
  }
  return { head, tail: text.slice(head.length) };
}

const graphemes = (text: string): readonly string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

const columnsOf = (grapheme: string): number => (wide.test(grapheme) ? 2 : 1);
