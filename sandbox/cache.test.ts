import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { cached, cacheRoot } from './cache.ts';

describe('the cache', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'cache-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const fill = async (directory: string) => writeFileSync(join(directory, 'file'), 'content');

  it('fills a directory once for all who want it at the same time', async () => {
    let fills = 0;
    const count = async (directory: string) => {
      fills++;
      await fill(directory);
    };
    const paths = await Promise.all([1, 2, 3].map(() => cached('a', count, { root })));
    assert.deepEqual(new Set(paths), new Set([join(root, 'a')]));
    assert.equal(fills, 1);
    assert.deepEqual(readdirSync(root), ['a']);
  });

  it('leaves nothing behind when it cannot be filled', async () => {
    const fail = async () => {
      throw new Error('no registry');
    };
    await assert.rejects(cached('a', fail, { root }), /no registry/);
    assert.deepEqual(readdirSync(root), []);
  });

  it('takes over from a process that died while it was filling', async () => {
    writeFileSync(join(root, 'a.lock'), '');
    const past = new Date(Date.now() - 60_000);
    utimesSync(join(root, 'a.lock'), past, past);
    mkdirSync(join(root, 'a.building-xyz'));
    await cached('a', fill, { root });
    assert.deepEqual(readdirSync(root), ['a']);
    assert.ok(existsSync(join(root, 'a', 'file')));
  });

  it('waits for a process that is filling, and says so', async () => {
    const lines: string[] = [];
    const lock = join(root, 'a.lock');
    writeFileSync(lock, '');
    const waiting = cached('a', fill, {
      root,
      progress: (line) => {
        lines.push(line);
        rmSync(lock);
      },
    });
    await waiting;
    assert.match(lines.join(), /waiting for another process/);
  });

  it('is where the platform wants it', () => {
    assert.equal(cacheRoot({ XDG_CACHE_HOME: '/c' }), '/c/ha-compliance');
    assert.match(cacheRoot({}, 'linux'), /\/\.cache\/ha-compliance$/);
    assert.match(cacheRoot({}, 'darwin'), /\/Library\/Caches\/ha-compliance$/);
  });
});
