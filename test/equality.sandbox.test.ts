import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { zstdDecompressSync } from 'node:zlib';
import { after, before, describe, it } from 'mocha';
import type { Report, Result } from '../core/result.ts';
import { command } from './command.ts';
import { writeMustGather } from './must-gather.ts';
import { reportsIn } from './reports.ts';
import { sharedSandbox } from './shared-sandbox.ts';
import type { Workspace } from './workspace.ts';
import { workspace } from './workspace.ts';

for (const name of ['ha', 'openshift'] as const) {
  describe(`a live run on the estate ${name}`, function () {
    this.timeout(60_000);
    const sandbox = sharedSandbox(name);
    let space: Workspace;
    let live: Run;

    before(async () => {
      space = await workspace();
      // The estate is young; what a transient check leaves out for that is to be judged here.
      await space.write('ha-compliance.yaml', 'thresholds: { settle: 0 }\nscope: all\n');
      live = await judge('live', ...access(), '--settle-wait', '0', '--record', 'recorded.zst');
    });
    after(() => space?.remove());

    const access = () => ['--kubeconfig', sandbox().files.kubeconfig];

    async function judge(out: string, ...args: readonly string[]): Promise<Run> {
      const { status } = await command(['run', '--out', out, ...args], { cwd: space.path });
      const { report } = await reportsIn(space.at(out));
      return { report, status };
    }

    it('gives the same results as a run on the snapshot that it recorded', async () => {
      const recorded = await judge('recorded', '--from', 'recorded.zst');
      assertSame(recorded.report.results, live.report.results);
      assert.deepEqual(recorded.report.inventory, live.report.inventory);
      assert.deepEqual(recorded.report.coverage, live.report.coverage);
      assert.equal(recorded.status, live.status);
    });

    it('gives the same results as a run on a must-gather of the cluster', async () => {
      await writeMustGather(space.at('must-gather'), sandbox(), await takenAt());
      const gathered = await judge('gathered', '--from', 'must-gather');
      assert.equal(gathered.report.input.kind, 'must-gather');
      assertSame(gathered.report.results, live.report.results);
      assert.deepEqual(gathered.report.inventory, live.report.inventory);
      assert.equal(gathered.status, live.status);
    });

    it('gives the same results when it looks twice, transient findings apart', async () => {
      const twice = await judge('twice', ...access(), '--settle-wait', '1ms');
      const doubtful = new Set(live.report.results.filter(isDoubtful).map(({ id }) => id));
      assert.equal(doubtful.size > 0, name === 'ha');
      const lasting = ({ results }: Report) =>
        results.filter(({ id }) => !doubtful.has(id)).map(withoutAge);
      assertSame(lasting(twice.report), lasting(live.report));
      assert.deepEqual(twice.report.results.filter(isDoubtful), []);
    });

    async function takenAt(): Promise<string> {
      const text = zstdDecompressSync(await readFile(space.at('recorded.zst'))).toString();
      const header: { readonly takenAt: string } = JSON.parse(text.slice(0, text.indexOf('\n')));
      return header.takenAt;
    }
  });
}

interface Run {
  readonly report: Report;
  readonly status: number | null;
}

const isDoubtful = ({ findings }: Result) => findings.some(({ conclusive }) => !conclusive);

/** A minute may pass between two runs. */
const withoutAge = (result: Result): Result => ({
  ...result,
  findings: result.findings.map((finding) => ({
    ...finding,
    message: finding.message.replace(/\bfor \d+ min\b/, 'for some time'),
  })),
});

/** Byte for byte; the first result that differs is shown. */
function assertSame(found: readonly Result[], expected: readonly Result[]): void {
  for (const [i, result] of expected.entries()) assert.equal(textOf(found[i]), textOf(result));
  assert.equal(textOf(found), textOf(expected));
}

const textOf = (value: unknown) => JSON.stringify(value, null, 2);
