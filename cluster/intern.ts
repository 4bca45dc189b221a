/** Equal strings are kept once, and found by what they are written as: labels and owners repeat thousandfold. */

export interface Intern {
  /** The text between two positions. */
  text(bytes: Buffer, start: number, end: number): string;
  /** RFC 3339 of the seconds since 1970. */
  time(seconds: number): string;
}

/** Builds every string anew. */
export const asWritten: Intern = {
  text: (bytes, start, end) => bytes.toString('utf8', start, end),
  time: (seconds) => `${new Date(seconds * 1000).toISOString().slice(0, -5)}Z`,
};

/** How many are remembered; of two that meet in one place, the later one. */
const places = 2 ** 17;
/** Longer ones are messages, which hardly ever repeat. */
const longest = 128;

/** Most strings of a cluster have been met before: these are not even built. */
export function interner(): Intern {
  const texts = new Array<string>(places).fill('');
  const times = new Map<number, string>();
  return {
    text: (bytes, start, end) => {
      if (end - start > longest) return asWritten.text(bytes, start, end);
      const place = hashOf(bytes, start, end) & (places - 1);
      const found = texts[place] ?? '';
      if (isWritten(found, bytes, start, end)) return found;
      const value = asWritten.text(bytes, start, end);
      texts[place] = value;
      return value;
    },
    time: (seconds) => {
      const value = times.get(seconds) ?? asWritten.time(seconds);
      times.set(seconds, value);
      return value;
    },
  };
}

/** FNV-1a. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Only ASCII is recognized: there, characters are bytes. */
function isWritten(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) {
    const byte = bytes[start + i] ?? 0;
    if (byte > 0x7f || byte !== text.charCodeAt(i)) return false;
  }
  return true;
}
