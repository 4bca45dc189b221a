/** npm run mutation: makes small mistakes in the rules of the checks, and counts those that fixtures notice. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { checks } from '../checks/index.ts';
import type { Subject } from '../test/mutated.ts';
import { equivalents, isEquivalent, killerOf, subjectOf } from '../test/mutated.ts';
import type { Mutant, Operator } from './mutants.ts';
import { mutantsOf, operators } from './mutants.ts';

const help = `Usage: npm run mutation -- [CHECK…] [options]

Makes one small mistake after the other in the rule of each check, and looks
whether one of its fixtures notices. What survives is printed; what cannot be
noticed stands in checks/equivalent-mutants.yaml.

Options:
  --json   all mutants as JSON
  --help

Exit status: 0 when at least 90 % are noticed; 1 when fewer are; 2 when it could
not be done.
`;

interface Counted {
  readonly id: string;
  readonly mutant: Mutant;
  readonly state: 'killed' | 'survived' | 'equivalent';
}

async function mutate(named: readonly string[], json: boolean): Promise<number> {
  const selected = named.length === 0 ? checks : checks.filter(({ id }) => named.includes(id));
  const counted: Counted[] = [];
  for (const check of selected) {
    const subject = subjectOf(check);
    const own = await countOf(subject);
    counted.push(...own);
    if (!json) process.stdout.write(report(subject, own));
  }
  if (json) process.stdout.write(`${JSON.stringify(counted, null, 2)}\n`);
  else process.stdout.write(`\n${summary(counted, selected.length)}`);
  return scoreOf(counted) >= 0.9 ? 0 : 1;
}

async function countOf(subject: Subject): Promise<readonly Counted[]> {
  const counted: Counted[] = [];
  for (const mutant of mutantsOf(subject.source)) {
    const state = isEquivalent(subject.id, mutant)
      ? 'equivalent'
      : (await killerOf(subject, mutant)) === undefined
        ? 'survived'
        : 'killed';
    counted.push({ id: subject.id, mutant, state });
  }
  return counted;
}

function report({ id, file }: Subject, counted: readonly Counted[]): string {
  const survivors = counted.filter(({ state }) => state === 'survived');
  const place = path.relative(process.cwd(), file);
  const lines = survivors.map(
    ({ mutant: { line, operator, original, replacement } }) =>
      `  ${place}:${line} ${operator}: ${oneLine(original)} → ${oneLine(replacement)}\n`,
  );
  return `${percent(scoreOf(counted))}  ${id}: ${counted.length - survivors.length} of ${counted.length}\n${lines.join('')}`;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 100);

function summary(counted: readonly Counted[], all: number): string {
  const rows = (Object.keys(operators) as Operator[]).map((operator) => {
    const own = counted.filter(({ mutant }) => mutant.operator === operator);
    return `${percent(scoreOf(own))}  ${operator.padEnd(10)} ${String(own.length).padStart(5)}  ${operators[operator]}\n`;
  });
  const equal = counted.filter(({ state }) => state === 'equivalent').length;
  const each = (counted.length / all).toFixed(1);
  return `${rows.join('')}${percent(scoreOf(counted))}  all        ${String(counted.length).padStart(5)}  ${each} per check; ${equal} of them equivalent (${equivalents.length} named)\n`;
}

/** Of those that can be noticed. */
function scoreOf(counted: readonly Counted[]): number {
  const real = counted.filter(({ state }) => state !== 'equivalent');
  return real.length === 0
    ? 1
    : real.filter(({ state }) => state === 'killed').length / real.length;
}

const percent = (score: number) => `${(score * 100).toFixed(1).padStart(5)} %`;

try {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.help) process.stdout.write(help);
  else process.exitCode = await mutate(positionals, values.json ?? false);
} catch (error) {
  process.stderr.write(`mutation: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
