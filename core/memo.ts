/** Computes once per combination of arguments: several checks ask for the same view of one namespace. */

/**
 * Remembers a pure function of objects for as long as these live. Absent arguments are compared, too.
 */
export function once<Args extends readonly (object | undefined)[], T>(
  compute: (...args: Args) => T,
): (...args: Args) => T {
  const absent = {};
  const root: Branch<T> = { next: new WeakMap() };
  return (...args) => {
    let branch = root;
    for (const arg of args) {
      const key = arg ?? absent;
      const next = branch.next.get(key) ?? { next: new WeakMap() };
      branch.next.set(key, next);
      branch = next;
    }
    branch.value ??= { computed: compute(...args) };
    return branch.value.computed;
  };
}

interface Branch<T> {
  readonly next: WeakMap<object, Branch<T>>;
  value?: { readonly computed: T };
}
