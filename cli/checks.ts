/** ha-compliance checks: what is judged, with its title each, or one check in full. */
import { readFileSync } from 'node:fs';
import { checks, suites } from '../checks/index.ts';
import { didYouMean } from '../config/nearest.ts';
import type { AnyCheck } from '../core/check.ts';
import { docsOf } from '../core/check.ts';
import { hang, pageOf } from '../reports/page.ts';
import type { Command } from './command.ts';
import { checksOptions, choice, parse, usage } from './options.ts';
import { pageOfOutput } from './output.ts';

export const command: Command = async (args) => {
  const { values, positionals } = await parse(args, checksOptions);
  const format = await choice('format', values.format, checksOptions.format.choices);
  const [word, ...rest] = positionals;
  if (rest.length > 0) throw usage('checks: one ID or SUITE at a time');
  const listed = checks.filter(({ suite }) => word === undefined || suite === word);
  if (listed.length === 0) printChecks([find(word)], format);
  else if (format === 'json') printChecks(listed, format);
  else print(list(listed));
  return 0;
};

function find(word: string | undefined): AnyCheck {
  const found = checks.find(({ id, code }) => id === word || code === word);
  if (found) return found;
  const known = [...checks.map(({ id }) => id), ...suites];
  throw usage(`unknown check or suite "${word}"${didYouMean(word ?? '', known)}`);
}

function metadata({ run: _, cap: __, ...check }: AnyCheck) {
  return { ...check, docs: docsOf(check) };
}

function list(found: readonly AnyCheck[]): string {
  const sheet = pageOfOutput();
  const width = Math.max(...found.map(({ id }) => id.length));
  const bySuite = Map.groupBy(found, ({ suite }) => suite);
  return [...bySuite]
    .map(([suite, own]) => {
      const lines = own.flatMap(({ id, severity, stage, title }) => {
        const label = `  ${id.padEnd(width)}  ${severity.padEnd(8)}  ${stage.padEnd(7)}  `;
        return hang(sheet, { label, text: title });
      });
      return `${suite}\n${lines.join('\n')}\n`;
    })
    .join('\n');
}

/** Checks in full. */
export function printChecks(found: readonly AnyCheck[], format: string | undefined): void {
  if (format === 'json') print(`${JSON.stringify(found.map(metadata), undefined, 2)}\n`);
  else print(found.map(page).join('\n\n'));
}

const paper = pageOf(80, false);

function page(check: AnyCheck): string {
  return [
    `${check.id}: ${check.title}\n`,
    `  suite     ${check.suite}`,
    `  scope     ${check.scope}`,
    `  severity  ${check.severity}`,
    `  stage     ${check.stage}`,
    ...hang(paper, { label: '  reads     ', text: check.requires.join(', ') }),
    ...hang(paper, { label: '  uses      ', text: check.uses?.join(', ') || '-' }),
    `  JUnit     ${check.testName}\n`,
    explanationOf(check),
  ].join('\n');
}

/** The page of a check; one of the user's has none but what it says of itself. */
function explanationOf(check: AnyCheck): string {
  if (check.docs !== undefined)
    return `${check.breaks}\n\nFix: ${check.fix}\nFile: ${check.docs}\n`;
  const readme = new URL(`../${docsOf(check)}`, import.meta.url);
  return readFileSync(readme, 'utf8').replace(/^# .*\n+/, '');
}

function print(text: string): void {
  process.stdout.write(text);
}
