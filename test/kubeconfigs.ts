/** Kubeconfigs for tests, and connections by them. */
import type { Connection } from '../cluster/connect.ts';
import { connect } from '../cluster/connect.ts';
import type { ConnectOptions } from '../cluster/kubeconfig.ts';
import { workspace } from './workspace.ts';

export interface Access {
  readonly server: string;
  /** Further fields of the cluster. */
  readonly cluster?: object;
  readonly user?: object;
}

/** One cluster, one user and one context, all named `test`. YAML takes JSON too. */
export function kubeconfig({ server, cluster = {}, user = {} }: Access): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, ...cluster } }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  });
}

/** How to reach a server whose certificate is signed by an authority of its own. */
export function trusting({ server, authority }: Trusted): Access {
  const data = Buffer.from(authority).toString('base64');
  return { server, cluster: { 'certificate-authority-data': data } };
}

interface Trusted {
  readonly server: string;
  /** PEM. */
  readonly authority: string;
}

export interface How {
  readonly options?: Omit<ConnectOptions, 'kubeconfig'>;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Closed at the end of its scope. */
export async function connectTo(
  access: Access,
  { options = {}, env = {}, signal = AbortSignal.timeout(60_000) }: How = {},
): Promise<Connection & AsyncDisposable> {
  await using directory = await workspace();
  const file = await directory.write('config', kubeconfig(access));
  const connection = await connect({ ...options, kubeconfig: file }, env, signal);
  return { ...connection, [Symbol.asyncDispose]: () => connection.close() };
}
