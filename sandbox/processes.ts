/** Child processes that do not outlive this one, however it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Duplex } from 'node:stream';

interface Exit {
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
}

export interface Guarded {
  readonly child: ChildProcess;
  /** Resolves when nothing is left of the process. Never rejects: a program that is missing exits with 127. */
  readonly ended: Promise<Exit>;
  isRunning(): boolean;
  /** Ends the process and what it started, at once. */
  kill(): Promise<void>;
}

export interface SpawnOptions {
  readonly cwd?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Files 0, 1 and 2, as Node's spawn takes them. */
  readonly stdio: readonly ['ignore' | 'pipe', 'pipe' | number, 'pipe' | number];
}

/**
 * The shell starts a guard that waits for the end of file 3, a socket that only this process holds open,
 * and then becomes the program. No handler could do this: a SIGKILL of this process runs none, but closes
 * its files. A line on the socket means instead that the program has ended: its number may be taken by
 * another by now.
 */
const script = `
( trap '' HUP INT QUIT TERM; read -r _ <&3 || kill -KILL -$$ ) >/dev/null 2>&1 &
exec "$@" 3<&-
`;

export function spawnGuarded(command: readonly string[], options: SpawnOptions): Guarded {
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...command], {
    // A process group of its own: it can be ended as a whole, and Ctrl-C reaches only this process.
    detached: true,
    cwd: options.cwd ?? '/',
    env: options.env ?? process.env,
    stdio: [...options.stdio, 'pipe'],
  });
  const line = lifeline(child);
  let running = true;
  child.once('exit', () => {
    running = false;
    line.end('\n');
  });
  const ended = new Promise<Exit>((resolve) => {
    child.once('error', () => resolve({ code: 127, signal: undefined }));
    child.once('close', (code, signal) =>
      resolve({ code: code ?? undefined, signal: signal ?? undefined }),
    );
  });
  return {
    child,
    ended,
    isRunning: () => running,
    kill: async () => {
      if (running && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
}

/** A service whose stdout and stderr are appended to a file. */
export function startService(command: readonly string[], logFile: string): Guarded {
  const log = openSync(logFile, 'a', 0o600);
  try {
    return spawnGuarded(command, { stdio: ['ignore', log, log] });
  } finally {
    closeSync(log);
  }
}

/** Our end of a child's file 3. Read, so that its end is seen and the child counts as closed. */
export function lifeline(child: ChildProcess): Duplex {
  const line = child.stdio[3];
  if (!(line instanceof Duplex)) throw new Error('the child was started without a file 3');
  line.on('error', () => {
    // The other end may have gone first; the child's 'close' tells.
  });
  line.resume();
  return line;
}
