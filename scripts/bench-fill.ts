/** Fills a sandbox with an estate of the bench, and leaves it where nothing changes it any more. */
import { setTimeout } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type Client, createClient } from '../sandbox/client.ts';
import { type Manifest, toManifest } from '../sandbox/manifests.ts';
import { nodeObjects } from '../sandbox/nodes.ts';
import { nodesReady, serverVersion } from '../sandbox/ready.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type SandboxNode, topologies } from '../sandbox/topologies.ts';
import { manifests, type Size, workers } from './bench-estate.ts';
import type { Written } from './bench-written.ts';
import {
  budgetStatus,
  isWorkload,
  podCount,
  podStatus,
  podsOf,
  replicaSetOf,
  replicaSetStatus,
  workloadStatus,
} from './bench-written.ts';

/** What the sandbox's controllers are told beyond its own arguments, to be done with thousands of pods. */
export const controllerArgs = [
  '--concurrent-deployment-syncs=20',
  '--concurrent-replicaset-syncs=20',
  '--concurrent-statefulset-syncs=20',
  '--endpointslice-updates-batch-period=5s',
  '--endpoint-updates-batch-period=5s',
  // Without metrics, each look at an autoscaler only writes an event.
  '--horizontal-pod-autoscaler-sync-period=10m',
  // The nodes are not heard of again.
  '--node-monitor-grace-period=24h',
];

interface Filling {
  readonly sandbox: Sandbox;
  readonly client: Client;
  readonly nodes: readonly SandboxNode[];
  readonly progress: (line: string) => void;
}

/** Requests at a time: more would only wait in the API server. */
const limit = pLimit(32);

export async function fill(sandbox: Sandbox, size: Size, progress: Filling['progress']) {
  const client = createClient(sandbox);
  const nodes = workers(size);
  const { infrastructure } = topologies.ha;
  const version = await serverVersion(client);
  await sandbox.apply(nodeObjects({ nodes, infrastructure }, { version, openshift: false }));
  const signal = AbortSignal.timeout(300_000);
  await nodesReady({ client, signal, timeout: 300_000 });
  // It plays some 25 pods in a second: this script is their kubelet.
  await sandbox.kill('kwok');
  const all = manifests(size);
  const isNamespace = ({ kind }: Manifest) => kind === 'Namespace';
  progress(`${size.namespaces} namespaces`);
  await sandbox.apply(all.filter(isNamespace));
  const filling = { sandbox, client, nodes, progress };
  const rest = all.filter((manifest) => !isNamespace(manifest));
  if (size.isWritten) await write(rest, filling);
  else await control(rest, filling);
  client.close();
}

/** Through the controllers and the scheduler. */
async function control(rest: readonly Manifest[], filling: Filling): Promise<void> {
  const { sandbox, client, nodes, progress } = filling;
  const expected = rest.filter(isWorkload).map((workload) => podCount(workload, nodes));
  const pods = expected.reduce((sum, count) => sum + count, 0);
  progress(`${rest.length} objects, and ${pods} pods by the controllers`);
  await Promise.all([sandbox.apply(rest), startPods(pods, filling)]);
  await untilQuiet(client);
  await halt(sandbox);
}

/**
 * What kubelets do: reports every pod that was placed as running. Only when all pods are there, so that
 * a workload's pods become ready together: each by itself would be several writes of its owners.
 */
async function startPods(expected: number, filling: Filling): Promise<void> {
  const { client, progress } = filling;
  for (let made = 0; made < expected; made = await countPods(client)) {
    progress(`${made} of ${expected} pods made`);
    await setTimeout(5_000);
  }
  const waiting = 'status.phase=Pending,spec.nodeName!=';
  const path = `/api/v1/pods?limit=1000&fieldSelector=${encodeURIComponent(waiting)}`;
  for (let started = 0; started < expected; ) {
    const { items } = (await client.demand({ method: 'GET', path })) as List;
    const pods = items.map((item) => toManifest({ apiVersion: 'v1', kind: 'Pod', ...item }));
    await Promise.all(pods.map((pod) => limit(() => report(pod, podStatus(pod), client))));
    started += pods.length;
    if (pods.length > 0) progress(`${started} of ${expected} pods run`);
    else await setTimeout(500);
  }
}

async function countPods(client: Client): Promise<number> {
  const path = '/api/v1/pods?limit=1';
  const { items, metadata } = (await client.demand({ method: 'GET', path })) as List;
  return items.length + (metadata.remainingItemCount ?? 0);
}

interface List {
  readonly items: readonly object[];
  readonly metadata: { readonly resourceVersion: string; readonly remainingItemCount?: number };
}

/** Until in two seconds hardly anything but leases is written: the revision counts every write. */
async function untilQuiet(client: Client): Promise<void> {
  const path = '/api/v1/nodes?limit=1';
  for (let before = 0; ; ) {
    const { metadata } = (await client.demand({ method: 'GET', path })) as List;
    const revision = Number(metadata.resourceVersion);
    if (revision - before < 5) return;
    before = revision;
    await setTimeout(2_000);
  }
}

async function halt(sandbox: Sandbox): Promise<void> {
  await sandbox.kill('kube-controller-manager');
  await sandbox.kill('kube-scheduler');
}

/** Without anybody's help: every object, then its status. */
async function write(rest: readonly Manifest[], filling: Filling): Promise<void> {
  const { sandbox, client, nodes, progress } = filling;
  await untilQuiet(client);
  await halt(sandbox);
  const workloads = rest.filter(isWorkload);
  const counts = new Map(workloads.map((workload) => [keyOf(workload), podCount(workload, nodes)]));
  progress(`${rest.length} objects`);
  await sandbox.apply(rest.filter((manifest) => !isWorkload(manifest)));
  const budgets = rest.filter(({ kind }) => kind === 'PodDisruptionBudget');
  const reports = budgets.map((budget) =>
    limit(() => report(budget, budgetStatus(budget, counts.get(keyOf(budget)) ?? 0), client)),
  );
  await Promise.all(reports);
  let pods = 0;
  const each = pLimit(8);
  const written = workloads.map((workload) =>
    each(async () => {
      let owner = await create(workload, workloadStatus(workload, nodes), client);
      if (workload.kind === 'Deployment') {
        const replicaSet = replicaSetOf(workload, owner);
        owner = await create(replicaSet, replicaSetStatus(replicaSet), client);
      }
      const own = podsOf(owner, nodes).map((pod) =>
        limit(() => create(pod, podStatus(pod), client)),
      );
      await Promise.all(own);
      const before = pods;
      pods += own.length;
      if (Math.floor(pods / 1000) > Math.floor(before / 1000)) progress(`${pods} pods`);
    }),
  );
  await Promise.all(written);
}

/** A workload and its budget have one name. */
const keyOf = ({ metadata: { namespace, name } }: Manifest) => `${namespace}/${name}`;

async function create(manifest: Manifest, status: object, client: Client): Promise<Written> {
  const path = `${collectionOf(manifest)}?fieldManager=kube-controller-manager`;
  const created = toManifest(await client.demand({ method: 'POST', path, body: manifest }));
  await report(manifest, status, client);
  return { manifest, uid: String(created.metadata['uid']) };
}

async function report(manifest: Manifest, status: object, client: Client): Promise<void> {
  const manager = manifest.kind === 'Pod' ? 'kubelet' : 'kube-controller-manager';
  await client.demand({
    method: 'PATCH',
    path: `${collectionOf(manifest)}/${manifest.metadata.name}/status?fieldManager=${manager}`,
    contentType: 'application/merge-patch+json',
    body: { status },
  });
}

/** Of the kinds that are written here, every one is in the plural as in English. */
function collectionOf({ apiVersion, kind, metadata }: Manifest): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${root}/namespaces/${metadata.namespace}/${kind.toLowerCase()}s`;
}
