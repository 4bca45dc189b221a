import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { build } from '../scripts/build.ts';
import { execute } from './command.ts';
import { workspace } from './workspace.ts';

const root = path.join(import.meta.dirname, '..');

/** Where npm puts what whoever installs the package gets: nothing that is for development only. */
async function runtimePackages(): Promise<readonly string[]> {
  const lock = await readFile(path.join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { readonly packages: Record<string, { dev?: true }> };
  return Object.entries(packages).flatMap(([place, { dev }]) =>
    // What lies below another package comes with it.
    dev || place.lastIndexOf('node_modules/') !== 0 ? [] : [place],
  );
}

describe('the published package', () => {
  let folder: string;
  let program: string;

  before(async function () {
    this.timeout(60_000);
    folder = await mkdtemp(path.join(tmpdir(), 'package-'));
    const installed = path.join(folder, 'node_modules', 'ha-compliance');
    await mkdir(path.join(installed, 'cli'), { recursive: true });
    build(path.join(installed, 'dist'));
    for (const file of ['package.json', 'cli/ha-compliance.js']) {
      await cp(path.join(root, file), path.join(installed, file));
    }
    for (const place of await runtimePackages()) {
      await mkdir(path.join(folder, path.dirname(place)), { recursive: true });
      await symlink(path.join(root, place), path.join(folder, place));
    }
    program = path.join(installed, 'cli', 'ha-compliance.js');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('runs without the sources', async () => {
    const fixture = 'checks/disruption/pdb-allows-disruption/fixtures/manifests.yaml';
    const args = [program, 'run', '--from', path.join(root, fixture), '--out', folder];
    const { status, stderr } = await execute(args, { cwd: folder });
    assert.equal(stderr, '');
    assert.equal(status, 1);
  });

  it('has the recorded estate', () => {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const { stdout } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' });
    const [{ files }] = JSON.parse(stdout);
    const paths = files.map((file: { readonly path: string }) => file.path);
    assert.ok(paths.includes('sandbox/recorded/ha.ndjson.zst'), paths.join('\n'));
  });

  it('has its version, the pages of its checks and the shipped exceptions', async () => {
    const cwd = folder;
    const version = await execute([program, '--version'], { cwd });
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
    const page = await execute([program, 'checks', 'pdb-presence'], { cwd });
    assert.match(page.stdout, /## How to fix/);
    const lint = await execute([program, 'exceptions', 'lint'], { cwd });
    assert.match(lint.stdout, /^3 files, /);
  });
});

describe('a checkout below a folder that is called like node_modules', () => {
  it('runs its sources', async () => {
    await using space = await workspace();
    const name = 'my-node_modules/ha-compliance/cli/ha-compliance.js';
    const program = await space.write(
      name,
      await readFile(path.join(root, 'cli/ha-compliance.js')),
    );
    await space.write('my-node_modules/ha-compliance/package.json', '{"type": "module"}');
    const source = 'export const main = async (args: readonly string[]) => args.length;';
    await space.write('my-node_modules/ha-compliance/cli/main.ts', source);
    const { status, stderr } = await execute([program, 'one', 'two', 'three'], { cwd: space.path });
    assert.deepEqual([status, stderr], [3, '']);
  });
});
