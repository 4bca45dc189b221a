/** The process that holds a sandbox which a person has started, until it is told to let go. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { makeGuardedDirectory } from './directory.ts';
import { messageOf } from './errors.ts';
import type { EstateName } from './estates.ts';
import { type Answer, kubeconfigPath, removeRecord, writeRecord } from './records.ts';
import type { Sandbox } from './sandbox.ts';
import type { TopologyName } from './topologies.ts';
import { up } from './up.ts';

export interface HoldOptions {
  readonly name: string;
  readonly topology: TopologyName;
  readonly estate?: EstateName;
  readonly openshift: boolean;
}

/** What the one who waits for the start is told: a line, the server's address, or why it failed. */
export const newsSchema = z.object({
  kind: z.enum(['progress', 'up', 'failed']),
  text: z.string(),
});
export type News = z.infer<typeof newsSchema>;

export async function hold(options: HoldOptions): Promise<void> {
  const { name, topology, estate = '-' } = options;
  const directory = makeGuardedDirectory(join(tmpdir(), `ha-sandbox-holder-${randomUUID()}`));
  const socket = join(directory.path, 'socket');
  const stop = new AbortController();
  let answer: Answer = { state: 'starting', server: '' };
  let sandbox: Sandbox | undefined;
  const stopped: Socket[] = [];
  const control = createServer((connection) => {
    connection.setEncoding('utf8').on('error', () => connection.destroy());
    connection.once('data', (order) => {
      if (String(order).trim() !== 'down') return void connection.end(JSON.stringify(answer));
      stopped.push(connection);
      stop.abort();
    });
  });
  await new Promise<void>((resolve) => control.listen(socket, resolve));
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  // Whoever waited for the start has given up.
  process.once('disconnect', () => answer.state === 'starting' && stop.abort());
  try {
    const startedAt = new Date().toISOString();
    await writeRecord({ name, pid: process.pid, socket, topology, estate, startedAt });
    try {
      const progress = (text: string) => tell({ kind: 'progress', text });
      sandbox = await up({ ...options, progress, signal: stop.signal });
      await writeFile(kubeconfigPath(name), sandbox.kubeconfig, { mode: 0o600 });
      answer = { state: 'up', server: sandbox.server };
      tell({ kind: 'up', text: sandbox.server });
      process.disconnect?.();
      await aborted(stop.signal);
    } finally {
      await sandbox?.down();
      await removeRecord(name);
    }
  } catch (error) {
    tell({ kind: 'failed', text: messageOf(error) });
  }
  for (const connection of stopped) connection.end(JSON.stringify({ state: 'down', server: '' }));
  control.close();
  await directory.remove();
  if (process.connected) process.disconnect();
}

function tell(news: News): void {
  if (process.connected) process.send?.(news);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}
