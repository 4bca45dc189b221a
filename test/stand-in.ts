/** A server in place of an API server, for answers that a real one does not give on request. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { ServerOptions } from 'node:https';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';

export interface StandIn extends AsyncDisposable {
  /** Its URL. */
  readonly server: string;
  /** All that came so far. */
  readonly requests: readonly IncomingMessage[];
}

export async function standIn(listener: RequestListener, tls?: ServerOptions): Promise<StandIn> {
  const requests: IncomingMessage[] = [];
  const listening: RequestListener = (request, response) => {
    requests.push(request);
    listener(request, response);
  };
  const server = tls ? createTlsServer(tls, listening) : createServer(listening);
  const port = await listen(server);
  return {
    server: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Resolves to the port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port; // it listens on one
}

/** One answer after the other; the last one from then on. */
export function inTurn(...answers: readonly [RequestListener, ...RequestListener[]]) {
  let next = 0;
  const listener: RequestListener = (request, response) => {
    const listener = answers[Math.min(next++, answers.length - 1)] ?? answers[0];
    listener(request, response);
  };
  return listener;
}

/** By path, without the query; of what is not named an API server says what it says of any such. */
export function byPath(answers: Readonly<Record<string, RequestListener>>): RequestListener {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stand-in');
    const listener = answers[pathname] ?? answer(404, '404 page not found\n');
    listener(request, response);
  };
}

/** An answer in JSON; texts and bytes as they are. */
export function answer(
  status: number,
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
}

/** Ends the connection instead of answering. */
export const reset: RequestListener = (request) => request.socket.resetAndDestroy();

/** Begins an answer, and breaks off in the middle of its body. */
export const resetInBody: RequestListener = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"kind":', () => request.socket.resetAndDestroy());
};

/** Takes the request, and says nothing. */
export const silence: RequestListener = () => undefined;
