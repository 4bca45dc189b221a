import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { KnownError } from '../../core/errors.ts';
import { inventoryOf } from '../../core/inventory.ts';
import { kindNames } from '../../core/kinds.ts';
import { listing, missing, objectsOf } from '../../core/snapshot.ts';
import { members, tar, xz, zip } from '../../test/packing.ts';
import { workspace } from '../../test/workspace.ts';
import { writeSnapshot } from '../record.ts';
import { readRecording } from './index.ts';

const options = { kinds: kindNames };
const fixtures = join(import.meta.dirname, 'fixtures');
const shared = join(import.meta.dirname, '../../../shared/data');

/** Reads with a signal that comes when it is asked about for so many times. */
async function readUntil(times: number): Promise<'refused' | 'cut short' | 'complete'> {
  const stop = new AbortController();
  const { signal } = stop;
  let asked = 0;
  signal.throwIfAborted = () => {
    asked += 1;
    if (asked >= times) stop.abort(new Error('enough'));
    if (signal.aborted) throw signal.reason;
  };
  try {
    const paths = [join(fixtures, 'must-gather')];
    const snapshot = await readRecording(paths, { ...options, signal });
    if (!signal.aborted) return 'complete';
    assert.equal(snapshot.complete, false);
    assert.equal(missing(snapshot, 'pods', 'shop')?.cause, 'timeout');
    return 'cut short';
  } catch (error) {
    assert.equal(error, signal.reason);
    return 'refused';
  }
}

describe('readRecording', () => {
  it('refuses inputs of different formats, naming both', async () => {
    await assert.rejects(
      readRecording([join(fixtures, 'must-gather'), join(fixtures, 'manifests')], options),
      {
        code: 'UNREADABLE_INPUT',
        message:
          /must-gather \(must-gather\) and .*manifests \(manifests or dumped objects\) cannot be read as one input$/,
      },
    );
  });

  it('says what it understands when it understands nothing', async () => {
    await using space = await workspace();
    await space.write('notes.txt', 'nothing\n');
    await assert.rejects(readRecording([space.path], options), {
      code: 'UNREADABLE_INPUT',
      message:
        /: holds nothing of what can be read: gather-extra, must-gather, manifests or dumped objects, recorded snapshot$/,
    });
    await assert.rejects(readRecording([], options), { message: 'no recording is named' });
  });

  it('does not take a folder of manifests for an inspected tree', async () => {
    await using space = await workspace();
    await space.write(
      'namespaces/shop/web/deployment.yaml',
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n',
    );
    assert.equal((await readRecording([space.path], options)).input.kind, 'manifests');
  });

  it('stops at a signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    for (const name of ['must-gather', 'manifests', 'dump/nodes.yaml']) {
      await assert.rejects(readRecording([join(fixtures, name)], { ...options, signal }), {
        message: 'enough',
      });
    }
  });

  it('is never complete, nor empty of a kind, when a signal comes while it reads', async () => {
    const endings = new Set<string>();
    for (let at = 1; !endings.has('complete'); at++) {
      const ended = await readUntil(at);
      endings.add(ended);
    }
    assert.deepEqual([...endings].sort(), ['complete', 'cut short', 'refused']);
  });

  it('never reads more than its limits', async () => {
    const limits = { file: 100 };
    for (const name of ['must-gather', 'manifests', 'dump/nodes.yaml']) {
      await assert.rejects(readRecording([join(fixtures, name)], { ...options, limits }), {
        code: 'UNREADABLE_INPUT',
        message: /unpacks to more than 100 bytes$/,
      });
    }
  });
});

describe('a recording that was damaged in whatever way', () => {
  it('is read as far as possible or refused, and does no other harm', async () => {
    await using space = await workspace();
    const tree = join(fixtures, 'must-gather');
    const files: Record<string, string> = {};
    for (const entry of await readdir(tree, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) files[relative(tree, path)] = await readFile(path, 'utf8');
    }
    const archive = await tar(members(files));
    const recorded = join(space.path, 'recorded.zst');
    await writeSnapshot(recorded, await readRecording([tree], options), { tool: 'test' });
    const packed = [
      archive,
      gzipSync(archive),
      xz(archive),
      zstdCompressSync(archive),
      zip(members(files)),
      await readFile(recorded),
    ];
    const damage = fc.record({
      which: fc.nat(packed.length - 1),
      kept: fc.double({ min: 0, max: 1, noNaN: true }),
      bytes: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255))),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ which, kept, bytes }) => {
        const whole = packed[which] ?? archive;
        const damaged = Buffer.from(whole.subarray(0, Math.ceil(whole.length * kept)));
        for (const [at, byte] of bytes) damaged[Math.floor(damaged.length * at)] = byte;
        const path = await space.write('in', damaged);
        await readRecording([path], options).catch((error) => {
          if (!(error instanceof KnownError)) throw error;
        });
      }),
      { numRuns: 100 },
    );
  });

  it('does not keep other readings waiting', async () => {
    await using space = await workspace();
    const dump = await readFile(join(fixtures, 'dump/nodes.yaml'));
    const path = await space.write('in.xz', xz(dump));
    const cut = await space.write('cut.xz', xz(dump).subarray(0, 60));
    const all = await Promise.allSettled(
      [path, cut, path, cut, path].map((each) => readRecording([each], options)),
    );
    const states = all.map(({ status }) => status);
    assert.deepEqual(states, ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('the recordings of real clusters', () => {
  if (!existsSync(shared)) return;

  const figures = {
    aws: { namespaces: 57, podDisruptionBudgets: 8, deployments: 57, ones: 43, twos: 10, bare: 1 },
    metal: {
      namespaces: 67,
      podDisruptionBudgets: 10,
      deployments: 55,
      ones: 43,
      twos: 8,
      bare: 9,
    },
  };
  const containers = {
    aws: [133, 113, 110, 132],
    metal: [112, 95, 91, 111],
  };
  for (const name of ['aws', 'metal'] as const) {
    it(`give the known figures of ${name}`, async () => {
      const snapshot = await readRecording([join(shared, `must-gather-${name}.tar.xz`)], options);
      const { ones, twos, bare, ...expected } = figures[name];
      const [all, liveness, readiness, startup] = containers[name];
      assert.deepEqual(inventoryOf(snapshot), {
        ...expected,
        deploymentsByReplicas: { 1: ones, 2: twos, 3: 4 },
        containers: all,
        containersWithoutLiveness: liveness,
        containersWithoutReadiness: readiness,
        containersWithoutStartup: startup,
      });
      const pods = listing(snapshot, 'pods');
      assert.ok(pods.state === 'read');
      assert.equal(pods.gaps.length, bare);
      assert.equal(missing(snapshot, 'pods', 'openshift-operators')?.cause, 'not collected');
      assert.equal(missing(snapshot, 'apiServices')?.cause, 'partial');
      assert.equal(listing(snapshot, 'gatewayRoutes').state, 'not served');
      assert.match(snapshot.serverVersion ?? '', name === 'aws' ? /^v1\.21\./ : /^v1\.22\./);
      assert.match(snapshot.takenAt ?? '', /^2021-0[89]-\d\dT\d\d:\d\d:\d\dZ$/);
    });
  }

  it('give the kinds of dumped cluster states and nothing of the others', async () => {
    for (const state of ['4.14.1-paused-worker-pool', '4.16.0-compact', '4.16.0-single-node']) {
      const paths = ['co', 'cv', 'mcp', 'node'].map((name) =>
        join(shared, 'cluster-states', `${state}-${name}.yaml`),
      );
      const snapshot = await readRecording(paths, options);
      assert.equal(snapshot.input.kind, 'objects');
      assert.equal(objectsOf(snapshot, 'machineConfigPools').length, 2);
      assert.equal(missing(snapshot, 'pods')?.cause, 'not collected');
    }
  });
});
