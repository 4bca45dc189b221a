/** Reads bodies into memory that is used again: fresh memory for every page takes a third of its decoding. */
import type { Readable } from 'node:stream';

interface Body {
  readonly bytes: Buffer;
  /** Gives the memory to a later body: these bytes are no longer to be read. */
  release(): void;
}

export type ReadBody = (stream: Readable) => Promise<Body>;

export function bodyReader(): ReadBody {
  const spare: Buffer[] = [];
  return async (stream) => {
    const { memory, length } = await collect(
      stream,
      spare.pop() ?? Buffer.allocUnsafeSlow(2 ** 16),
    );
    return { bytes: memory.subarray(0, length), release: () => void spare.push(memory) };
  };
}

interface Collected {
  readonly memory: Buffer;
  readonly length: number;
}

function collect(stream: Readable, into: Buffer): Promise<Collected> {
  return new Promise((resolve, reject) => {
    let memory = into;
    let length = 0;
    stream.on('data', (chunk: Buffer) => {
      memory = withRoom(memory, length, chunk.length);
      length += chunk.copy(memory, length);
    });
    stream.on('end', () => resolve({ memory, length }));
    stream.on('error', reject);
    stream.on('close', () => reject(new Error('the connection was closed')));
  });
}

function withRoom(memory: Buffer, used: number, wanted: number): Buffer {
  if (used + wanted <= memory.length) return memory;
  const larger = Buffer.allocUnsafeSlow(Math.max(memory.length * 2, used + wanted));
  memory.copy(larger, 0, 0, used);
  return larger;
}
