/** JSON requests to the sandbox's own API server. */
import { Agent, request } from 'node:https';
import { z } from 'zod';
import { SandboxError } from './errors.ts';

export interface Client {
  /** Rejects with a SandboxError when no answer comes, whatever the answer is otherwise. */
  send(request: ClientRequest): Promise<Answer>;
  /** As `send`, but any answer that is not a success is an error too. */
  demand(request: ClientRequest): Promise<unknown>;
  close(): void;
}

export interface ClientRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface ClientOptions {
  readonly server: string;
  readonly authority: string;
  readonly token: string;
}

export function createClient({ server, authority, token }: ClientOptions): Client {
  const agent = new Agent({ keepAlive: true, ca: authority });
  const send = (what: ClientRequest) =>
    new Promise<Answer>((resolve, reject) => {
      const outgoing = request(new URL(what.path, server), {
        agent,
        method: what.method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          'user-agent': 'sandbox',
          'content-type': what.contentType ?? 'application/json',
        },
      });
      outgoing.setTimeout(30_000, () => outgoing.destroy(new Error('no answer within 30 s')));
      outgoing.on('error', (cause) =>
        reject(
          new SandboxError(`${what.method} ${server}${what.path}: ${cause.message}`, { cause }),
        ),
      );
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          // Health endpoints answer in plain text.
          const isJson = incoming.headers['content-type']?.includes('json') ?? false;
          resolve({ status: incoming.statusCode ?? 0, body: isJson ? JSON.parse(text) : text });
        });
      });
      outgoing.end(what.body === undefined ? undefined : JSON.stringify(what.body));
    });
  return {
    send,
    demand: async (what) => {
      const answer = await send(what);
      if (answer.status >= 300) throw refusal(what, answer);
      return answer.body;
    },
    close: () => agent.destroy(),
  };
}

const statusSchema = z.looseObject({ message: z.string() });

export function refusal(what: ClientRequest, { status, body }: Answer): SandboxError {
  const parsed = statusSchema.safeParse(body);
  const message = parsed.success ? parsed.data.message : JSON.stringify(body);
  return new SandboxError(`${what.method} ${what.path}: ${status} ${message}`);
}
