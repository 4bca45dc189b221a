/** A directory that does not outlive this process, however it ends. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { lifeline } from './processes.ts';

/** Waits as the guard of a process does; repeats, since programs that end at the same moment may still write. */
const script = `
trap '' HUP INT QUIT TERM
read -r _ <&3 && exit 0
for _ in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf "$1"
  sleep 0.1
  [ -e "$1" ] || break
done
`;

export interface GuardedDirectory {
  readonly path: string;
  remove(): Promise<void>;
}

export function makeGuardedDirectory(path: string): GuardedDirectory {
  const cleaner = spawn('/bin/sh', ['-c', script, 'sh', path], {
    detached: true,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const line = lifeline(cleaner);
  const closed = new Promise<void>((resolve) => {
    cleaner.once('close', () => resolve());
    cleaner.once('error', () => resolve());
  });
  mkdirSync(path, { mode: 0o700 });
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
      line.end('\n');
      await closed;
    },
  };
}
