import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checks } from '../checks/index.ts';
import { frameworkNames } from '../reports/junit-framework.ts';
import names from '../reports/released-names.json' with { type: 'json' };
import { namesProblems } from '../reports/released-names.ts';

describe('the names of tests', () => {
  const current = [...Object.values(frameworkNames), ...checks.map(({ testName }) => testName)];

  it('are those that were released, or their successors', () => {
    assert.deepEqual(namesProblems(current, names.released, names.renames), []);
  });
});
