/** Durations as people type them and Go prints them: 90s, 10m, 1h30m. */
const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** What a timer can hold: one that is longer would fire at once. */
const longest = 24 * 24 * 3_600_000;

export const durationExpectation = 'a duration such as 90s, 10m or 1h30m, at most 576h';

// As far as a pattern can say it; where the parts add up to too much, only the loader knows.
const parts = [
  '(?:\\d{1,2}|[1-4]\\d\\d|5[0-6]\\d|57[0-6])(?:\\.\\d{1,9})?h',
  '\\d{1,5}(?:\\.\\d{1,9})?m',
  '\\d{1,7}(?:\\.\\d{1,9})?s',
  '\\d{1,9}(?:\\.\\d{1,9})?ms',
].join('|');

/** For the published schema. */
export const durationPattern = `^(?:0|(?:${parts})+)$`;
export const positiveDurationPattern = `^(?=.*[1-9])(?:${parts})+$`;

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
