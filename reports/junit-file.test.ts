import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { junitFileName, olderJunitFiles } from './junit-file.ts';

describe('junitFileName', () => {
  it('names the file after the start in UTC', () => {
    const name = 'junit_ha_compliance__20261121-142711.xml';
    assert.equal(junitFileName('2026-11-21T16:27:11.250+02:00'), name);
    assert.equal(junitFileName(new Date('2026-11-21T14:27:11Z')), name);
  });
});

describe('olderJunitFiles', () => {
  it('are those of former runs, not what others wrote', () => {
    const own = 'junit_ha_compliance__20261121-142711.xml';
    const others = ['junit_e2e.xml', `${own}.bak`, 'junit_ha_compliance__x.xml', `old-${own}`];
    assert.deepEqual(olderJunitFiles([...others, own]), [own]);
  });
});
