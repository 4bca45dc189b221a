/** What is kept of commands and headers, which may hold credentials. */

/**
 * Sixteen bits: enough to tell two texts of one container apart, too few to find out what one was.
 * Of a fingerprint, the same.
 */
export function fingerprint(value: string): string {
  if (/^#[0-9a-f]{4}$/.test(value)) return value;
  // FNV-1a.
  let hash = 0x811c9dc5;
  for (let i = 0; i < value.length; i++) hash = Math.imul(hash ^ value.charCodeAt(i), 0x01000193);
  const folded = ((hash >>> 16) ^ hash) & 0xffff;
  return `#${folded.toString(16).padStart(4, '0')}`;
}

const rest = '…';

/** Of a word of a command what tells how long it sleeps before anything else: shells, `sleep` and numbers. */
export function onlySleep(word: string): string {
  if (/^(\/(usr\/)?bin\/)?((ba|da|a)?sh|sleep)$/.test(word)) return word;
  if (/^-[a-z]*c$/.test(word) || /^\d{1,5}(\.\d+)?[smhd]?$/.test(word)) return word;
  const [asleep = rest] = /^\s*sleep \d+(\.\d+)?[smhd]?\s*(?=$|;|&&)/.exec(word) ?? [];
  if (asleep === rest) return rest;
  return word.trim() === asleep.trim() ? asleep.trim() : `${asleep.trim()}; ${rest}`;
}
