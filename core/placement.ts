/** Where the replicas of a workload are, and where they could be. */
import { zoneOf } from './nodes.ts';
import type { Node } from './objects.ts';
import { compare } from './text.ts';
import type { Workload } from './workload.ts';

/** The names of their nodes, once for each pod that has one. */
export function placedOn({ counted }: Workload): readonly string[] {
  return counted.flatMap((pod) => pod.spec?.nodeName ?? []);
}

/** The place that most of them share, once for each; of equally crowded ones the first by name. */
export function crowdOf(places: readonly string[]): readonly string[] {
  let crowd: readonly string[] = [];
  for (const place of Map.groupBy(places.toSorted(compare), (name) => name).values()) {
    if (place.length > crowd.length) crowd = place;
  }
  return crowd;
}

/** The known zones of nodes, each once. */
export function zonesOf(nodes: readonly Node[]): readonly string[] {
  return [...new Set(nodes.flatMap((node) => zoneOf(node) ?? []))].toSorted(compare);
}
