import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { findGiven } from './binaries.ts';
import { pinnedVersion, programsName } from './modules.ts';

describe('binaries', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'binaries-'));
    for (const folder of ['assets', 'path']) mkdirSync(join(root, folder));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const program = (path: string, mode = 0o755) => writeFileSync(join(root, path), '', { mode });
  const env = () => ({ KUBEBUILDER_ASSETS: join(root, 'assets'), PATH: `:${join(root, 'path')}` });

  it('takes a program from KUBEBUILDER_ASSETS before one on PATH', async () => {
    program('assets/etcd');
    program('path/etcd');
    assert.equal(await findGiven('etcd', env()), join(root, 'assets', 'etcd'));
  });

  it('takes a program on PATH that KUBEBUILDER_ASSETS lacks', async () => {
    program('path/etcd');
    assert.equal(await findGiven('etcd', env()), join(root, 'path', 'etcd'));
  });

  it('takes neither a file that cannot be run nor a directory', async () => {
    program('assets/etcd', 0o644);
    mkdirSync(join(root, 'path', 'etcd'));
    assert.equal(await findGiven('etcd', env()), undefined);
  });

  it('names a build differently when a module file or the recipe changes', () => {
    const module = { folder: 'etcd', path: 'e', programs: { etcd: 'e' } };
    const names = [
      programsName(module, ['go.mod', 'go.sum']),
      programsName(module, ['go.mod', 'go.sum changed']),
      programsName(module, ['go.mod changed', 'go.sum']),
      programsName({ ...module, variables: () => ['version=1'] }, ['go.mod', 'go.sum']),
    ];
    assert.equal(new Set(names).size, names.length);
  });

  it('reads the pinned version from go.mod', () => {
    assert.equal(pinnedVersion('module m\n\nrequire a.io/b v1.2.3\n', 'a.io/b'), 'v1.2.3');
    assert.equal(pinnedVersion('require (\n\ta.io/b v1.2.3 // indirect\n)\n', 'a.io/b'), 'v1.2.3');
    assert.throws(
      () => pinnedVersion('require a.io/b/v2 v2.0.0\n', 'a.io/b'),
      /no version of a.io\/b/,
    );
  });
});
