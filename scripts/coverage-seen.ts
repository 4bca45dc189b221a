/** Fails where coverage counted nothing: 100 % of no files is no coverage. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const summary: Readonly<Record<string, { readonly lines: { readonly covered: number } }>> =
  JSON.parse(readFileSync(path.join(root, 'coverage', 'coverage-summary.json'), 'utf8'));

for (const folder of ['core', 'checks', 'exceptions', 'reports']) {
  const files = Object.entries(summary).filter(([file]) =>
    path.relative(root, file).startsWith(`${folder}${path.sep}`),
  );
  const lines = files.reduce((sum, [, { lines }]) => sum + lines.covered, 0);
  process.stdout.write(`${folder}: ${lines} lines of ${files.length} files covered\n`);
  if (lines === 0) process.exitCode = 1;
}
