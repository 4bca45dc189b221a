import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, it } from 'mocha';
import { KnownError, MissingError } from '../../core/errors.ts';
import { members, tar, xz, zip } from '../../test/packing.ts';
import { workspace } from '../../test/workspace.ts';
import type { Access, Files } from './files.ts';
import { defaultLimits } from './limits.ts';
import { openFiles } from './open.ts';
import { text } from './text.ts';

const access = { limits: defaultLimits } satisfies Access;
const content = { 'a/one.yaml': 'one: 1\n', 'a/b/two.yaml': 'two: 2\n', 'a/empty.yaml': '' };
const big = { 'a/one.yaml': 'one: 1\n', 'a/two.log': 'x'.repeat(300_000), 'z.yaml': 'z: 26\n' };

async function contents(files: Files, wanted: (path: string) => boolean = () => true) {
  const read: Record<string, string> = {};
  for await (const file of files.read(wanted)) {
    read[file.path] = await text(file, defaultLimits.file).catch((error) => {
      if (!(error instanceof MissingError)) throw error;
      return `missing: ${error.missing}`;
    });
  }
  return read;
}

describe('openFiles', () => {
  const containers = {
    tar: async (files: typeof content) => tar(members(files)),
    'tar.gz': async (files: typeof content) => gzipSync(await tar(members(files))),
    'tar.xz': async (files: typeof content) => xz(await tar(members(files))),
    'tar.zst': async (files: typeof content) => zstdCompressSync(await tar(members(files))),
    zip: async (files: typeof content) => zip(members(files)),
  };
  for (const [name, make] of Object.entries(containers)) {
    it(`reads a ${name} whatever it is called`, async () => {
      await using space = await workspace();
      const files = await openFiles(await space.write('input', await make(content)), access);
      assert.deepEqual(files.paths, ['a/b/two.yaml', 'a/empty.yaml', 'a/one.yaml']);
      assert.deepEqual([...files.folders].sort(), ['a', 'a/b']);
      assert.equal(files.damage, undefined);
      assert.deepEqual(await contents(files), content);
      assert.deepEqual(await contents(files, (path) => path.endsWith('one.yaml')), {
        'a/one.yaml': 'one: 1\n',
      });
    });
  }

  it('reads a directory without following what links lead to', async () => {
    await using space = await workspace();
    await mkdir(join(space.path, 'in/sub/empty'), { recursive: true });
    await writeFile(join(space.path, 'secret.yaml'), 'secret: 1\n');
    await writeFile(join(space.path, 'in/sub/a.yaml'), 'a: 1\n');
    await symlink(join(space.path, 'secret.yaml'), join(space.path, 'in/link.yaml'));
    await symlink(space.path, join(space.path, 'in/sub/up'));
    const files = await openFiles(join(space.path, 'in'), access);
    assert.deepEqual(files.paths, ['sub/a.yaml']);
    assert.deepEqual([...files.folders].sort(), ['sub', 'sub/empty']);
    assert.deepEqual(await contents(files), { 'sub/a.yaml': 'a: 1\n' });
  });

  it('reads what a link leads to when the link is the input itself', async () => {
    await using space = await workspace();
    const target = await space.write('a.yaml', 'a: 1\n');
    await symlink(target, join(space.path, 'b.yaml'));
    const files = await openFiles(join(space.path, 'b.yaml'), access);
    assert.deepEqual(await contents(files), { 'b.yaml': 'a: 1\n' });
  });

  for (const [name, pack] of Object.entries({ gz: gzipSync, xz, zst: zstdCompressSync })) {
    it(`reads a plain file packed as ${name}`, async () => {
      await using space = await workspace();
      const path = await space.write(`a.yaml.${name}`, pack(Buffer.from('a: 1\n')));
      const files = await openFiles(path, access);
      assert.equal(files.form, 'file');
      assert.deepEqual(Object.values(await contents(files)), ['a: 1\n']);
    });
  }

  it('reads stdin, compressed or not, as often as needed', async () => {
    for (const bytes of [Buffer.from('a: 1\n'), gzipSync('a: 1\n')]) {
      const files = await openFiles('-', { ...access, stdin: Readable.from([bytes]) });
      assert.equal(files.name, 'stdin');
      assert.deepEqual(await contents(files), { stdin: 'a: 1\n' });
      assert.deepEqual(await contents(files), { stdin: 'a: 1\n' });
    }
  });

  it('says what it cannot open', async () => {
    await using space = await workspace();
    const binary = await space.write('binary', Buffer.from([1, 2, 0, 3]));
    const torn = await space.write('torn.xz', xz(Buffer.from('a: 1\n')).subarray(0, 20));
    const cut = await space.write('cut.zip', zip(members(content)).subarray(0, 100));
    const refused = {
      [join(space.path, 'nothing')]: /nothing: no such file or directory$/,
      [binary]: /binary: is neither text nor an archive that can be read$/,
      [torn]: /torn\.xz: unexpected end of file$/,
      [cut]: /cut\.zip: .*end of central directory/i,
      '-': /-: there is no standard input$/,
    };
    for (const [path, message] of Object.entries(refused)) {
      await assert.rejects(openFiles(path, access), { code: 'UNREADABLE_INPUT', message });
    }
  });

  it('stops at a signal', async () => {
    await using space = await workspace();
    const path = await space.write('in.tar', await tar(members(content)));
    const gone = { ...access, signal: AbortSignal.abort(new Error('enough')) };
    await assert.rejects(openFiles(path, gone), { message: 'enough' });
    await assert.rejects(openFiles(space.path, gone), { message: 'enough' });
    const endless = new Readable({ read() {} });
    const signal = AbortSignal.timeout(10);
    await assert.rejects(openFiles('-', { ...access, signal, stdin: endless }));
  });
});

describe('a damaged archive', () => {
  const whole = async () => tar(members(big));
  const cuts = {
    'cut tar': async () => (await whole()).subarray(0, 100_000),
    'cut tar.gz': async () => {
      const noise = { ...big, 'a/two.log': noiseOf(300_000) };
      return gzipSync(await tar(members(noise))).subarray(0, 100_000);
    },
    'cut tar.xz': async () => xz(await whole()).subarray(0, 100_000),
    'tar with a broken header': async () => {
      const bytes = await whole();
      bytes.fill(0xff, 512 + 512 + 512 + 300_032, 512 + 512 + 512 + 300_032 + 512);
      return bytes;
    },
  };
  for (const [name, make] of Object.entries(cuts)) {
    it(`gives what it holds before its damage: ${name}`, async () => {
      await using space = await workspace();
      const files = await openFiles(await space.write('in', await make()), access);
      assert.match(files.damage ?? '', /in.*: (unexpected end|invalid tar header)/);
      assert.ok(!files.paths.includes('z.yaml'));
      const read = await contents(files);
      assert.equal(read['a/one.yaml'], 'one: 1\n');
      if (name.startsWith('cut')) assert.equal(read['a/two.log'], 'missing: partial');
    });
  }

  it('says that of several zstd frames only the first is read', async () => {
    await using space = await workspace();
    const frames = Buffer.concat([zstdCompressSync('a: 1\n'), zstdCompressSync('b: 1\n')]);
    const files = await openFiles(await space.write('in', frames), access);
    assert.deepEqual(await contents(files), { in: 'missing: partial' });
  });
});

describe('a hostile archive', () => {
  const hostile = [
    { path: '../../outside.yaml', content: 'x' },
    { path: '/etc/absolute.yaml', content: 'x' },
    { path: 'a/../../b.yaml', content: 'x' },
    { path: 'C:/windows.yaml', content: 'x' },
    { path: 'link.yaml', type: 'symlink', target: '/etc/passwd' },
    { path: './a/./fine.yaml', content: 'fine' },
  ] as const;

  it('cannot name a path outside itself or a link: tar', async () => {
    await using space = await workspace();
    const hard = { path: 'hard.yaml', type: 'link', target: '/etc/passwd' } as const;
    const device = { path: 'device', type: 'character-device' } as const;
    const archive = await tar([...hostile, hard, device]);
    const files = await openFiles(await space.write('in.tar', archive), access);
    assert.deepEqual(await contents(files), { 'a/fine.yaml': 'fine' });
  });

  it('cannot name a path outside itself or a link: zip', async () => {
    await using space = await workspace();
    const files = await openFiles(await space.write('in.zip', zip(hostile)), access);
    assert.deepEqual(await contents(files), { 'a/fine.yaml': 'fine' });
  });

  it('cannot unpack to more than is allowed', async () => {
    await using space = await workspace();
    const bomb = await tar([{ path: 'bomb.yaml', content: Buffer.alloc(3_000_000) }]);
    const limits = { ...defaultLimits, unpacked: 2_000_000, file: 2_000_000 };
    for (const bytes of [bomb, gzipSync(bomb), xz(bomb), zstdCompressSync(bomb)]) {
      await assert.rejects(openFiles(await space.write('bomb', bytes), { limits }), {
        code: 'UNREADABLE_INPUT',
        message: /bomb: unpacks to more than 1 MiB$/,
      });
    }
    const zipped = zip([{ path: 'bomb.yaml', content: Buffer.alloc(3_000_000) }]);
    const files = await openFiles(await space.write('bomb.zip', zipped), { limits });
    await assert.rejects(contents(files), KnownError);
  });

  it('cannot hold more entries than are allowed', async () => {
    await using space = await workspace();
    const many = Array.from({ length: 30 }, (_, i) => ({ path: `${i}.yaml`, content: '' }));
    const limits = { ...defaultLimits, entries: 20 };
    for (const bytes of [await tar(many), zip(many)]) {
      await assert.rejects(openFiles(await space.write('many', bytes), { limits }), {
        message: /many: holds more than 20 files$/,
      });
    }
  });

  it('cannot hide a bomb in a gzipped member', async () => {
    await using space = await workspace();
    const inner = gzipSync(Buffer.alloc(3_000_000));
    const path = await space.write('in.tar', await tar([{ path: 'a.json.gz', content: inner }]));
    const files = await openFiles(path, access);
    for await (const file of files.read(() => true)) {
      await assert.rejects(text(file, 2_000_000), /a\.json\.gz: unpacks to more than 1 MiB/);
    }
  });
});

describe('a directory that changes while it is read', () => {
  it('misses the file that is gone, and the one that has become a link', async () => {
    await using space = await workspace();
    const secret = await space.write('secret.yaml', 'secret: 1\n');
    const paths = [await space.write('a.yaml', 'a: 1\n'), await space.write('b.yaml', 'b: 1\n')];
    const files = await openFiles(space.path, access);
    for (const path of paths) await rm(path);
    await symlink(secret, join(space.path, 'b.yaml'));
    assert.deepEqual(await contents(files, (path) => path !== 'secret.yaml'), {
      'a.yaml': 'missing: not collected',
      'b.yaml': 'missing: not collected',
    });
  });
});

/** Text that does not compress. */
function noiseOf(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48271) % 2147483647;
    return String.fromCharCode(32 + (state % 95));
  }).join('');
}
