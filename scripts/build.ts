/** Builds what is published: JavaScript, and the data beside it. Node strips no types below node_modules. */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const data = ['exceptions/*.yaml', 'checks/*/*/README.md'];

export function build(dist: string): void {
  rmSync(dist, { recursive: true, force: true });
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
  execFileSync(tsc, ['-p', 'tsconfig.build.json', '--outDir', dist], {
    cwd: root,
    stdio: 'inherit',
  });
  for (const file of data.flatMap((pattern) => globSync(pattern, { cwd: root }))) {
    cpSync(path.join(root, file), path.join(dist, file));
  }
}

if (import.meta.main) build(path.join(root, 'dist'));
