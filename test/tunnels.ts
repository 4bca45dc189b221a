/** What may stand between a client and an API server: relays and proxies that note what passes. */
import { createServer as createHttpServer } from 'node:http';
import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { listen } from './stand-in.ts';

export interface Tunnel extends AsyncDisposable {
  readonly port: number;
  /** Where each connection was to go, and what the client said of itself. */
  readonly targets: readonly string[];
}

/** Passes every connection on to a port of this machine. */
export async function relay(to: number): Promise<Tunnel> {
  const targets: string[] = [];
  return open(targets, (sockets) =>
    createServer((socket) => {
      targets.push(`127.0.0.1:${to}`);
      join(socket, to, sockets);
    }),
  );
}

/** An HTTP proxy that takes CONNECT; whatever the target, it is reached on one port of this machine. */
export async function connectProxy(to: number, status = 200): Promise<Tunnel> {
  const targets: string[] = [];
  return open(targets, (sockets) =>
    createHttpServer((request, response) => {
      // Not by CONNECT: what a client sends in the clear.
      targets.push(request.url ?? '');
      response.end('{}');
    }).on('connect', (request, socket) => {
      const authorization = request.headers['proxy-authorization'];
      targets.push([request.url, authorization].filter(Boolean).join(' '));
      socket.write(`HTTP/1.1 ${status} as it is\r\n\r\n`);
      if (status === 200) join(socket, to, sockets);
      else socket.end();
    }),
  );
}

/** A SOCKS5 proxy without authentication, for IPv4 addresses and names (RFC 1928). */
export async function socksProxy(to: number): Promise<Tunnel> {
  const targets: string[] = [];
  return open(targets, (sockets) =>
    createServer((socket) => {
      sockets.add(socket);
      socket.once('data', () => {
        socket.write(Buffer.of(5, 0));
        socket.once('data', (request) => {
          targets.push(socksTarget(request));
          socket.write(Buffer.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
          join(socket, to, sockets);
        });
      });
    }),
  );
}

function socksTarget(request: Buffer): string {
  const isName = request[3] === 3;
  const address = isName
    ? request.subarray(5, -2).toString('latin1')
    : [...request.subarray(4, 8)].join('.');
  return `${address}:${request.readUInt16BE(request.length - 2)}`;
}

async function open(
  targets: readonly string[],
  make: (sockets: Set<Duplex>) => Server,
): Promise<Tunnel> {
  const sockets = new Set<Duplex>();
  const server = make(sockets).on('connection', (socket: Socket) => sockets.add(socket));
  return {
    port: await listen(server),
    targets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function join(near: Duplex, port: number, sockets: Set<Duplex>): void {
  const far = connect(port, '127.0.0.1');
  sockets.add(far);
  near.on('error', () => far.destroy()).on('close', () => far.destroy());
  far.on('error', () => near.destroy()).on('close', () => near.destroy());
  near.pipe(far).pipe(near);
}
