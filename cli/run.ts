/** ha-compliance run: reads, judges through the suites, writes the reports, prints what was asked for. */
import { setFlagsFromString } from 'node:v8';

import { writeSnapshot } from '../cluster/record.ts';
import type { Config } from '../config/schema.ts';
import { KnownError } from '../core/errors.ts';
import type { Report } from '../core/result.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { exitStatus } from '../reports/exit-status.ts';
import { configuration } from '../suites/configuration.ts';
import { prepare } from '../suites/context.ts';
import { provide, release } from '../suites/current.ts';
import { reportOf } from '../suites/report.ts';
import { selectChecks } from '../suites/select.ts';
import type { Settings } from '../suites/settings.ts';
import { settingsOf } from '../suites/settings.ts';
import { allChecks } from '../suites/user-checks.ts';
import type { Command } from './command.ts';
import { interruption } from './interruption.ts';
import { runSuites } from './mocha.ts';
import { parse, runOptions } from './options.ts';
import { render } from './output.ts';
import { progress } from './progress.ts';
import { configOf } from './run-config.ts';
import { tool } from './tool.ts';
import { prepareOut, prepareRecord, writeReports } from './write.ts';

// Where new objects are made would grow from 16 to 128 MB, nearly all of it garbage at any time, and the
// rest to a multiple of what is in use. V8 reads these two flags whenever it is about to grow; those for
// the sizes themselves it reads at its start only.
const keepsMemorySmall = ['--semi-space-growth-factor=1', '--heap-growing-percent=40'];

/** What a run is told to do, checked as far as nothing has to be read for it. */
export interface Plan {
  readonly config: Config;
  readonly settings: Settings;
  readonly out: string;
}

/** How a run ended: what it found, and what it tells by its status. */
export interface Ended {
  readonly report: Report;
  readonly status: number;
}

export const command: Command = async (args) => (await run(await planOf(args))).status;

/** Throws KnownError where the options or the configuration are wrong; touches nothing. */
export async function planOf(args: readonly string[]): Promise<Plan> {
  const { env } = process;
  const { values, positionals } = await parse(args, runOptions);
  const file = await configuration({ path: values.config, env, cwd: process.cwd() });
  const config = await configOf(values, positionals, file);
  const settings = settingsOf(config);
  // For the names in them: a slip is told before anything is touched.
  selectChecks(await allChecks(settings.checkFolders), settings);
  const out = config.out ?? (env['ARTIFACT_DIR'] || 'ha-compliance-results');
  return { config, settings, out };
}

export async function run({ config, settings, out }: Plan): Promise<Ended> {
  for (const flag of keepsMemorySmall) setFlagsFromString(flag);
  const startedAt = new Date();
  // What cannot be written should be known before minutes of reading.
  await prepareOut(out);
  if (settings.record !== undefined) await prepareRecord(settings.record, settings.from);
  const stop = interruption(settings.timeout);
  const line = progress(process.stderr, config.quiet === true);
  const { signal } = stop;
  try {
    const { report, unrecorded } = await judged(settings, { startedAt, signal, line });
    const files = await writeReports(out, report, { suiteName: settings.suiteName });
    line.clear();
    render(report, { format: config.format ?? 'terminal', quiet: config.quiet === true, files });
    if (unrecorded) process.stderr.write(`ha-compliance: ${unrecorded.message}\n`);
    const status = unrecorded?.exitStatus ?? exitStatus(report);
    return { report, status: config.exitZero ? 0 : status };
  } finally {
    line.clear();
    stop.done();
  }
}

interface Judging {
  readonly startedAt: Date;
  readonly signal: AbortSignal;
  readonly line: ReturnType<typeof progress>;
}

async function judged(settings: Settings, { startedAt, signal, line }: Judging) {
  const context = await prepare(settings, {
    env: process.env,
    signal,
    now: startedAt,
    onProgress: line.show,
    onNotice: line.say,
  });
  const unrecorded = await recordingFailure(settings.record, context.snapshot);
  provide(context);
  line.show(`evaluating ${context.cases.length} results`);
  const results = await runSuites(context);
  release();
  await context.close();
  const interrupted = signal.aborted;
  const finishedAt = new Date();
  const report = reportOf(context, results, { tool, startedAt, finishedAt, interrupted });
  return { report, unrecorded };
}

/** What was read is judged all the same: it may not be had again. */
async function recordingFailure(
  file: string | undefined,
  snapshot: Snapshot,
): Promise<KnownError | undefined> {
  if (file === undefined) return undefined;
  try {
    await writeSnapshot(file, snapshot, { tool: `${tool.name} ${tool.version}` });
    return undefined;
  } catch (error) {
    if (error instanceof KnownError) return error;
    throw error;
  }
}
