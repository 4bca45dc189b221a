/** Which cluster, as whom: the rules by which kubectl finds and merges kubeconfig files. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadAll } from 'js-yaml';
import { KnownError } from '../core/errors.ts';
import type { Kubeconfig } from './kubeconfig-schema.ts';
import { kubeconfigSchema } from './kubeconfig-schema.ts';

export interface ConnectOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly as?: string | undefined;
  readonly asGroups?: readonly string[] | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;
type ClusterEntry = Kubeconfig['clusters'][number]['cluster'];
type UserEntry = Kubeconfig['users'][number]['user'];

/** The cluster to talk to and the credentials to use. */
export interface Target {
  readonly name: string;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
}

const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Throws KnownError KUBECONFIG. No secret of a file is ever part of a message. */
export function findTarget(options: ConnectOptions, env: Env): Target {
  const found = merge(kubeconfigFiles(options, env).flatMap(readKubeconfig));
  const isEmpty = found.clusters.length === 0 && found.contexts.length === 0;
  // Who names a cluster does not mean the one that this happens to run in.
  const isNamed = Boolean(options.context || options.cluster || options.user);
  const target = (isEmpty && !isNamed && inCluster(env)) || selectTarget(found, options, env);
  return { ...target, user: impersonating(target, options) };
}

/** An explicit file must exist; of those in KUBECONFIG the missing ones are passed over. */
function kubeconfigFiles({ kubeconfig }: ConnectOptions, env: Env) {
  if (kubeconfig) return [{ file: kubeconfig, isRequired: true }];
  const listed = (env['KUBECONFIG'] ?? '').split(path.delimiter).filter((file) => file !== '');
  const home = env['HOME'] ?? env['USERPROFILE'];
  const files = listed.length > 0 || !home ? listed : [path.join(home, '.kube', 'config')];
  return files.map((file) => ({ file, isRequired: false }));
}

function readKubeconfig({ file, isRequired }: { file: string; isRequired: boolean }) {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if (!isRequired && isMissingFile(cause)) return [];
    throw new KnownError('KUBECONFIG', `kubeconfig ${file}: cannot be read`, { cause });
  }
  const parsed = kubeconfigSchema.safeParse(parse(file, text));
  if (parsed.success) return [withAbsolutePaths(parsed.data, path.dirname(file))];
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'the file';
  throw new KnownError('KUBECONFIG', `kubeconfig ${file}: ${where}: ${issue?.message}`);
}

const isMissingFile = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

function parse(file: string, text: string): unknown {
  try {
    // As client-go reads it: one document at most, and a null is a field that is not there.
    const [document] = loadAll(text);
    return JSON.parse(JSON.stringify(document ?? {}), (_, value) => value ?? undefined);
  } catch {
    // The parser's message quotes the file, and with it perhaps a token.
    throw new KnownError('KUBECONFIG', `kubeconfig ${file}: not YAML`);
  }
}

/** Relative paths are relative to their own file. */
function withAbsolutePaths(config: Kubeconfig, folder: string): Kubeconfig {
  const absolute = (file: string | undefined) => file && path.resolve(folder, file);
  return {
    ...config,
    clusters: config.clusters.map(({ name, cluster }) => ({
      name,
      cluster: {
        ...cluster,
        'certificate-authority': absolute(cluster['certificate-authority']),
      },
    })),
    users: config.users.map(({ name, user }) => ({
      name,
      user: {
        ...user,
        'client-certificate': absolute(user['client-certificate']),
        'client-key': absolute(user['client-key']),
        tokenFile: absolute(user.tokenFile),
        // A bare word is looked up on PATH.
        ...(user.exec?.command.includes('/') && {
          exec: { ...user.exec, command: path.resolve(folder, user.exec.command) },
        }),
      },
    })),
  };
}

/** The first file to name something wins. */
function merge(configs: readonly Kubeconfig[]): Kubeconfig {
  const first = <T extends { readonly name: string }>(entries: readonly T[]) =>
    entries.filter((entry, i) => entries.findIndex(({ name }) => name === entry.name) === i);
  return {
    'current-context': configs.map((c) => c['current-context']).find(Boolean),
    clusters: first(configs.flatMap((config) => config.clusters)),
    users: first(configs.flatMap((config) => config.users)),
    contexts: first(configs.flatMap((config) => config.contexts)),
  };
}

function selectTarget(config: Kubeconfig, options: ConnectOptions, env: Env): Target {
  const contextName = options.context || config['current-context'];
  const context = config.contexts.find(({ name }) => name === contextName)?.context;
  if (contextName !== undefined && !context) throw absent('context', contextName);
  const clusterName = options.cluster || context?.cluster;
  const userName = options.user || context?.user;
  if (!clusterName) {
    const problem =
      contextName === undefined
        ? `no cluster to talk to: ${whatToDo(config, options, env)}`
        : `context "${contextName}" names no cluster`;
    throw new KnownError('KUBECONFIG', problem);
  }
  const cluster = config.clusters.find(({ name }) => name === clusterName)?.cluster;
  if (!cluster) throw absent('cluster', clusterName);
  const user = config.users.find(({ name }) => name === userName)?.user;
  if (userName && !user) throw absent('user', userName);
  // A context is not the name of what was read when another cluster takes the place of its own.
  const name = options.cluster || contextName || clusterName;
  return { name, cluster, user: user ?? {} };
}

const absent = (what: string, name: string) =>
  new KnownError('KUBECONFIG', `${what} "${name}" does not exist in the kubeconfig`);

function whatToDo({ contexts }: Kubeconfig, { kubeconfig }: ConnectOptions, env: Env): string {
  const names = contexts.map(({ name }) => name);
  if (names.length > 0) return `no context is current; give --context (${names.join(', ')})`;
  const file = kubeconfig || env['KUBECONFIG'];
  if (file) return `${file}: there is no such file, or no cluster in it`;
  return 'set KUBECONFIG, give --kubeconfig or --context, or read a recording with --from';
}

/** Each option takes the place of its own field, as kubectl's do. */
function impersonating({ name, user }: Target, { as, asGroups = [] }: ConnectOptions): UserEntry {
  const merged = {
    ...user,
    ...(as && { as }),
    ...(asGroups.length > 0 && { 'as-groups': [...asGroups] }),
  };
  const { 'as-groups': groups = [], 'as-uid': uid, 'as-user-extra': extra = {} } = merged;
  if (!merged.as && (groups.length > 0 || uid || Object.keys(extra).length > 0)) {
    // Left out, they would give more rights than were asked for.
    const problem = 'impersonates groups, a UID or extra fields, but no user';
    throw new KnownError('KUBECONFIG', `context "${name}": ${problem}`);
  }
  return merged;
}

/** What a pod is given by its service account. */
function inCluster(env: Env): Target | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port) return undefined;
  return {
    name: 'in-cluster',
    cluster: {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      'certificate-authority': `${serviceAccount}/ca.crt`,
    },
    user: { tokenFile: `${serviceAccount}/token` },
  };
}
