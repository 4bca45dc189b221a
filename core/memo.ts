/** Computes once per combination of arguments: several checks ask for the same view of one namespace. */

/**
 * Remembers a pure function of objects for as long as these live. Absent arguments are compared, too.
 */
export function once<Args extends readonly (object | undefined)[], T>(
  compute: (...args: Args) => T,
): (...args: Args) => T {
  const absent = {};
  const root: Branch<T> = {};
  return (...args) => {
    let branch = root;
    // The last are the most general ones, such as the scope: few maps with many entries are cheaper to
    // keep than many with one.
    for (let i = args.length - 1; i >= 0; i--) branch = below(branch, args[i] ?? absent);
    branch.value ??= { computed: compute(...args) };
    return branch.value.computed;
  };
}

interface Branch<T> {
  next?: WeakMap<object, Branch<T>>;
  value?: { readonly computed: T };
}

function below<T>(branch: Branch<T>, key: object): Branch<T> {
  branch.next ??= new WeakMap();
  const known = branch.next.get(key);
  if (known) return known;
  const made: Branch<T> = {};
  branch.next.set(key, made);
  return made;
}
