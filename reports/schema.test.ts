import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, it } from 'mocha';
import { golden } from '../test/golden.ts';
import { largeReport, sampleReport } from '../test/sample-report.ts';
import { renderJson } from './json.ts';
import { parseReport, reportJsonSchema } from './schema.ts';

describe('the published schema', () => {
  it('is the one that the code checks with', async () => {
    const text = `${JSON.stringify(reportJsonSchema(), undefined, 2)}\n`;
    await golden('report.schema.json', text, 'docs/schemas');
  });

  it('accepts reports, and later ones with more keys', () => {
    const validate = new Ajv2020({ formats: { 'date-time': true } }).compile(schema());
    for (const report of [sampleReport(), largeReport(), { ...sampleReport(), later: 1 }]) {
      assert.ok(validate(report), JSON.stringify(validate.errors));
    }
    assert.equal(validate({ ...sampleReport(), results: [{}] }), false);
  });
});

function schema(): object {
  const found = reportJsonSchema();
  assert.ok(typeof found === 'object' && found !== null);
  return found;
}

describe('parseReport', () => {
  it('reads what renderJson wrote', () => {
    assert.deepEqual(parseReport(renderJson(sampleReport())), sampleReport());
  });

  it('says that a file is not JSON', () => {
    assert.throws(() => parseReport('{', 'old.json'), /^KnownError: old\.json: not JSON: /);
  });

  it('says where a file is not a report', () => {
    const text = renderJson(sampleReport()).replace('"verdict": "flake"', '"verdict": "maybe"');
    assert.throws(
      () => parseReport(text),
      /report\.json: not a report: results\[1\]\.verdict: Invalid/,
    );
  });

  it('says no more than five problems at once', () => {
    assert.throws(() => parseReport('{}'), /; and \d+ more$/m);
  });

  it('says it of the whole file', () => {
    assert.throws(() => parseReport('[]'), /not a report: the whole: /);
  });

  it('refuses the report of another format version', () => {
    const text = renderJson(sampleReport()).replace('"schemaVersion": 1', '"schemaVersion": 2');
    assert.throws(() => parseReport(text), /schemaVersion: /);
  });
});
