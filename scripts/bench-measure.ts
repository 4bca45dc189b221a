/** Measures the tool beside a bare GET of the same lists, in turn, each in a process of its own. */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Report } from '../core/result.ts';
import { createClient } from '../sandbox/client.ts';
import type { Manifest } from '../sandbox/manifests.ts';
import type { BareOrder, BareResult } from './bench-bare.ts';
import type { Asked, Notes } from './bench-hook.ts';
import { type Shares, sharesOf } from './bench-profile.ts';

export interface Cluster extends Omit<BareOrder, 'lists'> {
  readonly kubeconfig: string;
}

export interface Pair {
  readonly bare: BareResult;
  readonly tool: ToolRun;
}

interface ToolRun extends Omit<Notes, 'requests'> {
  /** Milliseconds, the start and the end of the process included. */
  readonly milliseconds: number;
  readonly requests: number;
}

export interface Measured {
  /** Lists that were read: kinds, or resources of kinds. */
  readonly lists: number;
  /** No page was asked for twice. */
  readonly eachOnce: boolean;
  readonly pairs: readonly Pair[];
  readonly shares: Shares;
  readonly report: Pick<Report, 'complete' | 'summary' | 'inventory'>;
}

const root = path.join(import.meta.dirname, '..');
const program = path.join(root, 'cli', 'ha-compliance.js');

export async function measure(
  cluster: Cluster,
  { runs, progress }: { readonly runs: number; readonly progress: (line: string) => void },
): Promise<Measured> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ha-compliance-bench-'));
  try {
    // Not counted: it fills Node's compile cache and the server's, and says which lists are read.
    const { requests, report } = await runTool(cluster, folder);
    const lists = listsOf(requests);
    await runBare({ ...cluster, lists });
    const pairs: Pair[] = [];
    for (let run = 1; run <= runs; run++) {
      await touch(cluster, lists);
      const bare = await runBare({ ...cluster, lists });
      const tool = await runTool(cluster, folder);
      pairs.push({ bare, tool: { ...tool, requests: tool.requests.length } });
      progress(`run ${run}: bare ${seconds(bare)}, tool ${seconds(tool)}`);
    }
    const shares = await profile(cluster, folder);
    const eachOnce = new Set(requests.map(({ path }) => path)).size === requests.length;
    return { lists: lists.length, eachOnce, pairs, shares, report };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Milliseconds of `ha-compliance --help`. */
export async function measureHelp(runs: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let run = 0; run <= runs; run++) {
    times.push((await execute([program, '--help'])).milliseconds);
  }
  // The first one fills the compile cache.
  return times.slice(1);
}

const seconds = ({ milliseconds }: { readonly milliseconds: number }) =>
  `${(milliseconds / 1000).toFixed(2)} s`;

/** The first page of each list, as JSON and without a limit. */
function listsOf(requests: readonly Asked[]): readonly Asked[] {
  return requests.flatMap(({ path, accept }) => {
    const url = new URL(path, 'https://server');
    if (!url.searchParams.has('limit') || url.searchParams.has('continue')) return [];
    const types = accept.split(',').filter((type) => type.startsWith('application/json'));
    return [{ path: url.pathname, accept: types.join(',') }];
  });
}

function runOptions({ kubeconfig }: Cluster, folder: string): readonly string[] {
  return ['run', '--kubeconfig', kubeconfig, '--settle-wait', '0', '--quiet', '--out', folder];
}

async function runTool(cluster: Cluster, folder: string) {
  const file = path.join(folder, 'notes.json');
  const hook = new URL('./bench-hook.ts', import.meta.url).href;
  const { milliseconds, status } = await execute(
    ['--import', hook, program, ...runOptions(cluster, folder)],
    { env: { ...process.env, HA_COMPLIANCE_BENCH: file } },
  );
  if (status > 1) throw new Error(`ha-compliance run ended with status ${status}`);
  const notes: Notes = JSON.parse(await readFile(file, 'utf8'));
  const written: Report = JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8'));
  const { complete, summary, inventory } = written;
  return { ...notes, milliseconds, report: { complete, summary, inventory } };
}

async function profile(cluster: Cluster, folder: string): Promise<Shares> {
  const options = ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${folder}`];
  await execute([...options, program, ...runOptions(cluster, folder)]);
  const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'));
  return sharesOf(path.join(folder, file));
}

async function runBare(order: BareOrder): Promise<BareResult> {
  const { output, status } = await execute([path.join(import.meta.dirname, 'bench-bare.ts')], {
    input: JSON.stringify(order),
  });
  if (status !== 0) throw new Error(`the bare GET ended with status ${status}`);
  return JSON.parse(output);
}

/**
 * Changes an object of every list. Where nothing of a kind has changed since etcd was last compacted, the
 * API server has no state of it in memory to continue from, and asks etcd for every page: at twice the
 * cost, and in no cluster that lives.
 */
async function touch(cluster: Cluster, lists: readonly Asked[]): Promise<void> {
  const client = createClient(cluster);
  const annotations = { 'ha-compliance-bench/touched': new Date().toISOString() };
  for (const { path } of lists) {
    const first = await client.demand({ method: 'GET', path: `${path}?limit=1` });
    const [item] = (first as { items: readonly Manifest[] }).items;
    if (!item) continue;
    const { namespace, name } = item.metadata;
    const cut = path.lastIndexOf('/');
    const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
    await client.demand({
      method: 'PATCH',
      path: `${path.slice(0, cut)}${scope}${path.slice(cut)}/${name}`,
      contentType: 'application/merge-patch+json',
      body: { metadata: { annotations } },
    });
  }
  client.close();
}

interface ExecuteOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

async function execute(args: readonly string[], { input, env }: ExecuteOptions = {}) {
  const start = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  const ended = new Promise<{ milliseconds: number; status: number }>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      resolve({ milliseconds: performance.now() - start, status: code ?? 2 }),
    );
  });
  const [output, exit] = await Promise.all([text(child.stdout), ended]);
  return { output, ...exit };
}
