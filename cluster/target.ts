/** A kubeconfig's cluster and user in the form that client-node takes, with what kubectl adds to them. */
import type { Cluster, User } from '@kubernetes/client-node';
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

function clusterOf(name: string, cluster: Target['cluster']): Cluster {
  return defined({
    name,
    server: cluster.server,
    caFile: cluster['certificate-authority'],
    caData: cluster['certificate-authority-data'],
    tlsServerName: cluster['tls-server-name'],
    // client-node refuses plain HTTP otherwise; kubectl talks to `kubectl proxy` that way.
    skipTLSVerify:
      cluster['insecure-skip-tls-verify'] === true || cluster.server.startsWith('http:'),
  });
}

function userOf(name: string, user: Target['user'], cluster: Target['cluster']): User {
  return defined({
    name,
    certFile: user['client-certificate'],
    certData: user['client-certificate-data'],
    keyFile: user['client-key'],
    keyData: user['client-key-data'],
    username: user.username,
    password: user.password,
    // A token file is read again as it is rotated, and wins over a token beside it.
    token: user.tokenFile === undefined ? user.token : undefined,
    authProvider:
      user.tokenFile === undefined
        ? user['auth-provider']
        : { name: 'tokenFile', config: { tokenFile: user.tokenFile } },
    exec: user.exec && { ...user.exec, env: [...(user.exec.env ?? []), execInfo(user, cluster)] },
  });
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
  return {
    server: cluster.server,
    'tls-server-name': cluster['tls-server-name'],
    'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'],
    'certificate-authority-data': cluster['certificate-authority-data'],
    'proxy-url': cluster['proxy-url'],
  };
}

/** Impersonation, which client-node knows for the user's name only. */
export function impersonation({ user }: Target): Record<string, string | string[]> {
  if (user.as === undefined) return {};
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
