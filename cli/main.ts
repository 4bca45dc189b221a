/** The command line: finds the command, runs it, and turns what goes wrong into one message. */
import { KnownError } from '../core/errors.ts';
import type { Command } from './command.ts';
import { help, isHelpWanted } from './help.ts';
import { watchStreams } from './streams.ts';

/** Loaded one at a time: help must not wait for what a run needs. */
const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  run: () => import('./run.ts'),
  checks: () => import('./checks.ts'),
  explain: () => import('./explain.ts'),
  exceptions: () => import('./exceptions.ts'),
  completion: () => import('./completion.ts'),
};

/** The exit status. */
export async function main(args: readonly string[]): Promise<number> {
  return concluded(() => commanded(args));
}

/** The exit status of the work, once all that it printed is written. */
export async function concluded(work: () => Promise<number>): Promise<number> {
  const printed = watchStreams([process.stdout, process.stderr]);
  const status = await work().catch(fail);
  const failure = await printed.failure();
  if (failure === undefined) return status;
  const message = `standard output: cannot be written: ${failure.message}`;
  return fail(new KnownError('UNWRITABLE_OUTPUT', message));
}

async function commanded([name, ...rest]: readonly string[]): Promise<number> {
  if (name === '--version' || name === '-V') return version();
  if (name === undefined || isHelpWanted([name])) return print(help(...rest));
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) throw await unknownCommand(name);
  if (isHelpWanted(rest)) return print(help(name, ...rest));
  const { command } = await load();
  return command(rest);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

async function version(): Promise<number> {
  const { tool } = await import('./tool.ts');
  return print(`${tool.version}\n`);
}

async function unknownCommand(name: string): Promise<KnownError> {
  const { didYouMean } = await import('../config/nearest.ts');
  const hint = didYouMean(name, [...Object.keys(commands), '--help', '--version']);
  return new KnownError('USAGE', `unknown command "${name}"${hint}; see ha-compliance --help`);
}

/** What the user can do something about is one message; anything else keeps its stack. */
function fail(error: unknown): number {
  if (error instanceof KnownError) {
    process.stderr.write(`ha-compliance: ${error.message}\n`);
    return error.exitStatus;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`ha-compliance: unexpected: ${text}\n`);
  return 2;
}
