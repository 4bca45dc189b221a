/**
 * The HTTP edge between a run and the sandbox's API server: ends TLS, passes requests on, keeps what
 * went by, and does what a real server will not do on request.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Agent, createServer, request as send } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '../sandbox/certificates.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

export interface Answer {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Buffer | string;
}

export interface EdgeRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** How many requests for the same page came before this one. */
  readonly before: number;
  /** What the API server answers, as often as it is asked; with other headers, if some are given. */
  pass(headers?: OutgoingHttpHeaders): Promise<Answer>;
}

/** An answer; the end of the connection, before an answer or in the middle of it; undefined passes on. */
type Reply = Answer | 'reset' | { readonly cutShort: Answer } | undefined;
export type Rule = (request: EdgeRequest) => Reply | Promise<Reply>;

export interface EdgeOptions {
  /** Objects per page, whatever the request says. */
  readonly pageSize?: number;
}

export interface Edge extends AsyncDisposable {
  /** Its URL. */
  readonly server: string;
  /** The certificate that its own is signed by, as PEM. */
  readonly authority: string;
  /** In the order in which they came. */
  readonly requests: readonly EdgeRequest[];
  /** Resolves with the first request, past or to come, of which this is true. */
  seen(wanted: (request: EdgeRequest) => boolean): Promise<EdgeRequest>;
}

export async function startEdge(
  sandbox: Sandbox,
  rule: Rule = () => undefined,
  { pageSize }: EdgeOptions = {},
): Promise<Edge> {
  const agent = new Agent({ keepAlive: true, ca: sandbox.authority });
  const requests: EdgeRequest[] = [];
  const watchers = new Set<(request: EdgeRequest) => void>();

  function noted({ method = '', url = '', headers }: IncomingMessage): EdgeRequest {
    const { pathname: path, searchParams: query } = new URL(url, sandbox.server);
    if (pageSize !== undefined && query.has('limit')) query.set('limit', String(pageSize));
    const page = `${path}?${query}`;
    const made: EdgeRequest = {
      method,
      path,
      query,
      headers,
      before: requests.filter((other) => `${other.path}?${other.query}` === page).length,
      pass: (other = {}) =>
        ask(new URL(page, sandbox.server), { agent, method, headers: { ...headers, ...other } }),
    };
    requests.push(made);
    for (const watcher of watchers) watcher(made);
    return made;
  }

  const authority = createAuthority('edge-ca');
  const { certificate: cert, key } = authority.serving(['127.0.0.1']);
  const server = createServer({ cert, key }, async (incoming, outgoing) => {
    const asked = noted(incoming);
    try {
      reply((await rule(asked)) ?? (await asked.pass()), outgoing);
    } catch {
      // A server that is not there: its client sees no more than the end of the connection.
      reply('reset', outgoing);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    server: `https://127.0.0.1:${port}`,
    authority: authority.certificate,
    requests,
    seen: (wanted) =>
      new Promise((resolve) => {
        const found = requests.find(wanted);
        if (found) resolve(found);
        watchers.add((request) => wanted(request) && resolve(request));
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}

function reply(what: Exclude<Reply, undefined>, outgoing: ServerResponse): void {
  const { socket } = outgoing;
  if (what === 'reset') {
    socket?.destroy();
  } else if ('cutShort' in what) {
    const { cutShort: whole } = what;
    const body = Buffer.from(whole.body ?? '');
    outgoing.writeHead(whole.status, withLength(whole));
    outgoing.write(body.subarray(0, body.length / 2), () => socket?.destroy());
  } else {
    outgoing.writeHead(what.status, withLength(what)).end(what.body);
  }
}

const withLength = ({ headers, body = '' }: Answer): OutgoingHttpHeaders => ({
  ...headers,
  'content-length': Buffer.byteLength(body),
});

interface Asked {
  readonly agent: Agent;
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
}

function ask(url: URL, { agent, method, headers }: Asked): Promise<Answer> {
  const { host: _, connection: __, ...kept } = headers;
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { agent, method, headers: kept });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const { 'transfer-encoding': ___, ...own } = incoming.headers;
        resolve({
          status: incoming.statusCode ?? 0,
          headers: own,
          body: Buffer.concat(chunks),
        });
      });
    });
    outgoing.end();
  });
}
