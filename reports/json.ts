/** report.json: the report itself, of which JUnit and the terminal are views. */
import type { Report } from '../core/result.ts';
import { compare } from '../core/text.ts';

/** Keys in the order in which a person reads them; the same report gives the same bytes. */
export function renderJson(report: Report): string {
  return [...jsonParts(report)].join('');
}

/** The same in parts: of a large cluster, the whole text takes more memory than the cluster. */
export function* jsonParts(report: Report): Generator<string> {
  const orders: Orders = new Map();
  const members = Object.entries(report).filter(([, value]) => value !== undefined);
  const values = new Map<string, unknown>(members);
  let before = '{';
  for (const key of inOrder([...values.keys()], orders)) {
    yield `${before}\n  ${JSON.stringify(key)}: `;
    if (key === 'results') yield* resultParts(report.results, orders);
    else yield indented(values.get(key), 1, orders);
    before = ',';
  }
  yield '\n}\n';
}

/** Parts this small are collected as soon as they are written. */
const resultsPerPart = 25;

function* resultParts(results: Report['results'], orders: Orders): Generator<string> {
  let before = '[\n';
  for (let start = 0; start < results.length; start += resultsPerPart) {
    const part = results.slice(start, start + resultsPerPart);
    yield before + part.map((result) => `    ${indented(result, 2, orders)}`).join(',\n');
    before = ',\n';
  }
  yield results.length > 0 ? '\n  ]' : '[]';
}

function indented(value: unknown, depth: number, orders: Orders): string {
  const text = JSON.stringify(ordered(value, orders), undefined, 2);
  return text.replaceAll('\n', `\n${'  '.repeat(depth)}`);
}

/** Every key of the schema; keys that data brings (check ids, patches) follow in alphabetical order. */
export const keyOrder: readonly string[] = `
  schemaVersion tool startedAt finishedAt stages input
  controlPlaneTopology infrastructureTopology topology platform release
  coverage evaluated notEvaluated complete interrupted checks results
  exceptions used unused expired expiring shadowed broader
  inventory summary pass flake fail skip error
  at id check code object path message conclusive command patch exception
  suite severity stage apiVersion kind namespace name version container subject cluster
  testName owner jiraComponent verdict guarded state reason cause jira source expires targetRelease matched
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
