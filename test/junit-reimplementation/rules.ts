/**
 * What Sippy and ci-test-mapping make of a JUnit file, reimplemented from the rules R1 to R17 as far as
 * a file shows them: neither is to be had as a module.
 */
import { caseRules } from './case-rules.ts';
import { fileRules } from './file-rules.ts';
import { nameRules } from './name-rules.ts';
import type { Case, Element } from './parse.ts';
import { casesOf, parseXml } from './parse.ts';

export interface JunitFile {
  /** Below --out. */
  readonly path: string;
  readonly text: string;
  /** The names of the other files in its folder. */
  readonly beside?: readonly string[];
}

export interface Expectations {
  readonly suites?: readonly string[];
  readonly limit?: number;
  /** Exact names of Jira's components. */
  readonly components?: readonly string[];
  /** Templates of names that were released. */
  readonly released?: readonly string[];
}

interface Subject {
  readonly file: JunitFile;
  readonly root: Element;
  readonly cases: readonly Case[];
  readonly expected: Expectations;
}

/** Returns what is wrong. */
export type Rule = (subject: Subject) => readonly string[];

const rules: Readonly<Record<string, Rule>> = { ...fileRules, ...caseRules, ...nameRules };
export const ruleIds: readonly string[] = Object.keys(rules).toSorted(
  (a, b) => Number(a.slice(1)) - Number(b.slice(1)),
);

/** `R3: …` for each violation. */
export function violations(file: JunitFile, expected: Expectations = {}): readonly string[] {
  let root: Element;
  try {
    root = parseXml(file.text);
  } catch (error) {
    return [`R3: ${error instanceof Error ? error.message : String(error)}`];
  }
  const subject: Subject = { file, root, cases: casesOf(root), expected };
  return ruleIds.flatMap((id) =>
    (rules[id]?.(subject) ?? []).map((problem) => `${id}: ${problem}`),
  );
}
