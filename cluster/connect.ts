/** One connection to an API server: who asks, what is done when a credential is no longer good. */
import { KnownError } from '../core/errors.ts';
import { bodyReader } from './body.ts';
import type { ConnectOptions, Target } from './kubeconfig.ts';
import { findTarget } from './kubeconfig.ts';
import type { Session } from './session.ts';
import { startSession } from './session.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Gives the body's memory to later answers; without it, the garbage collector will. */
  release?(): void;
}

/** All that reading needs. */
export interface Lists {
  /** The context's name, for reports. */
  readonly name: string;
  readonly server: string;
  /** One request, without retries. Rejects when there is no answer; any status is one. */
  get(path: string, accept: string, signal: AbortSignal): Promise<Answer>;
}

export interface Connection extends Lists {
  /** What the server would make of a patch: it is asked for a dry run, nothing is ever changed. */
  dryRun(path: string, patch: Patch, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

export interface Patch {
  readonly type: 'application/strategic-merge-patch+json' | 'application/merge-patch+json';
  readonly body: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Throws KnownError KUBECONFIG. Sends nothing yet, but may run a credential plugin, which may wait for
 * a person: the signal ends that.
 */
export async function connect(
  options: ConnectOptions,
  env: Env,
  signal: AbortSignal,
): Promise<Connection> {
  const target = findTarget(options, env);
  const { origin, pathname } = serverOf(target);
  const readBody = bodyReader();
  const opened: Session[] = [];
  const accepted = new WeakSet<Session>();
  const open = async () => {
    const session = await startSession(target, env);
    opened.push(session);
    return session;
  };
  let current = open();
  await untilAborted(current, signal).catch((cause: Error) => {
    if (!signal.aborted) throw cause;
    const problem = `${cause.message} while credentials were asked for`;
    throw new KnownError('KUBECONFIG', `context "${target.name}": ${problem}`, { cause });
  });

  async function request(wanted: Request): Promise<Answer> {
    const { signal } = wanted;
    const used = current;
    const session = await untilAborted(used, signal);
    const answer = await send(session, wanted);
    if (answer.status !== 401) return answer;
    // Credentials may have been rotated since: a second 401 is the server's last word. New ones that
    // were never accepted are not renewed: a plugin may ask a person to log in, once but not for
    // every list.
    const mayBeStale = session === opened[0] || accepted.has(session);
    if (current === used && mayBeStale) current = open();
    return send(await untilAborted(current, signal), wanted);
  }

  async function send(session: Session, { path, accept, signal, patch }: Request): Promise<Answer> {
    const headers = await untilAborted(session.headers(), signal);
    const response = await session.dispatcher.request({
      origin,
      path: `${pathname.replace(/\/$/, '')}${path}`,
      method: patch ? 'PATCH' : 'GET',
      headers: {
        ...headers,
        accept,
        'user-agent': 'ha-compliance',
        ...(patch && { 'content-type': patch.type }),
      },
      ...(patch && { body: patch.body }),
      signal,
    });
    const { bytes: body, release } = await readBody(response.body);
    if (response.statusCode !== 401) accepted.add(session);
    return { status: response.statusCode, headers: response.headers, body, release };
  }

  const close = async () => {
    await Promise.all(opened.map(({ dispatcher }) => dispatcher.destroy()));
  };
  return {
    name: target.name,
    server: target.cluster.server,
    get: (path, accept, signal) => request({ path, accept, signal }),
    dryRun: (path, patch, signal) =>
      request({ path: `${path}?${dryRunOnly}`, accept: 'application/json', signal, patch }),
    close,
  };
}

/** Unknown fields are refused, not dropped: a patch that does nothing is no cure. */
const dryRunOnly = 'dryRun=All&fieldManager=ha-compliance&fieldValidation=Strict';

interface Request {
  readonly path: string;
  readonly accept: string;
  readonly signal: AbortSignal;
  readonly patch?: Patch;
}

function serverOf({ name, cluster }: Target): URL {
  const url = URL.canParse(cluster.server) ? new URL(cluster.server) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new KnownError('KUBECONFIG', `context "${name}": server is not an https or http URL`);
}

/** A plugin may take as long as a person takes to log in. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject);
  });
}
