/** Brings up a sandbox: a real control plane, with nodes and pods that KWOK plays. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apply } from './apply.ts';
import { findBinaries } from './binaries.ts';
import { createClient } from './client.ts';
import type { ComponentName, Ports } from './components.ts';
import { createControlPlane } from './control-plane.ts';
import { openshiftDefinitions } from './crds.ts';
import { writeCredentials } from './credentials.ts';
import { makeGuardedDirectory } from './directory.ts';
import { SandboxError } from './errors.ts';
import { type Estate, type EstateName, estates, loadFolder } from './estates.ts';
import { nodeObjects } from './nodes.ts';
import { freePorts } from './ports.ts';
import { nodesReady, serverReady, serverVersion } from './ready.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { findStages } from './stages.ts';
import type { StaticUser } from './tokens.ts';
import { type TopologyName, topologies } from './topologies.ts';

export interface UpOptions {
  /** Names the context of the kubeconfig. */
  readonly name?: string;
  readonly topology?: TopologyName;
  readonly estate?: EstateName;
  /** Serves OpenShift's definitions, with the objects of a healthy platform. */
  readonly openshift?: boolean;
  readonly extraArgs?: Partial<Readonly<Record<ComponentName, readonly string[]>>>;
  readonly ports?: Partial<Ports>;
  /** Known by static tokens, besides the administrator. */
  readonly users?: readonly StaticUser[];
  readonly env?: NodeJS.ProcessEnv;
  readonly progress?: (line: string) => void;
  readonly signal?: AbortSignal;
  /** For each condition that is waited for, in milliseconds. */
  readonly timeout?: number;
}

/** Resolves when the estate has settled. A start that fails leaves nothing behind, nor does a crash. */
export async function up(options: UpOptions = {}): Promise<Sandbox> {
  const settings = withDefaults(options);
  const { topology, signal } = settings;
  const binaries = await findBinaries(settings);
  const stages = await findStages(settings);
  const definitions = settings.openshift ? await openshiftDefinitions(settings) : [];

  const ports = { ...(await findPorts()), ...options.ports };
  const path = join(tmpdir(), `ha-sandbox-${settings.name}-${randomUUID()}`);
  const server = `https://127.0.0.1:${ports['kube-apiserver']}`;
  const directory = makeGuardedDirectory(path);
  const credentials = writeCredentials({ ...settings, directory: path, server });
  const { authority, token } = credentials;
  const plane = createControlPlane({ directory: path, ports, stages, binaries });
  const client = createClient({ server, token, authority: authority.certificate });
  const { kubectl } = binaries;
  const parts = { ...settings, server, directory, credentials, plane, client, kubectl };
  const sandbox = createSandbox(parts);

  const waiting = { ...settings, client, signal: AbortSignal.any([plane.failure, signal]) };
  const start = (component: ComponentName) => plane.start(component, settings.extraArgs[component]);
  try {
    start('etcd');
    start('kube-apiserver');
    // Started sooner, the others would only take processor time from it, or give up waiting for it.
    await serverReady(waiting);
    start('kube-controller-manager');
    start('kube-scheduler');
    start('kwok');
    const version = await serverVersion(client);
    await apply(nodeObjects(topologies[topology], { ...settings, version }), waiting);
    await nodesReady(waiting);
    await apply(definitions, waiting);
    const shape = { ...waiting, topology: topologies[topology] };
    if (settings.openshift) await loadFolder('openshift-platform', shape);
    if (settings.estate) await loadFolder(settings.estate, shape);
    return sandbox;
  } catch (error) {
    // A component that ended explains more than the request that it left without an answer.
    const reason: unknown = plane.failure.aborted ? plane.failure.reason : error;
    await sandbox.down();
    throw reason;
  }
}

function withDefaults(options: UpOptions) {
  const topology: TopologyName = options.topology ?? 'ha';
  const estate: Estate | undefined = options.estate && estates[options.estate];
  if (estate && !estate.topologies.includes(topology)) {
    const fitting = estate.topologies.join(', ');
    throw new SandboxError(
      `estate ${options.estate} does not suit topology ${topology}: ${fitting}`,
    );
  }
  return {
    name: 'sandbox',
    extraArgs: {},
    users: [],
    env: process.env,
    progress: (line: string) => void process.stderr.write(`sandbox: ${line}\n`),
    signal: new AbortController().signal,
    timeout: 90_000,
    ...options,
    topology,
    openshift: options.openshift ?? estate?.openshift ?? false,
  };
}

async function findPorts(): Promise<Ports> {
  const [etcd = 0, etcdPeer = 0, apiServer = 0] = await freePorts(3);
  return { etcd, etcdPeer, 'kube-apiserver': apiServer };
}
