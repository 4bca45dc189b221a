import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Measured, Pair } from './bench-measure.ts';
import { activities, type Shares } from './bench-profile.ts';
import { goalsOf, median, renderBench } from './bench-report.ts';

const megabyte = 1024 ** 2;

function pair(bare: number, tool: number, peak = 100): Pair {
  return {
    bare: { milliseconds: bare, bytes: 20 * megabyte },
    tool: {
      milliseconds: tool,
      requests: 23,
      asked: 300,
      answered: 600,
      ended: tool,
      cpu: 800,
      peak: peak * megabyte,
      received: 13 * megabyte,
    },
  };
}

function measured(pairs: readonly Pair[]): Measured {
  const shares = Object.fromEntries(activities.map((activity) => [activity, 0])) as Shares;
  const inventory = {
    namespaces: 44,
    podDisruptionBudgets: 190,
    deployments: 240,
    deploymentsByReplicas: {},
    containers: 424,
    containersWithoutLiveness: 0,
    containersWithoutReadiness: 0,
    containersWithoutStartup: 0,
  };
  const summary = { pass: 1, flake: 0, fail: 0, skip: 0, error: 0 };
  const report = { complete: true, summary, inventory };
  return { lists: 19, eachOnce: true, pairs, shares, report };
}

const missed = (size: 'S' | 'M' | 'L', pairs: readonly Pair[]) =>
  goalsOf({ size, measured: measured(pairs) })
    .filter(({ isMet }) => !isMet)
    .map(({ name }) => name);

describe('the goals of the bench', () => {
  it('hold S to a time of its own', () => {
    assert.deepEqual(missed('S', [pair(200, 999)]), []);
    assert.deepEqual(missed('S', [pair(200, 1001, 201)]), ['time ≤ 1 s', 'memory ≤ 200 MB']);
  });

  it('hold M to the bare GET that was measured beside it', () => {
    // A machine that is busy for one pair slows both of its sides.
    const pairs = [pair(1600, 2600), pair(3200, 4700), pair(1600, 2600)];
    assert.deepEqual(missed('M', pairs), []);
    assert.deepEqual(missed('M', [pair(1600, 2700)]), ['time ≤ 1.3 × bare + 0.6 s']);
  });

  it('tell what L has to keep now from what it will have to', () => {
    assert.deepEqual(missed('L', [pair(5000, 7000, 800)]), ['later: memory ≤ 700 MB']);
  });
});

it('the bench prints both sides and their ratio', () => {
  const text = renderBench({ size: 'S', measured: measured([pair(200, 600)]) });
  assert.match(text, /^S: 44 namespaces, 240 Deployments/);
  assert.match(text, /bare GET +0\.20 s +20 MB +19/);
  assert.match(text, /tool +0\.60 s +13 MB +23 +0\.80 s +100 MB/);
  assert.match(text, /ratio +3\.00/);
});

it('a median of an even number of values lies between the two in the middle', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([3, 1, 2]), 2);
});
