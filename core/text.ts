/** How findings are worded and ordered: the same everywhere, byte for byte. */
import type { Finding, ObjectReference } from './result.ts';

/** Compares by code unit, so that the order does not depend on a locale. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** By kind, namespace, name, container, path, message. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    compareObjects(a.object, b.object) ||
    compare(a.path ?? '', b.path ?? '') ||
    compare(a.message, b.message)
  );
}

function compareObjects(a: ObjectReference, b: ObjectReference): number {
  return (
    compare(a.kind, b.kind) ||
    compare(a.namespace ?? '', b.namespace ?? '') ||
    compare(a.name, b.name) ||
    compare(a.container ?? '', b.container ?? '')
  );
}

/** At most five names, then how many more. */
export function names(all: readonly string[], separator = ', '): string {
  const sorted = all.toSorted(compare);
  const shown = sorted.slice(0, 5).join(separator);
  return sorted.length > 5 ? `${shown} and ${sorted.length - 5} more` : shown;
}

/** `1 replica`, `3 replicas`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** `Deployment shop/cart`, `Node worker-1`. */
export function title(object: {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}): string {
  return `${object.kind} ${object.namespace === undefined ? '' : `${object.namespace}/`}${object.name}`;
}

/** `{app: web, tier: ""}`, as a person would write it in YAML. */
export function labels(map: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(map ?? {}).toSorted(([a], [b]) => compare(a, b));
  return `{${pairs.map(([key, value]) => `${key}: ${value === '' ? '""' : value}`).join(', ')}}`;
}
