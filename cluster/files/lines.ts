/** Text that is read line by line. */
import { MissingError } from '../../core/errors.ts';
import { tooLarge } from './limits.ts';

const longest = 2 ** 26;

/** The lines that a line feed ends: what comes after the last one was cut off. */
export async function* lines(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    rest += first;
    for (const next of others) {
      yield rest;
      rest = next;
    }
    if (rest.length > longest) throw tooLarge(`${name}: a line`, longest);
  }
}

/** The first characters, which are ASCII; fewer when no more can be had. */
export async function startOf(chunks: AsyncIterable<Uint8Array>, length: number): Promise<string> {
  let start = '';
  try {
    for await (const chunk of chunks) {
      start += Buffer.from(chunk.subarray(0, length)).toString('latin1');
      if (start.length >= length) break;
    }
  } catch (error) {
    // Who reads on will meet the same end.
    if (!(error instanceof MissingError)) throw error;
  }
  return start.slice(0, length);
}
