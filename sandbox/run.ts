/** Runs a program to its end and returns what it printed. */
import { createInterface } from 'node:readline';
import { SandboxError } from './errors.ts';
import { spawnGuarded } from './processes.ts';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onErrorLine?: (line: string) => void;
}

/** Resolves to stdout; a status other than 0 is an error that carries the last lines of stderr. */
export async function run(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const guarded = spawnGuarded([program, ...args], {
    cwd: options.cwd,
    env: options.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { stdin, stdout, stderr } = guarded.child;
  if (!stdin || !stdout || !stderr) throw new SandboxError(`${program} could not be started`);
  const chunks: Buffer[] = [];
  const lines: string[] = [];
  stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  createInterface({ input: stderr }).on('line', (line) => {
    lines.push(line);
    options.onErrorLine?.(line);
  });
  stdin.on('error', () => {
    // A program need not read what it is given.
  });
  stdin.end(options.input);
  const abort = () => void guarded.kill();
  options.signal?.addEventListener('abort', abort, { once: true });
  const { code, signal } = await guarded.ended;
  options.signal?.removeEventListener('abort', abort);
  options.signal?.throwIfAborted();
  if (code !== 0) {
    const status = code === 127 ? 'not found on PATH' : `status ${code ?? signal}`;
    throw new SandboxError(`${program}: ${status}\n${lines.slice(-20).join('\n')}`.trimEnd());
  }
  return Buffer.concat(chunks).toString('utf8');
}
