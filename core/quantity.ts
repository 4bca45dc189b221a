/** Quantities of resources: `500m`, `64Mi`, `1e3`. */

/** The first of them where both are the same amount. */
export function lesser(quantity: string, other = quantity): string {
  return amountOf(other) < amountOf(quantity) ? other : quantity;
}

/** NaN where the text is none. */
export function amountOf(quantity: string): number {
  const [, digits = '', unit = ''] =
    /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(quantity) ?? [];
  return Number(digits || Number.NaN) * (units.get(unit) ?? Number.NaN);
}

const units = new Map([
  ['', 1],
  ...['n', 'u', 'm'].map((unit, i) => [unit, 1000 ** (i - 3)] as const),
  ...['k', 'M', 'G', 'T', 'P', 'E'].map((unit, i) => [unit, 1000 ** (i + 1)] as const),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit, i) => [unit, 1024 ** (i + 1)] as const),
]);
