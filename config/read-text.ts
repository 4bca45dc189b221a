/** Reads a text file that a person wrote, and no more of it than such a file can have. */
import { createReadStream } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';
import type { Checked } from './problems.ts';

/** A file with ten thousand exceptions is smaller; /dev/zero is not. */
const mebibytesAtMost = 4;
const bytesAtMost = mebibytesAtMost * 1024 * 1024;

/** `name` is what messages call the file. */
export async function readText(path: string, name: string): Promise<Checked<string>> {
  const failed = (text: string): Checked<string> => ({
    ok: false,
    problems: [{ file: name, text }],
  });
  let bytes: Buffer;
  try {
    bytes = await firstBytes(path, bytesAtMost + 1);
  } catch (error) {
    return failed(`cannot be read: ${reasonOf(error)}`);
  }
  if (bytes.length > bytesAtMost) return failed(`is larger than ${mebibytesAtMost} MiB`);
  try {
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return failed('is not UTF-8 text');
  }
}

/** The size that a file system tells is no bound: pipes and devices have none. */
async function firstBytes(path: string, count: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: count - 1 })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && 'errno' in error && typeof error.errno === 'number') {
    return getSystemErrorMessage(error.errno);
  }
  return String(error);
}
