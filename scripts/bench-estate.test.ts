import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SizeName } from './bench-estate.ts';
import { manifests, sizes, workers } from './bench-estate.ts';
import { isWorkload, podCount } from './bench-written.ts';

const names = Object.keys(sizes) as SizeName[];

function pods(name: SizeName): number {
  const nodes = workers(sizes[name]);
  const counts = manifests(sizes[name])
    .filter(isWorkload)
    .map((workload) => podCount(workload, nodes));
  return counts.reduce((sum, count) => sum + count, 0);
}

describe('the estates of the bench', () => {
  it('are as large as is said of them', () => {
    assert.deepEqual(names.map(pods), [999, 11220, 50995]);
  });

  it('name no object twice', () => {
    const keys = manifests(sizes.M).map(({ kind, metadata: { namespace, name } }) =>
      [kind, namespace, name].join('/'),
    );
    assert.equal(new Set(keys).size, keys.length);
  });

  it('give every budget a workload of its name', () => {
    const all = manifests(sizes.M);
    const keyOf = ({ metadata: { namespace, name } }: (typeof all)[number]) =>
      `${namespace}/${name}`;
    const workloads = new Set(all.filter(isWorkload).map(keyOf));
    const budgets = all.filter(({ kind }) => kind === 'PodDisruptionBudget');
    assert.ok(budgets.length > 0);
    for (const budget of budgets) assert.ok(workloads.has(keyOf(budget)), keyOf(budget));
  });
});
