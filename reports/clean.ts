/** What a cluster wrote, made fit for a terminal and for XML 1.0: no escape sequences, no control characters. */
import { stripVTControlCharacters } from 'node:util';

// Tab and newline stay. U+0080 to U+009F are legal in XML, but terminals obey them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const unprintable = /[\0-\x08\v\f\x0E-\x1F\x7F-\x9F\uFFFE\uFFFF]/g;

/** Text of several lines. Half of a surrogate pair becomes U+FFFD. */
export function clean(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?/g, '\n')
    .replace(unprintable, '')
    .toWellFormed();
}

/** The same on one line: each run of white space becomes one space. */
export function oneLine(text: string): string {
  return clean(text).replace(/\s+/g, ' ').trim();
}
