/** The content of a file that is parsed as a whole. */
import { gunzipSync } from 'node:zlib';
import { MissingError } from '../../core/errors.ts';
import type { File } from './files.ts';
import { bounded, tooLarge } from './limits.ts';

/** The file as a string, gunzipped where it is gzipped. Throws MissingError when it is cut short. */
export async function text(file: File, limit: number): Promise<string> {
  const chunks = await Array.fromAsync(bounded(file.chunks, file.path, { limit }));
  const bytes = Buffer.concat(chunks);
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzip(bytes, file.path, limit) : bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch (cause) {
    // Replacement characters would be judged as if they had been written.
    throw new MissingError('malformed', `${file.path}: is not UTF-8 text`, { cause });
  }
}

function gunzip(bytes: Uint8Array, path: string, limit: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: limit });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(path, limit);
    throw new MissingError('malformed', `${path}: not a whole gzip file`, { cause: error });
  }
}
