/** A kubeconfig's cluster and user in the form that client-node takes, with what kubectl adds to them. */
import { readFileSync } from 'node:fs';
import type { Cluster, User } from '@kubernetes/client-node';
import { KnownError } from '../core/errors.ts';
import type { Target } from './kubeconfig.ts';

export function toClientNode({ name, cluster, user }: Target) {
  const context = { name, cluster: name, user: name };
  return {
    clusters: [clusterOf(name, cluster)],
    users: [userOf(name, user, cluster)],
    contexts: [context],
    currentContext: name,
  };
}

// Data wins over a file beside it.
function clusterOf(name: string, cluster: Target['cluster']): Cluster {
  const data = cluster['certificate-authority-data'];
  return defined({
    name,
    server: cluster.server,
    caFile: data ? undefined : cluster['certificate-authority'],
    caData: data,
    tlsServerName: cluster['tls-server-name'],
    // client-node refuses plain HTTP otherwise; kubectl talks to `kubectl proxy` that way.
    skipTLSVerify: cluster['insecure-skip-tls-verify'] === true || isPlain(cluster),
  });
}

function userOf(name: string, user: Target['user'], cluster: Target['cluster']): User {
  // As with kubectl, no credentials travel in the clear.
  if (isPlain(cluster)) return { name };
  const certData = user['client-certificate-data'];
  const keyData = user['client-key-data'];
  return defined({
    name,
    certFile: certData ? undefined : user['client-certificate'],
    certData,
    keyFile: keyData ? undefined : user['client-key'],
    keyData,
    username: user.username,
    password: user.password ?? '',
    ...tokenOf(user, cluster),
  });
}

const isPlain = ({ server }: Target['cluster']) => new URL(server).protocol === 'http:';

/** One way to a token: a file, which is read again as it is rotated, wins over a token, and that over a plugin. */
function tokenOf(user: Target['user'], cluster: Target['cluster']) {
  const { tokenFile, token, exec, 'auth-provider': authProvider } = user;
  if (tokenFile) return { authProvider: { name: 'tokenFile', config: { tokenFile } } };
  if (token) return { token };
  return {
    authProvider,
    exec: exec && { ...exec, env: [...(exec.env ?? []), execInfo(user, cluster)] },
  };
}

/** What a plugin is told of its caller; some refuse to run without it. */
function execInfo({ exec }: Target['user'], cluster: Target['cluster']) {
  const info = {
    apiVersion: exec?.apiVersion ?? 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      ...(exec?.provideClusterInfo && { cluster: pluginCluster(cluster) }),
    },
  };
  return { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) };
}

function pluginCluster(cluster: Target['cluster']) {
  const file = cluster['certificate-authority'];
  return {
    server: cluster.server,
    'tls-server-name': cluster['tls-server-name'],
    'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'],
    // A plugin is told of no file.
    'certificate-authority-data': cluster['certificate-authority-data'] || (file && base64Of(file)),
    'proxy-url': cluster['proxy-url'],
  };
}

function base64Of(file: string): string {
  try {
    return readFileSync(file, 'base64');
  } catch (cause) {
    throw new KnownError('KUBECONFIG', `certificate-authority ${file}: cannot be read`, { cause });
  }
}

/** Impersonation, which client-node knows for the user's name only. */
export function impersonation({ user }: Target): Record<string, string | string[]> {
  if (!user.as) return {};
  const extra = Object.entries(user['as-user-extra'] ?? {}).map(
    ([key, values]) => [`Impersonate-Extra-${encodeURIComponent(key)}`, values] as const,
  );
  return {
    'Impersonate-User': user.as,
    ...(user['as-uid'] !== undefined && { 'Impersonate-Uid': user['as-uid'] }),
    ...(user['as-groups'] && { 'Impersonate-Group': user['as-groups'] }),
    ...Object.fromEntries(extra),
  };
}

/** Without the fields that are undefined. */
function defined<T extends object>(fields: T) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
