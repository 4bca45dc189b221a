/** A finding's patch, applied to the fixture that it was found in, makes it go. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { readFixture } from '../test/fixture.ts';
import { isSameFinding, patched } from '../test/patch.ts';
import { findingsOf } from '../test/run-fixture.ts';
import { checks } from './index.ts';

describe('the patch of a finding', () => {
  for (const check of checks) {
    it(`makes it go: ${check.id}`, () => {
      const folder = path.join(import.meta.dirname, check.suite, check.id, 'fixtures');
      for (const file of globSync(`${folder}/*.yaml`)) {
        for (const finding of findingsOf(check, readFixture(file))) {
          if (!finding.patch) continue;
          const after = readFixture(file, (object) => patched(object, finding));
          const left = findingsOf(check, after).filter((other) => isSameFinding(finding, other));
          assert.deepEqual(left, [], path.basename(file));
        }
      }
    });
  }
});
