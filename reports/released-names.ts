/** A test's name is its identity in CI for ever: what was released may go only by a rename that is written down. */
import { compare } from '../core/text.ts';

/**
 * What is wrong with the names of this version, `ns/<namespace>` standing for the namespace. `renames`
 * maps a released name to its successor; a new name needs no entry before it is released.
 */
export function namesProblems(
  current: readonly string[],
  released: readonly string[],
  renames: Readonly<Record<string, string>>,
): readonly string[] {
  const known = new Set(current);
  const once = new Set(released);
  const repeated = current.filter((name, index) => current.indexOf(name) !== index);
  return [
    ...repeated.map((name) => `two checks are called "${name}"`),
    ...released
      .filter((name) => !known.has(name) && !Object.hasOwn(renames, name))
      .map((name) => `"${name}" was released: keep it, or enter its rename`),
    ...Object.entries(renames).flatMap(([from, to]) => [
      ...(once.has(from) ? [] : [`"${from}" is renamed, but was never released`]),
      ...(known.has(from) ? [`"${from}" is renamed, but still there`] : []),
      ...(known.has(to) || Object.hasOwn(renames, to)
        ? []
        : [`"${from}" is renamed to "${to}", which is no name`]),
    ]),
  ].toSorted(compare);
}
