/** The least that reading can cost: the lists as JSON over one connection, thrown away. A process of its own. */
import type { IncomingMessage } from 'node:http';
import { Agent, get } from 'node:https';
import { json } from 'node:stream/consumers';
import type { Asked } from './bench-hook.ts';

/** What comes on standard input. */
export interface BareOrder {
  readonly server: string;
  readonly authority: string;
  readonly token: string;
  readonly lists: readonly Asked[];
}

/** What goes to standard output. */
export interface BareResult {
  readonly milliseconds: number;
  readonly bytes: number;
}

const { server, authority, token, lists } = (await json(process.stdin)) as BareOrder;
const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: authority });
const start = performance.now();
let bytes = 0;
for (const { path, accept } of lists) bytes += await discard(path, accept);
const result: BareResult = { milliseconds: performance.now() - start, bytes };
agent.destroy();
process.stdout.write(JSON.stringify(result));

async function discard(path: string, accept: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, accept };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(new URL(path, server), { agent, headers }, resolve).on('error', reject);
  });
  let length = 0;
  answer.on('data', (chunk: Buffer) => {
    length += chunk.length;
  });
  await new Promise((resolve, reject) => answer.on('end', resolve).on('error', reject));
  if (answer.statusCode !== 200) throw new Error(`GET ${path}: ${answer.statusCode}`);
  return length;
}
