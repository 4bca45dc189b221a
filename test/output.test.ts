import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import { command, environment, program } from './command.ts';
import { members, tar } from './packing.ts';
import { reportsIn } from './reports.ts';
import type { Workspace } from './workspace.ts';
import { workspace } from './workspace.ts';

const manifests = join(import.meta.dirname, '..', 'sandbox', 'estates', 'small');
const run = ['run', '--from', manifests];

describe('what a run prints and writes', () => {
  let space: Workspace;
  beforeEach(async () => {
    await space?.remove();
    space = await workspace();
  });
  after(() => space?.remove());

  const ha = (
    args: readonly string[],
    options: { env?: Record<string, string>; input?: string } = {},
  ) => command(args, { cwd: space.path, ...options });

  describe('on standard output', () => {
    it('is the summary, and nothing else anywhere', async () => {
      const { stdout, stderr } = await ha(run);
      assert.match(stdout, /^ha-compliance \d+\.\d+\.\d+\n/);
      assert.match(stdout, /\nFAIL: 1 fail, \d+ flake, 0 error, \d+ pass, \d+ skip\n$/);
      assert.equal(stderr, '');
    });

    it('is what stands in report.json', async () => {
      const { stdout, stderr } = await ha([...run, '--format', 'json', '--out', 'x']);
      assert.equal(stdout, await readFile(space.at('x/report.json'), 'utf8'));
      assert.equal(stderr, '');
    });

    it('is what stands in the JUnit file', async () => {
      const { stdout, stderr } = await ha([...run, '--format', 'junit', '--out', 'x']);
      assert.equal(stdout, (await reportsIn(space.at('x'))).junit);
      assert.equal(stderr, '');
    });

    it('is nothing with --quiet, unless a format is asked for', async () => {
      const { stdout, stderr } = await ha([...run, '--quiet']);
      assert.deepEqual([stdout, stderr], ['', '']);
      const asked = await ha([...run, '--quiet', '--format', 'json']);
      assert.equal(JSON.parse(asked.stdout).schemaVersion, 1);
    });

    it('may be left unread', async () => {
      const line = 'set -o pipefail; "$@" | head -c 1; echo " $?"';
      const { stdout, stderr } = shell(['bash', '-c', line, 'bash', ...words]);
      assert.deepEqual([stdout, stderr], ['{ 1\n', '']);
      assert.equal((await reportsIn(space.at('ha-compliance-results'))).report.complete, true);
    });

    it('makes a run fail, with one message, when it cannot be written', function () {
      if (!existsSync('/dev/full')) this.skip();
      const { status, stderr } = shell(['bash', '-c', '"$@" > /dev/full', 'bash', ...words]);
      assert.match(
        stderr,
        /^ha-compliance: standard output: cannot be written: ENOSPC: no space left on device.*\n$/,
      );
      assert.equal(status, 2);
    });

    it('is coloured on a terminal only, and there not against NO_COLOR', function () {
      const terminal = [
        'script',
        '-qec',
        `${[process.execPath, program, ...run].join(' ')}`,
        '/dev/null',
      ];
      const TERM = 'xterm-256color';
      const coloured = shell(terminal, { TERM });
      if (coloured.error) this.skip();
      assert.match(coloured.stdout, colour);
      assert.doesNotMatch(shell(terminal, { TERM, NO_COLOR: '1' }).stdout, colour);
      assert.doesNotMatch(shell([process.execPath, program, ...run], { TERM }).stdout, colour);
    });

    const colour = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]+m`);
    const words = [process.execPath, program, ...run, '--format', 'json'];
    const shell = ([name = '', ...args]: readonly string[], env = {}) =>
      spawnSync(name, args, {
        cwd: space.path,
        env: environment({ cwd: space.path, env }),
        encoding: 'utf8',
      });
  });

  describe('in its folder', () => {
    it('is a report and a JUnit file, in the folder that is named', async () => {
      await ha([...run, '--out', 'a/b']);
      assert.deepEqual((await readdir(space.at('a/b'))).toSorted(), ['junit', 'report.json']);
      const { report } = await reportsIn(space.at('a/b'));
      assert.equal(report.input.kind, 'manifests');
    });

    it("goes to a CI job's folder, which --out wins over", async () => {
      const env = { ARTIFACT_DIR: space.at('artifacts') };
      await ha(run, { env });
      await reportsIn(space.at('artifacts'));
      await ha([...run, '--out', 'mine'], { env: { ARTIFACT_DIR: space.at('none') } });
      await reportsIn(space.at('mine'));
      assert.equal(existsSync(space.at('none')), false);
    });

    it('goes to ha-compliance-results when nobody says where', async () => {
      await ha(run);
      await reportsIn(space.at('ha-compliance-results'));
    });

    it('takes the place of an older JUnit file, and of no other file', async () => {
      const older = 'junit_ha_compliance__20200101-000000.xml';
      await mkdir(space.at('x/junit'), { recursive: true });
      for (const name of [older, 'junit_other.xml'])
        await writeFile(space.at(`x/junit/${name}`), '');
      await ha([...run, '--out', 'x']);
      const left = await readdir(space.at('x/junit'));
      assert.equal(left.length, 2);
      assert.ok(left.includes('junit_other.xml') && !left.includes(older));
    });

    it('is written, too, when the recording in the end cannot be', async () => {
      // There is room for the name, but not for what is added to it until the file is whole.
      const record = `${'x'.repeat(240)}.ndjson`;
      const { status, stdout, stderr } = await ha([...run, '--out', 'x', '--record', record]);
      assert.match(stderr, /^ha-compliance: x+\.ndjson: the snapshot could not be written: .*\n$/);
      assert.match(stdout, /^FAIL: /m);
      assert.equal((await reportsIn(space.at('x'))).report.complete, true);
      assert.equal(status, 2);
    });

    it('is not touched for a slip in the options or in the configuration', async () => {
      await ha([...run, '--out', 'x']);
      const before = await reportsIn(space.at('x'));
      await space.write('bad.yaml', 'checks: [pdb]\n');
      for (const slip of [['--form'], ['--check', 'pdb'], ['--config', 'bad.yaml']]) {
        assert.equal((await ha([...run, '--out', 'x', ...slip])).status, 2);
        assert.deepEqual(await reportsIn(space.at('x')), before);
      }
    });

    it('is emptied of older reports, and of nothing else, when the job cannot be done', async () => {
      await ha([...run, '--out', 'x']);
      await space.write('x/mine.json', '');
      assert.equal((await ha(['run', '--from', 'missing', '--out', 'x'])).status, 2);
      assert.deepEqual((await readdir(space.at('x'))).toSorted(), ['junit', 'mine.json']);
      assert.deepEqual(await readdir(space.at('x/junit')), []);
    });
  });

  it('is the same for the same input, times apart', async () => {
    await ha([...run, '--out', 'first']);
    await ha([...run, '--out', 'second']);
    const [first, second] = [
      await reportsIn(space.at('first')),
      await reportsIn(space.at('second')),
    ];
    const times = { startedAt: '', finishedAt: '' };
    assert.equal(
      JSON.stringify({ ...second.report, ...times }),
      JSON.stringify({ ...first.report, ...times }),
    );
    const timeless = (junit: string) => junit.replace(/ (timestamp|time)="[^"]*"/g, '');
    assert.equal(timeless(second.junit), timeless(first.junit));
  });

  describe('from several recordings', () => {
    it('is about all of them as one', async () => {
      const files = ['kiosk.yaml', 'telemetry.yaml'].flatMap((name) => [
        '--from',
        join(manifests, name),
      ]);
      await ha([...run, '--out', 'folder']);
      await ha(['run', ...files, '--out', 'files']);
      const [folder, both] = [
        await reportsIn(space.at('folder')),
        await reportsIn(space.at('files')),
      ];
      assert.deepEqual(both.report.results, folder.report.results);
    });

    it('is the same from standard input', async () => {
      const input = await readFile(join(manifests, 'kiosk.yaml'), 'utf8');
      await ha(['run', '--from', join(manifests, 'kiosk.yaml'), '--out', 'file']);
      await ha(['run', '--from', '-', '--out', 'stdin'], { input });
      const [file, stdin] = [await reportsIn(space.at('file')), await reportsIn(space.at('stdin'))];
      assert.deepEqual(stdin.report.results, file.report.results);
      assert.deepEqual(stdin.report.input, { kind: 'manifests', name: 'stdin' });
    });
  });
});

describe('the exit status of a run', () => {
  let space: Workspace;
  before(async () => {
    space = await workspace();
  });
  after(() => space?.remove());

  const statuses: readonly (readonly [string, readonly string[], number])[] = [
    ['is 1 when something fails', [], 1],
    ['is 0 when nothing does', ['--suite', 'spread'], 0],
    ['is 0 when all that fails is lowered', ['--stage', 'flake'], 0],
    ['is 1 when a flake is raised', ['--check', 'replicas-sufficient', '--stage', 'enforce'], 1],
    ['is 0 with --exit-zero', ['--exit-zero'], 0],
    [
      'is 2 with --exit-zero, too, when there are no reports',
      ['--exit-zero', '--namespace', 'x'],
      2,
    ],
  ];
  it('is that of what was found where a recording was cut short', async () => {
    const names = ['kiosk.yaml', 'telemetry.yaml'];
    const files = names.map(async (path) => [path, await readFile(join(manifests, path), 'utf8')]);
    const whole = await tar(members(Object.fromEntries(await Promise.all(files))));
    await space.write('cut.tar', whole.subarray(0, whole.length - 2048));
    const cut = (...args: readonly string[]) =>
      command(['run', '--from', 'cut.tar', '--out', 'cut', ...args], { cwd: space.path });
    assert.equal((await cut()).status, 1);
    assert.equal((await cut('--stage', 'flake')).status, 0);
    const { report } = await reportsIn(space.at('cut'));
    assert.deepEqual([report.complete, report.interrupted], [false, undefined]);
    const causes = new Set(report.results.flatMap(({ cause = [] }) => cause));
    assert.deepEqual([...causes], ['partial']);
  });

  for (const [name, args, expected] of statuses) {
    it(name, async () => {
      const { status } = await command([...run, ...args], { cwd: space.path });
      assert.equal(status, expected);
    });
  }
});
