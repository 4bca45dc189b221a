/** Durations as people type them and Go prints them: 90s, 10m, 1h30m. */
const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** What a timer can hold: one that is longer would fire at once. */
const longest = 24 * 24 * 3_600_000;

export const durationExpectation = 'a duration such as 90s, 10m or 1h30m, at most 576h';

/** Milliseconds, or undefined where the text is no duration. */
export function durationOf(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h))+$/.test(text)) return undefined;
  const parts = text.matchAll(/([\d.]+)([a-z]+)/g);
  const total = [...parts].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (milliseconds[unit ?? ''] ?? 0),
    0,
  );
  return total <= longest ? Math.round(total) : undefined;
}
