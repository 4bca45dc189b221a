/** npm start: the main job on a cluster of its own, or, with a target of the user's, ha-compliance run. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { main } from '../cli/main.ts';
import { shippedExceptions } from '../exceptions/shipped.ts';
import { exitStatus } from '../reports/exit-status.ts';
import { parseReport } from '../reports/schema.ts';
import { SandboxError } from '../sandbox/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { up } from '../sandbox/up.ts';

const targets = ['--from', '--kubeconfig', '--context'];
/** Reports name files as the user would. */
const near = (file: string) => path.relative(process.cwd(), file);
const recorded = near(path.join(import.meta.dirname, '..', 'sandbox', 'recorded', 'ha.ndjson.zst'));

const args = process.argv.slice(2);
const namesTarget = args.some((arg) => targets.some((t) => arg === t || arg.startsWith(`${t}=`)));
process.exitCode = namesTarget ? await main(['run', ...args]) : await demonstrate();

async function demonstrate(): Promise<number> {
  const sandbox = await start();
  try {
    const target = sandbox ? ['--kubeconfig', sandbox.files.kubeconfig] : ['--from', recorded];
    const exceptions = ['--exceptions', near(shippedExceptions('sandbox').path)];
    const status = await main(['run', ...target, ...exceptions, ...args]);
    return args.length > 0 || status === 2 ? status : await conclude();
  } finally {
    await sandbox?.down();
  }
}

/** Undefined where no sandbox can be had, as without Go or a module registry. */
async function start(): Promise<Sandbox | undefined> {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    say('starting a cluster of its own: control plane, nodes, and an estate of several teams');
    return await up({ estate: 'ha', topology: 'ha', signal: stop.signal, progress: say });
  } catch (error) {
    if (!(error instanceof SandboxError) || stop.signal.aborted) throw error;
    say(`no cluster of its own can be had here: ${error.message}`);
    say('this is the recorded state of one');
    return undefined;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** A demonstration succeeds when it ran to its end; what a job would have been told is said. */
async function conclude(): Promise<number> {
  const out = process.env['ARTIFACT_DIR'] || 'ha-compliance-results';
  const report = parseReport(await readFile(path.join(out, 'report.json'), 'utf8'));
  const { fail } = report.summary;
  say(
    `${fail} of ${report.results.length} results failed: ha-compliance run would have returned ${exitStatus(report)}`,
  );
  return report.complete ? 0 : 2;
}

function say(text: string): void {
  process.stderr.write(`npm start: ${text}\n`);
}
