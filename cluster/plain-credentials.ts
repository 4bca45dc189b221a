/** The credentials that a kubeconfig holds, or names the files of: what client-node makes of them. */
import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import type { toClientNode } from './target.ts';

type Options = Pick<ReturnType<typeof toClientNode>, 'clusters' | 'users'>;

/** Undefined where a plugin is to give them. Files are read once: a 401 tells when they were rotated. */
export function plainCredentials(options: Options): (() => Promise<RequestOptions>) | undefined {
  const [user] = options.users;
  const isPlugin = user?.exec || (user?.authProvider && user.authProvider.name !== 'tokenFile');
  if (isPlugin) return undefined;
  let read: RequestOptions | undefined;
  return async () => {
    read ??= readAll(options);
    return read;
  };
}

function readAll({ clusters: [cluster], users: [user] }: Options): RequestOptions {
  const { tokenFile } = user?.authProvider?.config ?? {};
  const token = tokenFile ? readFileSync(tokenFile, 'utf8') : user?.token;
  const ca = contentOf(cluster?.caFile, cluster?.caData);
  const cert = contentOf(user?.certFile, user?.certData);
  const key = contentOf(user?.keyFile, user?.keyData);
  return {
    headers: token ? { Authorization: `Bearer ${token}` } : {},
    ...(user?.username && { auth: `${user.username}:${user.password}` }),
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    ...(cluster?.skipTLSVerify && { rejectUnauthorized: false }),
    ...(cluster?.tlsServerName && { servername: cluster.tlsServerName }),
  };
}

function contentOf(file: string | undefined, data: string | undefined): Buffer | undefined {
  if (file) return readFileSync(file);
  return data ? Buffer.from(data, 'base64') : undefined;
}
