/** What the command line does: up, down and status. Each returns what is to be printed. */
import { fork } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { SandboxError } from './errors.ts';
import { type HoldOptions, type News, newsSchema } from './holder.ts';
import {
  ask,
  kubeconfigPath,
  logPath,
  readRecords,
  removeRecord,
  type SandboxRecord,
} from './records.ts';

/**
 * The sandbox lives in a process of its own, which outlives this one but, until it is up, ends with it.
 * `program` is the command line's own file, which is told to hold it.
 */
export async function start(options: HoldOptions, program: string): Promise<string> {
  const { name } = options;
  await forgetIfGone(name);
  const log = logPath(name);
  mkdirSync(dirname(log), { recursive: true });
  const output = openSync(log, 'a', 0o600);
  const holder = fork(program, ['hold', ...holdArguments(options)], {
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
  });
  closeSync(output);
  const news = await new Promise<News>((resolve) => {
    holder.on('message', (message) => {
      const news = newsSchema.parse(message);
      if (news.kind === 'progress') process.stderr.write(`sandbox: ${news.text}\n`);
      else resolve(news);
    });
    holder.once('exit', (code) =>
      resolve({ kind: 'failed', text: `ended with status ${code}; see ${log}` }),
    );
  });
  holder.unref();
  if (news.kind === 'failed') throw new SandboxError(`sandbox ${name}: ${news.text}`);
  return `sandbox ${name} is up at ${news.text}\nexport KUBECONFIG=${kubeconfigPath(name)}\n`;
}

function holdArguments({ name, topology, estate, openshift }: HoldOptions): readonly string[] {
  return [
    `--name=${name}`,
    `--topology=${topology}`,
    ...(estate === undefined ? [] : [`--estate=${estate}`]),
    ...(openshift ? ['--openshift'] : []),
  ];
}

/** Takes down one, or all. */
export async function stop(name: string | undefined): Promise<string> {
  const records = await chosen(name);
  if (name !== undefined && records.length === 0) {
    throw new SandboxError(`there is no sandbox ${name} in .sandbox of this directory`);
  }
  const lines = records.map(async (record) => {
    const answer = await ask(record, 'down');
    if (answer === undefined) await removeRecord(record.name);
    return `sandbox ${record.name} is down${answer ? '' : ' (it had ended before)'}\n`;
  });
  return (await Promise.all(lines)).join('');
}

/** A table; and whether there is anything in it that is up. */
export async function status(
  name: string | undefined,
): Promise<{ readonly text: string; readonly isUp: boolean }> {
  const rows = (await chosen(name)).map(async (record) => {
    const { state, server } = (await ask(record, 'status')) ?? { state: 'ended', server: '' };
    return [record.name, state, record.estate, record.topology, server || '-'];
  });
  const table = await Promise.all(rows);
  const isUp = table.some(([, state]) => state === 'up');
  if (table.length === 0) return { text: 'no sandbox was started from this directory\n', isUp };
  return { text: align([['NAME', 'STATE', 'ESTATE', 'TOPOLOGY', 'SERVER'], ...table]), isUp };
}

async function chosen(name: string | undefined): Promise<readonly SandboxRecord[]> {
  return (await readRecords()).filter((record) => name === undefined || record.name === name);
}

/** After a crash, or a restart of the machine, the record is all that is left. */
async function forgetIfGone(name: string): Promise<void> {
  for (const record of await chosen(name)) {
    if ((await ask(record, 'status')) === undefined) await removeRecord(name);
  }
}

function align(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  ');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}
