import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, it } from 'mocha';
import { checks } from '../checks/index.ts';
import type { Traced } from '../reports/catalog.ts';
import { renderCatalog } from '../reports/catalog.ts';
import { golden } from './golden.ts';

const root = join(import.meta.dirname, '..');
const traced = load(
  readFileSync(join(root, 'checks/traceability.yaml'), 'utf8'),
) as readonly Traced[];
const specification = join(root, '../shared/spec/checks.md');

describe('CATALOG.md', () => {
  it('is written from what the checks say of themselves', () =>
    golden('CATALOG.md', renderCatalog(checks, traced), '.'));

  it('leads every question that others ask to a check, or says why not', () => {
    const catalog = readFileSync(join(root, 'CATALOG.md'), 'utf8');
    assert.deepEqual(
      traced.map(({ row }) => row),
      Array.from({ length: 93 }, (_, index) => index + 1),
    );
    for (const { row, here = [], because } of traced) {
      assert.equal(here.length > 0, because === undefined, `row ${row}`);
      for (const id of here) assert.ok(catalog.includes(`### [${id}](`), `row ${row}: ${id}`);
    }
  });

  // The specification is not part of the repository.
  it('names each check of the specification, and the checks of its rows', function () {
    if (!existsSync(specification)) return this.skip();
    const text = readFileSync(specification, 'utf8');
    const specified = [...text.matchAll(/^#### `([a-z-]+)`$/gm)].map(([, id]) => id);
    const own = checks.filter(({ code }) => code === undefined).map(({ id }) => id);
    assert.deepEqual(own.toSorted(), specified.toSorted());
    const asked = traced.filter(({ here }) => here);
    const rows = new Map(asked.map((one) => [one.row, one.here ?? []]));
    for (const [, row = '', there = ''] of text.matchAll(/^\| (\d+) \| .* \| (.*) \|$/gm)) {
      const named = [...there.matchAll(/`([a-z]+(-[a-z]+)+)`/g)].map(([, id = '']) => id);
      const here = rows.get(Number(row)) ?? named;
      const missing = named.filter((id) => specified.includes(id) && !here.includes(id));
      assert.deepEqual(missing, [], `row ${row}`);
    }
  });
});
