import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { readText } from './read-text.ts';

describe('readText', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ha-compliance-'));
  });
  after(() => rm(folder, { recursive: true }));

  const read = (name: string) => readText(join(folder, name), name);
  const failed = (text: string) => ({ ok: false, problems: [{ file: 'f', text }] });

  it('reads UTF-8 without its byte order mark', async () => {
    await writeFile(join(folder, 'f'), '\uFEFFä: 1');
    assert.deepEqual(await read('f'), { ok: true, value: 'ä: 1' });
  });

  it('refuses what is not UTF-8', async () => {
    await writeFile(join(folder, 'f'), Buffer.from([0x61, 0xff]));
    assert.deepEqual(await read('f'), failed('is not UTF-8 text'));
  });

  it('says why a file cannot be read, without naming the machine', async () => {
    await rm(join(folder, 'f'), { force: true });
    assert.deepEqual(await read('f'), failed('cannot be read: no such file or directory'));
    assert.deepEqual(
      await readText(folder, 'f'),
      failed('cannot be read: illegal operation on a directory'),
    );
  });

  it('refuses a name that no file can have', async () => {
    const result = await readText('a\0b', 'f');
    assert(!result.ok && result.problems[0]?.text.startsWith('cannot be read: '));
  });

  it('reads no more than a file of ours can have', async () => {
    await writeFile(join(folder, 'f'), '');
    await truncate(join(folder, 'f'), 50_000_000);
    assert.deepEqual(await read('f'), failed('is larger than 4 MiB'));
  });

  it('does not trust the size of a device', async function () {
    if (process.platform === 'win32') this.skip();
    assert.deepEqual(await readText('/dev/zero', 'f'), failed('is larger than 4 MiB'));
  });
});
