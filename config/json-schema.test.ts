import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { load } from 'js-yaml';
import { describe, it } from 'mocha';
import { jsonSchemaOf } from './json-schema.ts';
import { configSchema } from './schema.ts';

const published = new URL('../docs/schemas/config.schema.json', import.meta.url);

describe('the JSON Schema of the configuration', () => {
  it('is published as it is', async () => {
    const text = jsonSchemaOf(configSchema);
    if (process.env['UPDATE']) await writeFile(published, text);
    assert.equal(await readFile(published, 'utf8'), text, 'UPDATE=1 npm test writes it anew');
  });

  const isValid = new Ajv2020().compile(JSON.parse(jsonSchemaOf(configSchema)));
  const cases: readonly (readonly [string, boolean])[] = [
    ['{}', true],
    [
      '{timeout: 10m, stages: {"*": flake}, thresholds: {workloads: []}, owners: {a: {jiraComponent: A}}}',
      true,
    ],
    ['{kubeconfg: a}', false],
    ['{stages: {"*": enforc}}', false],
    ['{timeout: 10}', false],
    ['{thresholds: {settle: -1}}', false],
    ['{criticalBudgets: [a]}', false],
  ];
  for (const [text, expected] of cases) {
    it(`${expected ? 'takes' : 'refuses'} ${text}`, () =>
      assert.equal(isValid(load(text)), expected));
  }
});
