/** The command line: finds the command, runs it, and turns what goes wrong into one message. */
import { KnownError } from '../core/errors.ts';
import type { Command } from './command.ts';
import { help, isHelpWanted } from './help.ts';

/** Loaded one at a time: help must not wait for what a run needs. */
const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  run: () => import('./run.ts'),
  checks: () => import('./checks.ts'),
  exceptions: () => import('./exceptions.ts'),
  completion: () => import('./completion.ts'),
};

/** The exit status. */
export async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  for (const stream of [process.stdout, process.stderr]) stream.on('error', demandReader);
  try {
    if (name === '--version' || name === '-V') return await version();
    if (name === undefined || isHelpWanted([name])) return print(help());
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!load) throw await unknownCommand(name);
    if (isHelpWanted(rest)) return print(help(name, rest));
    const { command } = await load();
    return await command(rest);
  } catch (error) {
    return fail(error);
  }
}

/** One that has seen enough, such as head, is no trouble of ours. */
function demandReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
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
