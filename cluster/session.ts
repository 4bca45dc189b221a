/** What requests to one API server share: their credentials, TLS, proxies, and a pool of connections. */
import type { RequestOptions } from 'node:https';
import path from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import { createSecureContext } from 'node:tls';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Dispatcher } from 'undici';
import { Agent, ProxyAgent } from 'undici';
import { KnownError } from '../core/errors.ts';
import type { Target } from './kubeconfig.ts';
import { plainCredentials } from './plain-credentials.ts';
import { proxyFor } from './proxy.ts';
import { defaultLimits } from './request.ts';
import { impersonation, toClientNode } from './target.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface Session {
  readonly dispatcher: Dispatcher;
  /** Asked for with every request: tokens are read again as they expire. */
  headers(): Promise<Record<string, string | string[]>>;
}

/** Throws KnownError KUBECONFIG. */
export async function startSession(target: Target, env: Env): Promise<Session> {
  const login = await loginOf(target);
  const dispatcher = await dispatcherFor(target, login, env);
  let asked: Promise<RequestOptions> | undefined;
  return {
    dispatcher,
    headers: async () => {
      // Requests that find a credential expired at one time share one run of the plugin.
      asked ??= credentials(target, login).finally(() => {
        asked = undefined;
      });
      const { headers = {}, auth } = await asked;
      const { Authorization: bearer } = headers as { Authorization?: string }; // a plain map here
      const basic = auth ? `Basic ${Buffer.from(auth).toString('base64')}` : undefined;
      // Of a token file every byte is taken, the line's end too.
      const authorization = (bearer ?? basic)?.trim();
      return { ...(authorization && { authorization }), ...impersonation(target) };
    },
  };
}

/** How credentials are had, time and again. */
interface Login {
  credentials(): Promise<RequestOptions>;
  /** Where a plugin gives them. */
  readonly config?: KubeConfig;
}

/** Client-node takes a third of a second and 60 MB to load: it is for plugins and SOCKS proxies. */
const clientNode = () => import('@kubernetes/client-node');

async function loginOf(target: Target): Promise<Login> {
  const options = toClientNode(target);
  const plain = plainCredentials(options);
  if (plain) return { credentials: plain };
  const { KubeConfig } = await clientNode();
  const config = new KubeConfig();
  config.loadFromOptions(options);
  return {
    config,
    credentials: async () => {
      const request: RequestOptions = { headers: {} };
      await config.applyToHTTPSOptions(request);
      return request;
    },
  };
}

async function credentials(target: Target, login: Login): Promise<RequestOptions> {
  try {
    return await login.credentials();
  } catch (cause) {
    const problem = `credentials cannot be had: ${whyNot(target, cause)}`;
    throw new KnownError('KUBECONFIG', `context "${target.name}": ${problem}`);
  }
}

/** What a plugin says may hold what it was given: it is not repeated, not even as a cause. */
function whyNot({ user: { exec, 'auth-provider': provider } }: Target, cause: unknown): string {
  // The system's own errors name a file or a program.
  if (cause instanceof Error && 'syscall' in cause) return cause.message;
  const plugin = exec ? path.basename(exec.command) : provider?.name;
  return `the plugin ${plugin} failed; what it says when it is run by hand tells why`;
}

// HTTP/2 costs server and client more than HTTP/1.1 here; time limits are the requests' own.
// Without its own limit the pool opens one more whenever an answer is still being read to its end.
const pool = {
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  connections: defaultLimits.concurrency,
};

async function dispatcherFor(target: Target, login: Login, env: Env): Promise<Dispatcher> {
  const { server, 'proxy-url': own } = target.cluster;
  const proxy = own || proxyFor(server, env);
  const { ca, cert, key, rejectUnauthorized, servername } = await credentials(target, login);
  const certificates = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  assertUsable(certificates, target);
  const tls = {
    ...certificates,
    ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
    ...(servername && { servername }),
  };
  if (!proxy) return new Agent({ ...pool, connect: tls });
  try {
    return proxy.startsWith('socks')
      ? await socksDispatcher(target, { ...login, proxyUrl: proxy })
      : new ProxyAgent({ ...pool, uri: proxy, requestTls: tls });
  } catch {
    // Without a cause, which would quote the address, and with it perhaps a password.
    const problem = 'the address of its proxy is not an http, https or socks URL';
    throw new KnownError('KUBECONFIG', `context "${target.name}": ${problem}`);
  }
}

/** What is no certificate is found here, not in the middle of the first request. */
function assertUsable(certificates: SecureContextOptions, { name }: Target): void {
  try {
    createSecureContext(certificates);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    const text = `context "${name}": certificates cannot be used: ${problem}`;
    throw new KnownError('KUBECONFIG', text, { cause });
  }
}

interface SocksOptions extends Pick<Login, 'config'> {
  readonly proxyUrl: string;
}

/** The one kind of proxy that undici leaves to others. */
async function socksDispatcher(target: Target, { config: own, proxyUrl }: SocksOptions) {
  const { HttpMethod, KubeConfig, RequestContext } = await clientNode();
  const options = toClientNode(target);
  // The same authenticators as before: what a plugin gave is not asked for again.
  const config = own ?? new KubeConfig();
  config.loadFromOptions({
    ...options,
    clusters: options.clusters.map((cluster) => ({ ...cluster, proxyUrl })),
  });
  const context = new RequestContext(target.cluster.server, HttpMethod.GET);
  await config.applySecurityAuthentication(context);
  const dispatcher = context.getDispatcher();
  if (!dispatcher) throw new TypeError('client-node has no dispatcher for this address');
  // It expects the name that it connects to, if a request does not bring another.
  const { 'tls-server-name': servername } = target.cluster;
  return dispatcher.compose((dispatch) => (request, handler) => {
    const expecting = { ...request, ...(servername && { servername }) };
    return dispatch(expecting, handler);
  });
}
