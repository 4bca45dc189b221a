/** npm start: the main job on a cluster of its own, or, with a target of the user's, ha-compliance run. */
import path from 'node:path';
import { isHelpWanted } from '../cli/help.ts';
import { concluded, main } from '../cli/main.ts';
import type { Ended } from '../cli/run.ts';
import { planOf, run } from '../cli/run.ts';
import { shippedExceptions } from '../exceptions/shipped.ts';
import { SandboxError } from '../sandbox/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { up } from '../sandbox/up.ts';

const targets = ['--from', '--kubeconfig', '--context'];
/** Reports name files as the user would. */
const near = (file: string) => path.relative(process.cwd(), file);
const recorded = near(path.join(import.meta.dirname, '..', 'sandbox', 'recorded', 'ha.ndjson.zst'));

const args = process.argv.slice(2);
const namesTarget = args.some((arg) => targets.some((t) => arg === t || arg.startsWith(`${t}=`)));
const isRun = namesTarget || isHelpWanted(args);
process.exit(isRun ? await main(['run', ...args]) : await concluded(demonstrate));

async function demonstrate(): Promise<number> {
  // A slip in the options should not cost the minutes that a first build takes.
  await planOf(argumentsFor(['--kubeconfig', 'of the cluster that comes']));
  const stop = new AbortController();
  let sandbox: Sandbox | undefined;
  try {
    sandbox = await start(stop);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    say('interrupted');
    return 2;
  }
  try {
    const target = sandbox ? ['--kubeconfig', sandbox.files.kubeconfig] : ['--from', recorded];
    const ended = await run(await planOf(argumentsFor(target)));
    return args.length > 0 || ended.status === 2 ? ended.status : conclude(ended);
  } finally {
    await sandbox?.down();
  }
}

function argumentsFor(target: readonly string[]): readonly string[] {
  return [...target, '--exceptions', near(shippedExceptions('sandbox').path), ...args];
}

/** Undefined where no sandbox can be had, as without Go or a module registry. */
async function start(stop: AbortController): Promise<Sandbox | undefined> {
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
function conclude({ report, status }: Ended): number {
  const { fail } = report.summary;
  say(
    `${fail} of ${report.results.length} results failed: ha-compliance run would have returned ${status}`,
  );
  return report.complete ? 0 : 2;
}

function say(text: string): void {
  process.stderr.write(`npm start: ${text}\n`);
}
