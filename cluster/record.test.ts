import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { errorCauses } from '../core/errors.ts';
import type { Kind } from '../core/kinds.ts';
import { kindNames, kinds } from '../core/kinds.ts';
import { readObject } from '../core/read.ts';
import type { Field, Shape } from '../core/shape.ts';
import type { Listing, Listings, Snapshot } from '../core/snapshot.ts';
import { listing, missing, objectsOf } from '../core/snapshot.ts';
import { members, tar, zip } from '../test/packing.ts';
import { workspace } from '../test/workspace.ts';
import { readRecording } from './archive/index.ts';
import { writeSnapshot } from './record.ts';

const tool = 'ha-compliance 0.1.0';
const options = { kinds: kindNames };
const fixture = join(import.meta.dirname, 'archive/fixtures/must-gather');

/** Anything that the shape of a kind lets through. */
function matching(shape: Shape): fc.Arbitrary<Record<string, unknown>> {
  const fields: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, field] of Object.entries(shape)) fields[name] = anyValue(field);
  return fc.record(fields, { requiredKeys: [], noNullPrototype: true });
}

function anyValue(field: Field): fc.Arbitrary<unknown> {
  switch (field.type) {
    case 'text':
    case 'time':
      return fc.string();
    case 'int':
    case 'optionalInt':
      return fc.maxSafeInteger();
    case 'bool':
    case 'optionalBool':
    case 'presence':
      return fc.boolean();
    case 'intOrString':
      return fc.oneof(fc.maxSafeInteger(), fc.string());
    case 'texts':
      return fc.array(fc.string(), { maxLength: 3 });
    case 'textMap':
    case 'timeMap':
    case 'quantityMap':
      return fc.dictionary(fc.string(), fc.string(), { maxKeys: 3, noNullPrototype: true });
    case 'list':
      return fc.array(matching(field.shape), { maxLength: 2 });
    case 'object':
      return matching(field.shape);
    case 'inline':
      return fc.constant(undefined);
    default:
      return field satisfies never;
  }
}

const plain = { noNullPrototype: true } as const;
const type = { apiVersion: 'v1', kind: 'Thing' };
const named = (kind: Kind) =>
  fc.tuple(matching(kinds[kind].shape), fc.string({ minLength: 1 })).map(([raw, name]) =>
    // Every shape has metadata.
    readObject(kind, { ...raw, metadata: { ...(raw['metadata'] as object), name } }, type),
  );
const reason = { cause: fc.constantFrom(...errorCauses), detail: fc.string() };
const gap = fc.record(
  { namespace: fc.string(), ...reason },
  { requiredKeys: ['cause', 'detail'], noNullPrototype: true },
);
const anyListing = (kind: Kind): fc.Arbitrary<Listing> =>
  fc.oneof(
    fc.record(
      {
        state: fc.constant('read' as const),
        objects: fc.array(named(kind), { maxLength: 1 }),
        gaps: fc.array(gap, { maxLength: 2 }),
      },
      plain,
    ),
    fc.record({ state: fc.constantFrom('not served' as const, 'unknown' as const) }, plain),
    fc.record({ state: fc.constant('missing' as const), ...reason }, plain),
  );
const snapshots: fc.Arbitrary<Snapshot> = fc.record(
  {
    input: fc.record(
      {
        kind: fc.constantFrom('snapshot' as const, 'must-gather' as const, 'manifests' as const),
        name: fc.string(),
      },
      plain,
    ),
    takenAt: fc.string(),
    serverVersion: fc.string(),
    listings: fc.record(
      Object.fromEntries(kindNames.map((kind) => [kind, anyListing(kind)])),
      plain,
    ) as fc.Arbitrary<Listings>, // each kind with its own
    complete: fc.boolean(),
  },
  { requiredKeys: ['input', 'listings', 'complete'], noNullPrototype: true },
);

async function recorded() {
  const space = await workspace();
  const snapshot = await readRecording([fixture], options);
  const path = join(space.path, 'in.ndjson');
  await writeSnapshot(path, snapshot, { tool });
  return { space, snapshot, path, text: await readFile(path, 'utf8') };
}

describe('a recorded snapshot', () => {
  it('is read back as it was, whatever it holds', async () => {
    await using space = await workspace();
    await fc.assert(
      fc.asyncProperty(
        snapshots,
        fc.constantFrom('a.ndjson', 'a.ndjson.gz', 'a.ndjson.zst'),
        async (snapshot, name) => {
          const path = join(space.path, name);
          await writeSnapshot(path, snapshot, { tool });
          assert.deepEqual(await readRecording([path], { kinds: kindNames }), snapshot);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is compressed as its name says', async () => {
    await using space = await workspace();
    const snapshot = await readRecording([fixture], options);
    const unpack = { zst: zstdDecompressSync, gz: gunzipSync, ndjson: (bytes: Buffer) => bytes };
    for (const [ending, open] of Object.entries(unpack)) {
      const path = join(space.path, `a.${ending}`);
      await writeSnapshot(path, snapshot, { tool });
      const [header] = open(await readFile(path))
        .toString()
        .split('\n', 1);
      assert.match(header ?? '', /^\{"format":"ha-compliance snapshot","version":1,"tool":"ha-/);
    }
  });

  it('is found in a directory and in an archive, compressed or not', async () => {
    await using space = await workspace();
    const snapshot = await readRecording([fixture], options);
    for (const name of ['in.ndjson', 'in.ndjson.gz', 'deep/er/in.zst', 'only']) {
      const folder = space.at(`of ${name}`);
      await space.write(`of ${name}/${name}`, '');
      await writeSnapshot(join(folder, name), snapshot, { tool });
      const content = await readFile(join(folder, name));
      const beside = name === 'only' ? [] : members({ 'a.zst': 'other', 'notes.txt': 'mine' });
      for (const { path, content: text = '' } of beside) await writeFile(join(folder, path), text);
      const all = [...beside, { path: name, content }];
      const archives = {
        tar: await tar(all),
        tgz: gzipSync(await tar(all)),
        zip: zip(all),
      };
      assert.deepEqual(await readRecording([folder], options), snapshot);
      for (const [ending, bytes] of Object.entries(archives)) {
        const path = await space.write(`${name}.${ending}`, bytes);
        assert.deepEqual(await readRecording([path], options), snapshot, path);
      }
    }
  });

  it('of which a directory holds two is refused', async () => {
    await using space = await workspace();
    const snapshot = await readRecording([fixture], options);
    for (const name of ['a', 'b'])
      await writeSnapshot(space.at(`${name}.ndjson`), snapshot, { tool });
    await assert.rejects(readRecording([space.path], options), {
      code: 'UNREADABLE_INPUT',
      message: /a\.ndjson and .*b\.ndjson: of recorded snapshots only one can be read at a time$/,
    });
  });

  it('of a live cluster is live no more', async () => {
    const { space, snapshot, path } = await recorded();
    await using _ = space;
    const live = { ...snapshot, input: { kind: 'live', name: 'prod' } } as const;
    await writeSnapshot(path, live, { tool });
    const { input } = await readRecording([path], options);
    assert.deepEqual(input, { kind: 'snapshot', name: 'prod' });
  });

  it('gives the wanted kinds, and says which were not recorded', async () => {
    await using space = await workspace();
    const path = join(space.path, 'a.zst');
    const some = await readRecording([fixture], { kinds: ['namespaces', 'nodes'] });
    await writeSnapshot(path, some, { tool });
    const snapshot = await readRecording([path], { kinds: ['nodes', 'pods'] });
    assert.deepEqual(Object.keys(snapshot.listings), ['nodes', 'pods']);
    assert.equal(snapshot.complete, true);
    assert.deepEqual(listing(snapshot, 'pods'), {
      state: 'missing',
      cause: 'not collected',
      detail: 'were not recorded',
    });
  });

  it('that is cut short is incomplete, and of no kind empty', async () => {
    const { space, text, snapshot } = await recorded();
    await using _ = space;
    const kept = text.indexOf('["deployments"') + 20;
    for (const bytes of [Buffer.from(text.slice(0, kept)), cutGzip(text)]) {
      const cut = await readRecording([await space.write('cut', bytes)], options);
      assert.equal(cut.complete, false);
      assert.equal(missing(cut, 'lockMetadata', 'shop')?.cause, 'partial');
    }
    const cut = await readRecording([join(space.path, 'cut')], options);
    assert.deepEqual(listing(cut, 'leases'), listing(snapshot, 'leases'));
    const early = await readRecording([await space.write('early', text.slice(0, kept))], options);
    assert.deepEqual(listing(early, 'nodes'), listing(snapshot, 'nodes'));
    assert.equal(
      missing(early, 'pods', 'shop')?.detail,
      'are cut short: 0 of 2 are in the snapshot',
    );
  });

  it('that is damaged in the middle counts up to there', async () => {
    const { space, text } = await recorded();
    await using _ = space;
    const damaged = text.replace('["nodes",', '["nodes",,');
    const snapshot = await readRecording([await space.write('in', damaged)], options);
    assert.equal(snapshot.complete, false);
    assert.equal(objectsOf(snapshot, 'namespaces').length, 4);
    assert.equal(missing(snapshot, 'nodes')?.cause, 'partial');
    assert.equal(missing(snapshot, 'pods')?.cause, 'partial');
  });

  it('loses the namespace of an object that is malformed', async () => {
    const { space, text } = await recorded();
    await using _ = space;
    const odd = text.replace('"uid":"web-1"', '"uid":7');
    const snapshot = await readRecording([await space.write('in', odd)], options);
    assert.deepEqual(missing(snapshot, 'pods', 'shop'), {
      namespace: 'shop',
      cause: 'malformed',
      detail: 'cannot be read: metadata.uid: expected a string, found 7',
    });
    assert.equal(snapshot.complete, true);
  });

  it('of which other fields were kept does not pass for one without them', async () => {
    const { space, text } = await recorded();
    await using _ = space;
    const other = text.replace(/("pods":\{"state":"read","objects":2,"fields":")\w+/, '$1other');
    assert.notEqual(other, text);
    const snapshot = await readRecording([await space.write('in', other)], options);
    assert.deepEqual(listing(snapshot, 'pods'), {
      state: 'missing',
      cause: 'not collected',
      detail: 'were recorded by ha-compliance 0.1.0, which kept other fields of them',
    });
  });

  it('of a newer format is refused, and so is one without a whole header', async () => {
    const { space, text } = await recorded();
    await using _ = space;
    const refused = {
      newer: [
        text.replace('"version":1,"tool":"ha-compliance 0', '"version":2,"tool":"ha-compliance 9'),
        /newer: was recorded by ha-compliance 9\.1\.0 in format 2, and only formats up to 1 are understood/,
      ],
      odd: [
        text.replace('"complete":true', '"complete":7'),
        /odd:1:1 is no header of a snapshot: complete: /,
      ],
      short: [text.slice(0, 60), /short: is cut short in its first line$/],
    } as const;
    for (const [name, [content, message]] of Object.entries(refused)) {
      await assert.rejects(readRecording([await space.write(name, content)], options), {
        code: 'UNREADABLE_INPUT',
        message,
      });
    }
    const paths = [join(space.path, 'in.ndjson'), join(space.path, 'in.ndjson')];
    await assert.rejects(readRecording(paths, options), {
      code: 'UNREADABLE_INPUT',
      message: /of recorded snapshots only one can be read at a time$/,
    });
  });
});

describe('writeSnapshot', () => {
  it('leaves nothing behind when it cannot write or is stopped', async () => {
    const { space, snapshot } = await recorded();
    await using _ = space;
    const nowhere = join(space.path, 'no/such/folder.zst');
    await assert.rejects(writeSnapshot(nowhere, snapshot, { tool }), {
      code: 'UNWRITABLE_OUTPUT',
      message: /folder\.zst: the snapshot could not be written: ENOENT/,
    });
    const path = join(space.path, 'in.ndjson');
    const before = await readFile(path);
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(writeSnapshot(path, snapshot, { tool, signal }), { message: 'enough' });
    assert.deepEqual(await readFile(path), before);
    assert.deepEqual(await readdir(space.path), ['in.ndjson']);
  });

  it('writes the same snapshot byte for byte', async () => {
    const { space, snapshot, text } = await recorded();
    await using _ = space;
    await writeSnapshot(join(space.path, 'again'), snapshot, { tool });
    assert.equal(await readFile(join(space.path, 'again'), 'utf8'), text);
  });

  it('keeps nothing that could be secret', async () => {
    const { space, text } = await recorded();
    await using _ = space;
    assert.doesNotMatch(text, /private|password/);
  });
});

/** Cut where a part of the lines is gone. */
function cutGzip(text: string): Buffer {
  const bytes = gzipSync(text);
  return bytes.subarray(0, bytes.length - 200);
}
