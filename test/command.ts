/** Runs the command as people do: a process with its own environment, streams and signals. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  /** Its home, too. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export const program = join(import.meta.dirname, '..', 'cli', 'ha-compliance.js');

export function start(args: readonly string[], options: CommandOptions) {
  return startNode([program, ...args], options);
}

export function command(args: readonly string[], options: CommandOptions): Promise<Ended> {
  return start(args, options).ended;
}

/** Runs any program of Node in the same way. */
export function execute(args: readonly string[], options: CommandOptions): Promise<Ended> {
  return startNode(args, options).ended;
}

export function startNode(args: readonly string[], options: CommandOptions) {
  const child = spawn(process.execPath, args, {
    cwd: options.cwd,
    env: environment(options),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {
    // It need not read what it is given.
  });
  child.stdin.end(options.input);
  return { child, ended: endOf(child, child.stdout, child.stderr) };
}

/** Nothing of whoever runs the tests, their coverage included: modules have tests of their own. */
export function environment({ cwd, env }: CommandOptions): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: cwd, ...env };
}

async function endOf(
  child: ChildProcess,
  out: NodeJS.ReadableStream,
  err: NodeJS.ReadableStream,
): Promise<Ended> {
  const closed = new Promise<Pick<Ended, 'status' | 'signal'>>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => resolve({ status, signal }));
  });
  const [stdout, stderr, end] = await Promise.all([text(out), text(err), closed]);
  return { ...end, stdout, stderr };
}
