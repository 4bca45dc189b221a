import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { load } from 'js-yaml';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { checks } from '../checks/index.ts';
import { jsonSchemaOf } from '../config/json-schema.ts';
import { badRecords, recordWith } from '../test/bad-records.ts';
import { loadExceptions } from './load.ts';
import { exceptionsSchema } from './schema.ts';
import type { ShippedExceptions } from './shipped.ts';
import { shippedExceptions } from './shipped.ts';

const published = new URL('../docs/schemas/exceptions.schema.json', import.meta.url);
const names = {
  'items/properties/check': checks.flatMap(({ code, id }) =>
    code === undefined ? id : [code, id],
  ),
};
const isValid = new Ajv2020({ formats: { date: true } }).compile(
  JSON.parse(jsonSchemaOf(exceptionsSchema, names)),
);

describe('the JSON Schema of exceptions', () => {
  it('is published as it is', async () => {
    const text = jsonSchemaOf(exceptionsSchema, names);
    if (process.env['UPDATE']) await writeFile(published, text);
    assert.equal(await readFile(published, 'utf8'), text, 'UPDATE=1 npm test writes it anew');
  });

  it('takes a good record, and no list of other things', () => {
    assert(isValid(load(recordWith({}))), JSON.stringify(isValid.errors));
    assert(isValid(load(recordWith({ state: 'permanent', approver: 'me' }))));
    assert(!isValid([1]));
  });

  /** What takes arithmetic, or what a check is, is for the loader to say. */
  const beyond = /before addedOn|name no container/;
  for (const [changes, ...problems] of badRecords) {
    const [first = ''] = problems;
    if (beyond.test(first)) continue;
    it(`refuses what the loader refuses: ${first}`, () => {
      assert(!isValid(load(recordWith(changes))));
    });
  }

  const shipped: readonly ShippedExceptions[] = ['kubernetes', 'openshift', 'sandbox'];
  for (const platform of shipped) {
    it(`takes exceptions/${platform}.yaml, as the loader does`, async () => {
      const file = shippedExceptions(platform);
      const content = load(await readFile(file.path, 'utf8'));
      assert(isValid(content), JSON.stringify(isValid.errors));
      // That the checks exist is a matter of the registry, which nothing here knows.
      const named = z.array(z.looseObject({ check: z.string() })).parse(content);
      const checks = named.map(({ check }) => ({ id: check, suite: 'any' }));
      for (const { at, source, jira } of await loadExceptions([file], { checks })) {
        assert(at.startsWith(`exceptions/${platform}.yaml:`));
        // Keys of real trackers are the user's to name, the reserved project is the sandbox's.
        if (platform === 'sandbox') assert(jira?.startsWith('SANDBOX-') ?? source);
        else assert(source !== undefined && jira === undefined);
      }
    });
  }
});
