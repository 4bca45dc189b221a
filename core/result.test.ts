import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { schemaVersion, severities, stages, verdicts } from './result.ts';

// They stand in every report: one that goes or is renamed breaks its readers.
describe('the words of a report', () => {
  it('are five verdicts', () => {
    assert.deepEqual(verdicts, ['pass', 'flake', 'fail', 'skip', 'error']);
  });

  it('are three stages, the mildest first', () => {
    assert.deepEqual(stages, ['observe', 'flake', 'enforce']);
  });

  it('are three severities, the worst first', () => {
    assert.deepEqual(severities, ['critical', 'major', 'minor']);
  });

  it('are of schema version 1', () => assert.equal(schemaVersion, 1));
});
