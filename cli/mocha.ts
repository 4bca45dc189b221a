/** Runs the suites under mocha, in this process, and collects the results. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { suites } from '../checks/index.ts';
import type { Result } from '../core/result.ts';
import { record } from '../reports/recorder.ts';
import type { Context } from '../suites/context.ts';

/** The results are the report: mocha itself prints nothing. */
class Silent {}

export async function runSuites(context: Context): Promise<readonly Result[]> {
  const files = context.checks.map(({ suite }) => fileOf(suites.includes(suite) ? suite : 'user'));
  const results: Result[] = [];
  // One after the other: the tests of a large cluster take as much memory as the cluster.
  for (const file of new Set(files)) results.push(...(await runFile(file)));
  return results;
}

async function runFile(file: string): Promise<readonly Result[]> {
  const mocha = new Mocha({ reporter: Silent as never, timeout: 0 }); // a reporter may be any class
  mocha.addFile(file);
  await mocha.loadFilesAsync();
  const { promise, resolve } = Promise.withResolvers<void>();
  const runner = mocha.run(() => resolve());
  const results = record(runner);
  await promise;
  mocha.dispose();
  return results;
}

// Sources in a checkout, what was built from them in a package.
function fileOf(suite: string): string {
  const base = path.join(import.meta.dirname, '..', 'suites', suite);
  return existsSync(`${base}.ts`) ? `${base}.ts` : `${base}.js`;
}
