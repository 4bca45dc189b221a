/** IntOrString: a number, or a percentage of one, rounded as the reader of the field rounds it. */

/** Undefined when the value is neither an integer nor a percentage such as `25%`. */
export function resolve(
  value: number | string,
  total: number,
  rounding: 'up' | 'down',
): number | undefined {
  if (typeof value === 'number') return value;
  const percent = percentage(value);
  if (percent === undefined) return undefined;
  // Multiplied first: 7 / 100 * 100 is 7.000000000000001 and would round up to 8.
  const exact = (percent * total) / 100;
  return rounding === 'up' ? Math.ceil(exact) : Math.floor(exact);
}

export function percentage(value: number | string): number | undefined {
  if (typeof value === 'number' || !/^[0-9]+%$/.test(value)) return undefined;
  return Number(value.slice(0, -1));
}

/** `2`, `25 %`: for messages. */
export function intOrPercentText(value: number | string): string {
  const percent = percentage(value);
  return percent === undefined ? String(value) : `${percent} %`;
}
