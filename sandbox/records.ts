/** The sandboxes that people have started from one directory: a record of each in its .sandbox/. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { SandboxError } from './errors.ts';

const recordSchema = z.object({
  name: z.string(),
  /** The process that holds the sandbox, and where it listens. */
  pid: z.number(),
  socket: z.string(),
  estate: z.string(),
  topology: z.string(),
  startedAt: z.string(),
});

export type SandboxRecord = z.infer<typeof recordSchema>;

/** What the process that holds a sandbox is told, and answers. */
export type Order = 'status' | 'down';
const answerSchema = z.object({ state: z.enum(['starting', 'up', 'down']), server: z.string() });
export type Answer = z.infer<typeof answerSchema>;

const folder = '.sandbox';

export function kubeconfigPath(name: string): string {
  return join(process.cwd(), folder, `${name}.kubeconfig`);
}

export function logPath(name: string): string {
  return join(process.cwd(), folder, `${name}.log`);
}

/** Fails when there is a record of that name: of two that start at once, one wins. */
export async function writeRecord(record: SandboxRecord): Promise<void> {
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(recordPath(record.name), JSON.stringify(record), { flag: 'wx' });
  } catch (error) {
    throw new SandboxError(`it is there already: take it down, or give another a --name`, {
      cause: error,
    });
  }
}

export async function readRecords(): Promise<readonly SandboxRecord[]> {
  const entries = await readdir(folder).catch(() => []);
  const files = entries.filter((entry) => entry.endsWith('.json')).sort();
  const read = files.map(async (file) =>
    recordSchema.parse(JSON.parse(await readFile(join(folder, file), 'utf8'))),
  );
  return Promise.all(read);
}

export async function removeRecord(name: string): Promise<void> {
  await Promise.all(
    [kubeconfigPath(name), logPath(name), recordPath(name)].map((path) =>
      rm(path, { force: true }),
    ),
  );
}

/** Resolves to nothing when nobody holds the sandbox any more. */
export async function ask(record: SandboxRecord, order: Order): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(record.socket, () => socket.write(`${order}\n`));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => resolve(undefined));
    socket.on('end', () => {
      socket.end();
      resolve(text === '' ? undefined : answerSchema.parse(JSON.parse(text)));
    });
  });
}

function recordPath(name: string): string {
  return join(folder, `${name}.json`);
}
