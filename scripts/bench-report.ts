/** What the bench prints: both sides, their ratio, and whether the goals are met. */
import type { SizeName } from './bench-estate.ts';
import type { Measured, Pair } from './bench-measure.ts';
import { activities } from './bench-profile.ts';

export interface Goal {
  readonly name: string;
  readonly found: string;
  readonly isMet: boolean;
}

/** Of a size that nobody set goals for, only what goes for all. */
export interface Benched {
  readonly size: SizeName | undefined;
  readonly measured: Measured;
}

const megabyte = 1024 ** 2;

export function goalsOf({ size, measured }: Benched): readonly Goal[] {
  const { pairs, report, eachOnce, lists } = measured;
  const requests = median(pairs.map(({ tool }) => tool.requests));
  return [
    ...(size === undefined ? [] : own[size](pairs)),
    { name: 'each list once', found: `${lists} lists, ${requests} requests`, isMet: eachOnce },
    { name: 'complete', found: report.complete ? 'yes' : 'no', isMet: report.complete },
  ];
}

const own: Readonly<Record<SizeName, (pairs: readonly Pair[]) => readonly Goal[]>> = {
  S: (pairs) => [absolute(pairs), memory(pairs, 200)],
  M: (pairs) => [relative(pairs), memory(pairs, 350)],
  L: (pairs) => [memory(pairs, 1000), later(relative(pairs)), later(memory(pairs, 700))],
};

const later = (goal: Goal): Goal => ({ ...goal, name: `later: ${goal.name}` });

function memory(pairs: readonly Pair[], limit: number): Goal {
  const peak = median(pairs.map(({ tool }) => tool.peak)) / megabyte;
  return { name: `memory ≤ ${limit} MB`, found: `${peak.toFixed(0)} MB`, isMet: peak <= limit };
}

function absolute(pairs: readonly Pair[]): Goal {
  const time = median(pairs.map(({ tool }) => tool.milliseconds));
  return { name: 'time ≤ 1 s', found: seconds(time), isMet: time <= 1000 };
}

/** Pair by pair: what else the machine does slows both sides. */
function relative(pairs: readonly Pair[]): Goal {
  const used = median(
    pairs.map(({ bare, tool }) => tool.milliseconds / (1.3 * bare.milliseconds + 600)),
  );
  return {
    name: 'time ≤ 1.3 × bare + 0.6 s',
    found: `${(used * 100).toFixed(0)} % of that`,
    isMet: used <= 1,
  };
}

export function helpGoal(times: readonly number[]): Goal {
  const time = median(times);
  return { name: '--help < 0.15 s', found: seconds(time), isMet: time < 150 };
}

export function renderBench({ size, measured }: Benched): string {
  const { pairs, shares, report } = measured;
  const of = (value: (pair: Pair) => number) => median(pairs.map(value));
  const { namespaces, deployments, podDisruptionBudgets } = report.inventory;
  const parts = activities.map((name) => `${name} ${(shares[name] * 100).toFixed(0)} %`);
  const rows = [
    ['', 'time', 'received', 'requests', 'processor', 'memory'],
    [
      'bare GET',
      seconds(of(({ bare }) => bare.milliseconds)),
      megabytes(of(({ bare }) => bare.bytes)),
      String(measured.lists),
      '',
      '',
    ],
    [
      'tool',
      seconds(of(({ tool }) => tool.milliseconds)),
      megabytes(of(({ tool }) => tool.received)),
      String(of(({ tool }) => tool.requests)),
      seconds(of(({ tool }) => tool.cpu)),
      megabytes(of(({ tool }) => tool.peak)),
    ],
    ['ratio', of(({ bare, tool }) => tool.milliseconds / bare.milliseconds).toFixed(2)],
  ];
  return [
    `${size ?? 'cluster'}: ${namespaces} namespaces, ${deployments} Deployments, ${podDisruptionBudgets} PodDisruptionBudgets; medians of ${pairs.length} runs in turn`,
    ...rows.map((row) => `  ${row.map((cell) => cell.padEnd(10)).join('')}`.trimEnd()),
    `  until the first request ${seconds(of(({ tool }) => tool.asked))}, the last answer ${seconds(of(({ tool }) => tool.answered))}, the end ${seconds(of(({ tool }) => tool.ended))}`,
    `  ${parts.join(', ')}`,
    ...goalsOf({ size, measured }).map(renderGoal),
    '',
  ].join('\n');
}

export function renderGoal({ name, found, isMet }: Goal): string {
  return `  ${isMet ? 'met    ' : 'NOT met'}  ${name.padEnd(34)} ${found}`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
const megabytes = (bytes: number) => `${(bytes / megabyte).toFixed(0)} MB`;
