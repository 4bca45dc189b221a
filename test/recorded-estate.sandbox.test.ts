import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import type { Report } from '../core/result.ts';
import { run } from './run.ts';
import { sharedSandbox } from './shared-sandbox.ts';

const recorded = path.join(import.meta.dirname, '..', 'sandbox', 'recorded', 'ha.ndjson.zst');

describe('the recorded estate', () => {
  const sandbox = sharedSandbox('ha');

  // What npm start shows without Go must not fall behind what it shows with it: npm run record-estate.
  it('is judged as the living one is', async function () {
    this.timeout(60_000);
    const live = await run({ kubeconfig: sandbox().files.kubeconfig });
    const offline = await run({ from: [recorded] });
    assert.deepEqual(verdicts(offline), verdicts(live));
  });
});

/**
 * Not the same in every sandbox: what depends on the age of objects, and whether a budget that cannot be
 * computed was seen by its controller while it had no pods yet.
 */
const accidental = ['controller-sync', 'rollout-progress', 'pdb-status-freshness'];

/** Without the names that controllers make up. */
function verdicts({ results }: Report) {
  return results
    .filter(({ check }) => !accidental.includes(check))
    .map(({ id, verdict, findings }) => ({
      id,
      verdict,
      objects: findings.map(({ object }) => `${object.kind} ${object.name} ${object.container}`),
    }));
}
