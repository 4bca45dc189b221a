/** Free ports on the loopback interface. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { SandboxError } from './errors.ts';

/**
 * Below the range from which systems take the ports of outgoing connections (32768 on Linux): those would
 * take the port of an API server while it is being restarted.
 */
const range = { first: 20_000, last: 32_000 };

/** So many different ports that nobody listens on right now. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  for (let attempt = 0; attempt < 100 * count && found.size < count; attempt++) {
    const port = randomInt(range.first, range.last);
    if (await isFree(port)) found.add(port);
  }
  if (found.size < count) {
    throw new SandboxError(
      `no ${count} free ports on 127.0.0.1 between ${range.first} and ${range.last}`,
    );
  }
  return [...found];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
      server.close(() => resolve(true)),
    );
  });
}
