/** One connection to an API server: credentials, TLS, proxies, and a pool that every request shares. */
import type { RequestOptions } from 'node:https';
import { HttpMethod, KubeConfig, RequestContext } from '@kubernetes/client-node';
import type { Dispatcher } from 'undici';
import { Agent, ProxyAgent } from 'undici';
import { KnownError } from '../core/errors.ts';
import type { ConnectOptions, Target } from './kubeconfig.ts';
import { findTarget } from './kubeconfig.ts';
import { proxyFor } from './proxy.ts';
import { impersonation, toClientNode } from './target.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface Connection {
  /** The context's name, for reports. */
  readonly name: string;
  readonly server: string;
  /** One request, without retries. Rejects when there is no answer; any status is one. */
  get(path: string, accept: string, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Throws KnownError KUBECONFIG. Sends nothing yet, but may run a credential plugin. */
export async function connect(options: ConnectOptions, env: Env): Promise<Connection> {
  const target = findTarget(options, env);
  const { server } = target.cluster;
  if (!URL.canParse(server)) {
    throw new KnownError('KUBECONFIG', `context "${target.name}": server is not a URL`);
  }
  const { origin, pathname } = new URL(server);
  const sessions = [await startSession(target, env)];

  async function get(path: string, accept: string, signal: AbortSignal): Promise<Answer> {
    const used = sessions.length;
    const answer = await send(path, accept, signal);
    if (answer.status !== 401) return answer;
    // Credentials may have been rotated since: a second 401 is the server's last word.
    if (sessions.length === used) sessions.push(await startSession(target, env));
    return send(path, accept, signal);
  }

  async function send(path: string, accept: string, signal: AbortSignal): Promise<Answer> {
    const session = sessions.at(-1) ?? (await startSession(target, env));
    const response = await session.dispatcher.request({
      origin,
      path: `${pathname.replace(/\/$/, '')}${path}`,
      method: 'GET',
      headers: { ...(await session.headers()), accept, 'user-agent': 'ha-compliance' },
      signal,
    });
    const body = Buffer.from(await response.body.arrayBuffer());
    return { status: response.statusCode, headers: response.headers, body };
  }

  const close = async () => {
    await Promise.all(sessions.map(({ dispatcher }) => dispatcher.destroy()));
  };
  return { name: target.name, server, get, close };
}

interface Session {
  readonly dispatcher: Dispatcher;
  /** Asked for with every request: tokens are read again as they expire. */
  headers(): Promise<Record<string, string | string[]>>;
}

async function startSession(target: Target, env: Env): Promise<Session> {
  const config = new KubeConfig();
  config.loadFromOptions(toClientNode(target));
  const dispatcher = await dispatcherFor(target, config, env);
  return {
    dispatcher,
    headers: async () => {
      const { headers = {}, auth } = await credentials(target, config);
      const { Authorization: bearer } = headers as { Authorization?: string }; // a plain map here
      const basic = auth ? `Basic ${Buffer.from(auth).toString('base64')}` : undefined;
      // Of a token file every byte is taken, the line's end too.
      const authorization = (bearer ?? basic)?.trim();
      return { ...(authorization && { authorization }), ...impersonation(target) };
    },
  };
}

async function credentials(target: Target, config: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = { headers: {} };
  try {
    await config.applyToHTTPSOptions(options);
    return options;
  } catch (cause) {
    // A plugin's own words may hold what it was given: no more than the start of a line of them.
    const text = cause instanceof Error ? cause.message : String(cause);
    const [line = ''] = text.trim().split('\n');
    const problem = `credentials cannot be had: ${line.slice(0, 120) || 'the plugin failed'}`;
    throw new KnownError('KUBECONFIG', `context "${target.name}": ${problem}`, { cause });
  }
}

// HTTP/2 costs server and client more than HTTP/1.1 here; time limits are the requests' own.
const pool = { allowH2: false, headersTimeout: 0, bodyTimeout: 0 };

async function dispatcherFor(target: Target, config: KubeConfig, env: Env): Promise<Dispatcher> {
  const { server, 'proxy-url': own } = target.cluster;
  const proxy = own || proxyFor(server, env);
  const { ca, cert, key, rejectUnauthorized, servername } = await credentials(target, config);
  const tls = {
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
    ...(servername && { servername }),
  };
  if (!proxy) return new Agent({ ...pool, connect: tls });
  if (!proxy.startsWith('socks')) return new ProxyAgent({ ...pool, uri: proxy, requestTls: tls });
  return socksDispatcher(target, proxy);
}

async function socksDispatcher(target: Target, proxyUrl: string): Promise<Dispatcher> {
  const options = toClientNode(target);
  const config = new KubeConfig();
  config.loadFromOptions({
    ...options,
    clusters: options.clusters.map((cluster) => ({ ...cluster, proxyUrl })),
  });
  const context = new RequestContext(target.cluster.server, HttpMethod.GET);
  await config.applySecurityAuthentication(context);
  const dispatcher = context.getDispatcher();
  if (!dispatcher)
    throw new KnownError('KUBECONFIG', `proxy ${new URL(proxyUrl).host}: not usable`);
  return dispatcher;
}
