/** A running sandbox, as tests and the command line use it. */
import { join } from 'node:path';
import { apply } from './apply.ts';
import type { Credentials } from './certificates.ts';
import type { Client } from './client.ts';
import type { ComponentName } from './components.ts';
import type { ControlPlane } from './control-plane.ts';
import type { SandboxCredentials } from './credentials.ts';
import type { GuardedDirectory } from './directory.ts';
import { type Manifest, parseManifests } from './manifests.ts';
import { serverReady } from './ready.ts';
import { type RunOptions, run } from './run.ts';
import { settle } from './settle.ts';
import { type ServiceAccountClaims, signServiceAccountToken } from './tokens.ts';
import type { TopologyName } from './topologies.ts';

export interface Sandbox extends AsyncDisposable {
  readonly name: string;
  readonly topology: TopologyName;
  /** URL of the API server. */
  readonly server: string;
  /** The administrator's bearer token. */
  readonly token: string;
  /** The certificate that its own is signed by, as PEM. */
  readonly authority: string;
  /** Paths of files, which go with the sandbox. */
  readonly files: {
    readonly kubeconfig: string;
    readonly ca: string;
    readonly serviceAccountKey: string;
  };
  /** Content of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** Creates or patches objects, given as YAML or as they are. */
  apply(manifests: string | readonly Manifest[]): Promise<void>;
  /** Resolves when the controllers are done with everything. */
  settled(): Promise<void>;
  /** Returns stdout. */
  kubectl(args: readonly string[], options?: Pick<RunOptions, 'input'>): Promise<string>;
  /** A client certificate for any user and groups. */
  clientCertificate(user: string, groups?: readonly string[]): Credentials;
  /** A token that the API server did not issue but believes, until it expires. */
  serviceAccountToken(claims: ServiceAccountClaims): string;
  /** Sends a signal, e.g. SIGSTOP and SIGCONT; one that ends the component is a failure of the sandbox. */
  signal(component: ComponentName, name: NodeJS.Signals): void;
  /** Ends a component at once; the others go on. */
  kill(component: ComponentName): Promise<void>;
  /** Starts it again on the same port and data, by other arguments if some are given. Resolves when it answers. */
  restart(component: ComponentName, extraArgs?: readonly string[]): Promise<void>;
  logFile(component: ComponentName): string;
  /** Leaves nothing behind. */
  down(): Promise<void>;
}

export interface SandboxParts {
  readonly name: string;
  readonly topology: TopologyName;
  readonly server: string;
  readonly directory: GuardedDirectory;
  readonly credentials: SandboxCredentials;
  readonly plane: ControlPlane;
  readonly client: Client;
  readonly kubectl: string;
  readonly extraArgs: Partial<Readonly<Record<ComponentName, readonly string[]>>>;
  readonly timeout: number;
}

export function createSandbox(parts: SandboxParts): Sandbox {
  const { plane, client, credentials, timeout } = parts;
  const waiting = { client, signal: plane.failure, timeout };
  const file = (name: string) => join(parts.directory.path, name);
  const down = async () => {
    client.close();
    await plane.stop();
    await parts.directory.remove();
  };
  return {
    name: parts.name,
    topology: parts.topology,
    server: parts.server,
    token: credentials.token,
    authority: credentials.authority.certificate,
    kubeconfig: credentials.kubeconfig,
    files: {
      kubeconfig: file('kubeconfig'),
      ca: file('ca.crt'),
      serviceAccountKey: file('service-account.key'),
    },
    apply: async (manifests) => {
      const read = typeof manifests === 'string' ? parseManifests(manifests, 'apply') : manifests;
      await apply(read, waiting);
    },
    settled: () => settle(waiting),
    kubectl: (args, options) => {
      // What it remembers of a server by its address must not be believed of the next one there.
      const own = [`--kubeconfig=${file('kubeconfig')}`, `--cache-dir=${file('kubectl-cache')}`];
      return run(parts.kubectl, [...own, ...args], options);
    },
    clientCertificate: (user, groups) => credentials.authority.client(user, groups),
    serviceAccountToken: (claims) => signServiceAccountToken(credentials.serviceAccountKey, claims),
    signal: plane.signal,
    kill: plane.kill,
    restart: async (component, extraArgs = parts.extraArgs[component]) => {
      await plane.kill(component);
      plane.start(component, extraArgs);
      await serverReady(waiting);
    },
    logFile: plane.logFile,
    down,
    [Symbol.asyncDispose]: down,
  };
}
