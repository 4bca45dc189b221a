/** report.json: the report itself, of which JUnit and the terminal are views. */
import type { Report } from '../core/result.ts';
import { compare } from '../core/text.ts';

/** Keys in the order in which a person reads them; the same report gives the same bytes. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(ordered(report, new Map()), undefined, 2)}\n`;
}

/** Every key of the schema; keys that data brings (check ids, patches) follow in alphabetical order. */
export const keyOrder: readonly string[] = `
  schemaVersion tool startedAt finishedAt stages input
  controlPlaneTopology infrastructureTopology topology platform release
  coverage evaluated notEvaluated complete checks results
  exceptions used unused expired expiring shadowed broader
  inventory summary pass flake fail skip error
  at id check code object path message conclusive command patch exception
  suite severity stage apiVersion kind namespace name version container subject cluster
  testName jiraComponent verdict guarded state reason cause jira source expires targetRelease matched
  examined title failureTitle breaks fix docs note notes findings
  namespaces podDisruptionBudgets deployments deploymentsByReplicas
  containers containersWithoutLiveness containersWithoutReadiness containersWithoutStartup
`
  .trim()
  .split(/\s+/);

const ranks: ReadonlyMap<string, number> = new Map(keyOrder.map((key, index) => [key, index]));

/** Thousands of objects have one of a few sets of keys. */
type Orders = Map<string, readonly string[]>;

function ordered(value: unknown, orders: Orders): unknown {
  if (Array.isArray(value)) return value.map((item) => ordered(item, orders));
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const keys = inOrder(Object.keys(value), orders);
  return Object.fromEntries(keys.map((key) => [key, ordered(members[key], orders)]));
}

function inOrder(keys: readonly string[], orders: Orders): readonly string[] {
  const set = keys.join('\0');
  const known = orders.get(set) ?? keys.toSorted((a, b) => rank(a) - rank(b) || compare(a, b));
  orders.set(set, known);
  return known;
}

const rank = (key: string): number => ranks.get(key) ?? ranks.size;
