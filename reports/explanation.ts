/** Sets what checks say of one object on a page. */
import { dump } from 'js-yaml';
import type { ClassifiedFinding, Stage, Verdict } from '../core/result.ts';
import { title } from '../core/text.ts';
import type { Page } from './page.ts';
import { hang, verdictStyles } from './page.ts';
import { ticket } from './ticket.ts';

export interface ExplanationPage {
  readonly object: { readonly kind: string; readonly namespace?: string; readonly name: string };
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  readonly checks: readonly {
    readonly check: string;
    readonly title: string;
    readonly docs: string;
    readonly stage: Stage;
    readonly verdict: Verdict;
    readonly reason?: string;
    readonly reads: readonly { readonly kind: string; readonly objects: number | string }[];
    readonly notes: readonly string[];
    readonly findings: readonly (ClassifiedFinding & {
      readonly dryRun?: { readonly state: string; readonly reason?: string };
    })[];
  }[];
}

export function renderExplanation(page: Page, { object, facts, checks }: ExplanationPage): string {
  const width = Math.max(0, ...facts.map(({ name }) => name.length));
  const lines = [
    page.paint('bold', title(object)),
    ...facts.flatMap(({ name, text }) =>
      hang(page, { label: `  ${name.padEnd(width)}  `, style: 'dim', text }),
    ),
    ...checks.flatMap((check) => ['', ...one(page, check)]),
  ];
  return `${lines.join('\n')}\n`;
}

const indent = '         ';

function one(page: Page, explained: ExplanationPage['checks'][number]): readonly string[] {
  const { verdict, check, reason, stage, reads, notes, findings, docs } = explained;
  const said = reason ?? (findings.length === 0 ? explained.title : `stage ${stage}`);
  return [
    ...hang(page, {
      label: `  ${verdict.toUpperCase().padEnd(7)}`,
      style: verdictStyles[verdict],
      text: `${check}: ${said}`,
    }),
    ...findings.flatMap((finding) => about(page, finding)),
    ...notes.flatMap((note) => hang(page, { label: `${indent}Note: `, text: note })),
    ...hang(page, {
      label: `${indent}Reads: `,
      style: 'dim',
      text: reads.map(({ kind, objects }) => `${kind} ${objects}`).join(', '),
    }),
    ...hang(page, { label: `${indent}Docs: `, style: 'dim', text: docs }),
  ];
}

type Finding = ExplanationPage['checks'][number]['findings'][number];

function about(page: Page, finding: Finding): readonly string[] {
  const { object, message, exception, command, patch, dryRun } = finding;
  const where = object.container === undefined ? '' : ` container ${object.container}`;
  const covered = exception
    ? `; covered ${exception.jira === undefined ? `(${exception.state})` : `by ${ticket(exception.jira)}`}: ${exception.reason}`
    : '';
  return [
    ...hang(page, {
      label: `${indent}- `,
      text: `${object.kind} ${object.name}${where}: ${message}${covered}`,
    }),
    ...hang(page, { label: `${indent}  $ `, style: 'dim', text: command }),
    ...(patch ? [`${indent}  Patch${tried(dryRun)}:`, ...yaml(patch)] : []),
  ];
}

function tried(dryRun: Finding['dryRun']): string {
  if (!dryRun) return '';
  const why = dryRun.reason === undefined ? '' : `: ${dryRun.reason}`;
  return dryRun.state === 'accepted' ? ' (the server takes it)' : ` (${dryRun.state}${why})`;
}

const yaml = (patch: object): readonly string[] =>
  dump(patch, { lineWidth: -1 })
    .trimEnd()
    .split('\n')
    .map((line) => `${indent}    ${line}`);
