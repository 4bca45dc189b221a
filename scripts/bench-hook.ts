/** Loaded into the tool before it by the bench: notes what it asks for and needs, and writes it at its end. */
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';

export interface Notes {
  readonly requests: readonly Asked[];
  /** Milliseconds from the start of the process to its first request, to its last answer, to its end. */
  readonly asked: number;
  readonly answered: number;
  readonly ended: number;
  /** Milliseconds of processor time. */
  readonly cpu: number;
  /** Bytes of memory, at most. */
  readonly peak: number;
  /** Bytes that came from the server. */
  readonly received: number;
}

export interface Asked {
  readonly path: string;
  readonly accept: string;
}

/** As undici names them. */
interface Message {
  readonly request: { readonly path: string; readonly headers: readonly string[] };
  readonly socket: Socket;
}

const file = process.env['HA_COMPLIANCE_BENCH'];
const requests: Asked[] = [];
const sockets = new Set<Socket>();
let asked = 0;
let answered = 0;

subscribe('undici:request:create', (message) => {
  const { path, headers } = (message as Message).request;
  asked ||= performance.now();
  requests.push({ path, accept: headers[headers.indexOf('accept') + 1] ?? '' });
});
subscribe('undici:client:connected', (message) => sockets.add((message as Message).socket));
subscribe('undici:request:trailers', () => {
  answered = performance.now();
});

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  let received = 0;
  for (const { bytesRead } of sockets) received += bytesRead;
  const cpu = (user + system) / 1000;
  const ended = performance.now();
  const notes: Notes = { requests, asked, answered, ended, cpu, peak: peak(), received };
  if (file) writeFileSync(file, JSON.stringify(notes));
});

/** The kernel's resource usage counts the parent's memory, too, as long as a child has not begun its program. */
function peak(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kilobytes) return Number(kilobytes) * 1024;
  } catch {
    // Not on Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
