/** How much of an untrusted input is read, so that none can exhaust the machine. */
import { KnownError } from '../../core/errors.ts';

const MiB = 2 ** 20;

export interface Limits {
  /** Files and folders of one input. */
  readonly entries: number;
  /** Bytes of one input after decompression, whether or not they are of interest. */
  readonly unpacked: number;
  /** Bytes of one file that is parsed: it becomes one string. */
  readonly file: number;
}

export const defaultLimits: Limits = {
  entries: 1_000_000,
  unpacked: 16 * 1024 * MiB,
  file: 256 * MiB,
};

/** Passes chunks on until they are too many, or until the caller has lost interest. */
export async function* bounded(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  options: { readonly limit: number; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    options.signal?.throwIfAborted();
    size += chunk.byteLength;
    if (size > options.limit) throw tooLarge(name, options.limit);
    yield chunk;
  }
}

export function tooLarge(name: string, limit: number): KnownError {
  const shown = limit >= MiB ? `${Math.floor(limit / MiB)} MiB` : `${limit} bytes`;
  return new KnownError('UNREADABLE_INPUT', `${name}: unpacks to more than ${shown}`);
}
