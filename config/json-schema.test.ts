import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { load } from 'js-yaml';
import { describe, it } from 'mocha';
import { checks, suites } from '../checks/index.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { configSchema } from './schema.ts';

const published = new URL('../docs/schemas/config.schema.json', import.meta.url);

const ids = checks.map(({ id }) => id);
const names = {
  'properties/suites/items': suites,
  'properties/checks/items': ids,
  'properties/stages/propertyNames': ['*', ...suites, ...ids],
};
const workload = '{kind: Deployment, namespace: shop, name: cart, minReplicas: 1}';

describe('the JSON Schema of the configuration', () => {
  it('is published as it is', async () => {
    const text = jsonSchemaOf(configSchema, names);
    if (process.env['UPDATE']) await writeFile(published, text);
    assert.equal(await readFile(published, 'utf8'), text, 'UPDATE=1 npm test writes it anew');
  });

  const isValid = new Ajv2020().compile(JSON.parse(jsonSchemaOf(configSchema, names)));
  const cases: readonly (readonly [string, boolean])[] = [
    ['{}', true],
    [
      '{timeout: 10m, stages: {"*": flake}, thresholds: {workloads: []}, owners: {a: {jiraComponent: A}}}',
      true,
    ],
    ['{kubeconfg: a}', false],
    ['{stages: {"*": enforc}}', false],
    ['{timeout: 10}', false],
    ...['abc', '0', '0s', '99999h', '577h', '1d', '10', ''].map(
      (text) => [`{timeout: "${text}"}`, false] as const,
    ),
    ...['90s', '1h30m', '1.5h', '250ms', '576h'].map(
      (text) => [`{timeout: ${text}}`, true] as const,
    ),
    ['{settleWait: "0"}', true],
    ['{settleWait: 0s}', true],
    ['{settleWait: 1d}', false],
    ['{suites: [probes], checks: [pdb-presence]}', true],
    ['{suites: [pdb-presence]}', false],
    ['{checks: [probes]}', false],
    ['{stages: {probes: flake, pdb-presence: observe}}', true],
    ['{stages: {prob: flake}}', false],
    [`{thresholds: {workloads: [${workload}]}}`, true],
    [`{thresholds: {workloads: [${workload}, ${workload}]}}`, false],
    ['{owners: {shop: {jiraComponent: "Sh]op"}}}', false],
    ['{junit: {suiteName: " "}}', false],
    ['{thresholds: {settle: -1}}', false],
    ['{criticalBudgets: [a]}', false],
  ];
  for (const [text, expected] of cases) {
    it(`${expected ? 'takes' : 'refuses'} ${text}`, () =>
      assert.equal(isValid(load(text)), expected));
  }

  it('is not written with names for a part that it has not', () => {
    assert.throws(() => jsonSchemaOf(configSchema, { 'properties/suits': [] }), {
      message: 'the schema has no part properties/suits',
    });
  });
});
