/** Which workload a selector that selects nothing was probably meant for. */
import type { Workload } from './workload.ts';

/** What asks for pods, and the labels that it asks for. */
interface Asking {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface Nearest {
  readonly workload: Workload;
  /** It has one of the labels, not only one of the keys or the name. */
  readonly sharesLabel: boolean;
  /** No other workload is as near. */
  readonly isOnly: boolean;
}

/** The one that has most of the labels, or else their keys; then the one that is called like it. */
export function nearestWorkload(
  asking: Asking,
  workloads: readonly Workload[],
): Nearest | undefined {
  const [first, second] = workloads
    .map((workload) => ({ workload, likeness: likeness(asking, workload) }))
    .filter((candidate) => candidate.likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness);
  return (
    first && {
      workload: first.workload,
      sharesLabel: met(asking, first.workload) > 0,
      isOnly: second?.likeness !== first.likeness,
    }
  );
}

function likeness(asking: Asking, workload: Workload): number {
  const { name, labels } = workload;
  const keys = Object.keys(asking.labels).filter((key) => Object.hasOwn(labels, key)).length;
  return 4 * met(asking, workload) + 2 * keys + (name === asking.name ? 1 : 0);
}

const met = (asking: Asking, { labels }: Workload) =>
  Object.entries(asking.labels).filter(([key, value]) => labels[key] === value).length;
