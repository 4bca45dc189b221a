import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { badRecords, recordWith } from '../test/bad-records.ts';
import { loadExceptions } from './load.ts';

const checks = [
  { id: 'pdb-presence', suite: 'disruption' },
  { id: 'readiness-probes', suite: 'probes', perContainer: true },
  { id: 'paused-pool-keeps-config', code: 'CM-01', suite: 'machine-config' },
] as const;

describe('the validation of an exception', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ha-compliance-'));
  });
  after(() => rm(folder, { recursive: true }));

  for (const [changes, ...problems] of badRecords) {
    it(`says ${problems.join(' and ')}`, async () => {
      const path = join(folder, 'x.yaml');
      await writeFile(path, recordWith(changes));
      await assert.rejects(loadExceptions([{ path, name: 'x.yaml' }], { checks }), {
        code: 'EXCEPTIONS',
        exitStatus: 2,
        message: problems.map((problem) => `x.yaml:${problem}`).join('\n'),
      });
    });
  }
});
