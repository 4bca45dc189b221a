/** Looking into parsed values of which nothing is known yet. */

export type Map = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is Map {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The map under a key; an empty one when there is none. */
export function mapAt(value: unknown, key: string): Map {
  const found = isMap(value) ? value[key] : undefined;
  return isMap(found) ? found : {};
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = isMap(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
}

export function textAt(value: unknown, key: string): string | undefined {
  const found = isMap(value) ? value[key] : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
}
