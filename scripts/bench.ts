/** npm run bench: how long the tool takes and what it needs, beside a bare GET of the same lists. */
import { parseArgs } from 'node:util';
import { findTarget } from '../cluster/kubeconfig.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { up } from '../sandbox/up.ts';
import { type SizeName, sizes } from './bench-estate.ts';
import { controllerArgs, fill } from './bench-fill.ts';
import { type Cluster, measure, measureHelp } from './bench-measure.ts';
import { type Benched, goalsOf, helpGoal, renderBench, renderGoal } from './bench-report.ts';

const help = `Usage: npm run bench -- [options]

Makes clusters of several sizes in sandboxes, and measures the tool on each, in
turn with a bare GET of the same lists. Ratios within one run mean something;
times depend on what else the machine does.

Options:
  --size S|M|L      about 1 000, 11 000 or 50 000 pods; repeatable (S and M)
  --runs N          pairs of measurements (5)
  --keep            with one size: leave the cluster there to be measured again,
                    until Ctrl-C
  --kubeconfig F    measure a cluster that was kept, and make none; --size says
                    whose goals it has
  --json            print all figures as JSON
  --help

Exit status: 0, met or not; 2 when it could not be done.
`;

const options = {
  size: { type: 'string', multiple: true },
  runs: { type: 'string', default: '5' },
  keep: { type: 'boolean', default: false },
  kubeconfig: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const defaultSizes: readonly SizeName[] = ['S', 'M'];

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

try {
  const { values } = parseArgs({ options });
  if (values.help) process.stdout.write(help);
  else await bench(values);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 2;
}

async function bench({ kubeconfig, ...values }: Values): Promise<void> {
  const runs = Number(values.runs);
  if (!(Number.isInteger(runs) && runs > 0)) throw new Error(`--runs ${values.runs}: a number`);
  const named = (values.size ?? []).map(sizeOf);
  if (values.keep && named.length !== 1) throw new Error('--keep: with one --size');
  const help = helpGoal(await measureHelp(runs));
  const benched: Benched[] = [];
  const add = (one: Benched) => {
    benched.push(one);
    if (!values.json) process.stdout.write(renderBench(one));
  };
  const end = () => {
    if (values.json)
      print({ help, sizes: benched.map((one) => ({ ...one, goals: goalsOf(one) })) });
    else process.stdout.write(`${renderGoal(help)}\n`);
  };
  if (kubeconfig !== undefined) {
    const measured = await measure(clusterOf(kubeconfig), { runs, progress: say });
    add({ size: named[0], measured });
    return end();
  }
  for (const size of named.length > 0 ? named : defaultSizes) {
    const progress = (line: string) => say(`${size}: ${line}`);
    await using sandbox = await start(size, progress);
    const measured = await measure(clusterOf(sandbox.files.kubeconfig), { runs, progress });
    add({ size, measured });
    if (!values.keep) continue;
    end();
    return await kept(sandbox.files.kubeconfig);
  }
  end();
}

function sizeOf(name: string): SizeName {
  if (Object.hasOwn(sizes, name)) return name as SizeName;
  throw new Error(`--size ${name}: ${Object.keys(sizes).join(', ')}`);
}

async function start(size: SizeName, progress: (line: string) => void): Promise<Sandbox> {
  const sandbox = await up({
    name: `bench-${size.toLowerCase()}`,
    extraArgs: { 'kube-controller-manager': controllerArgs },
    progress,
  });
  try {
    await fill(sandbox, sizes[size], progress);
    return sandbox;
  } catch (error) {
    await sandbox.down();
    throw error;
  }
}

/** A sandbox ends with this process. */
async function kept(kubeconfig: string): Promise<void> {
  say(`kept until Ctrl-C; from elsewhere: npm run bench -- --kubeconfig ${kubeconfig}`);
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
}

function clusterOf(kubeconfig: string): Cluster {
  const { cluster, user } = findTarget({ kubeconfig }, process.env);
  const authority = Buffer.from(cluster['certificate-authority-data'] ?? '', 'base64').toString();
  return { kubeconfig, server: cluster.server, authority, token: user.token ?? '' };
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

function say(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}
