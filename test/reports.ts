/** What a run has left in its --out. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../core/result.ts';
import { violations } from './junit-reimplementation/rules.ts';

export interface Reports {
  readonly report: Report;
  readonly junit: string;
  readonly junitPath: string;
}

/** Asserts that both are there, and that the JUnit file is one that its readers accept. */
export async function reportsIn(out: string): Promise<Reports> {
  const report: Report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
  const files = await readdir(join(out, 'junit'));
  assert.equal(files.length, 1, `JUnit files: ${files.join(', ')}`);
  const junitPath = join(out, 'junit', files[0] ?? '');
  const junit = await readFile(junitPath, 'utf8');
  const problems = violations({ path: `junit/${files[0]}`, text: junit, beside: [] });
  assert.deepEqual(problems, []);
  return { report, junit, junitPath };
}
