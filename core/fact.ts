/** Facts about an object: each says what it is derived from, and what of that could not be read. */
import type { Artifacts } from './artifacts.ts';
import type { Kind } from './kinds.ts';
import { A, N, T, usesOfA, usesOfL, usesOfN, usesOfT, usesOfW, W } from './kinds.ts';
import { names } from './text.ts';

export interface Fact {
  readonly name: string;
  readonly text: string;
  /** The kinds that it is derived from. */
  readonly from: readonly Kind[];
}

/** The kinds that facts are derived from. */
export const factKinds = [
  ...W,
  ...usesOfW,
  ...A,
  ...usesOfA,
  ...N,
  ...usesOfN,
  ...T,
  ...usesOfT,
  ...usesOfL,
  'podDisruptionBudgets',
] as const;

type Required = (typeof W | typeof A | typeof N | typeof T)[number] | 'podDisruptionBudgets';

/** What facts are derived from, once facts() has seen that it is there. */
export type FactArtifacts = Artifacts<Required, Exclude<(typeof factKinds)[number], Required>>;

export interface FactOptions {
  /** Without these, nothing is known. */
  readonly from: readonly Kind[];
  /** Without these, it is known with less certainty. */
  readonly uses?: readonly Kind[];
}

/** No fact where there is nothing to say. */
export function fact(
  name: string,
  artifacts: FactArtifacts,
  { from, uses = [] }: FactOptions,
  say: () => string | undefined,
): readonly Fact[] {
  const missing = unreadable(from, artifacts);
  const text = missing.length > 0 ? 'unknown' : say();
  if (text === undefined) return [];
  const unread = [...missing, ...unreadable(uses, artifacts)];
  const doubt = unread.length > 0 ? ` (${names(unread)} not readable)` : '';
  return [{ name, text: `${text}${doubt}`, from: [...from, ...uses] }];
}

export function unreadable(wanted: readonly Kind[], artifacts: FactArtifacts): readonly Kind[] {
  const readable: Readonly<Partial<Record<Kind, unknown>>> = artifacts;
  return wanted.filter((kind) => readable[kind] === undefined);
}
