import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { golden } from '../test/golden.ts';
import { report, result, sampleReport } from '../test/sample-report.ts';
import { keyOrder, renderJson } from './json.ts';
import { reportJsonSchema } from './schema.ts';

describe('renderJson', () => {
  it('writes the report as it is read best', async () => {
    await golden('report.json', renderJson(sampleReport()));
  });

  it('writes the same bytes whatever order the keys came in', () => {
    const sample = sampleReport();
    const reversed = Object.fromEntries(Object.entries(sample).toReversed());
    assert.equal(renderJson({ ...sample, ...reversed }), renderJson(sample));
    assert.equal(renderJson(Object.assign(reversed, sample)), renderJson(sample));
  });

  it('loses nothing', () => {
    assert.deepEqual(JSON.parse(renderJson(sampleReport())), sampleReport());
  });

  it('is valid without results, and with more than fit into one part', () => {
    for (const length of [0, 1, 1000]) {
      const results = Array.from({ length }, (_, n) => result('pdb-presence', `shop-${n}`));
      const whole = report(results);
      assert.deepEqual(JSON.parse(renderJson(whole)), JSON.parse(JSON.stringify(whole)));
    }
  });

  it('puts what data brings into alphabetical order', () => {
    const stages = { 'spread-declaration': 'flake', 'pdb-presence': 'enforce' } as const;
    const text = renderJson(report([result('pdb-presence', 'shop')], { stages }));
    assert.match(
      text,
      /"stages": \{\n {4}"pdb-presence": "enforce",\n {4}"spread-declaration": "flake"/,
    );
  });

  it('has a place for every key of the schema', () => {
    assert.deepEqual(new Set(keyOrder), new Set(propertiesOf(reportJsonSchema())));
    assert.equal(new Set(keyOrder).size, keyOrder.length);
  });
});

/** Names of properties anywhere in a JSON Schema, and of the verdicts in the summary. */
function propertiesOf(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(propertiesOf);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'properties' ? Object.keys(value) : []),
    ...(key === 'propertyNames' && Array.isArray(value.enum) ? value.enum : []),
    ...propertiesOf(value),
  ]);
}
