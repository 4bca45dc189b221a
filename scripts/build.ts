/** Builds what is published: JavaScript, and the data that stands beside it. Node strips no types below node_modules. */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const data = ['exceptions/*.yaml', 'checks/*/*/README.md', 'docs/schemas/*.json'];

rmSync(dist, { recursive: true, force: true });
execFileSync(path.join(root, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
for (const file of data.flatMap((pattern) => globSync(pattern, { cwd: root }))) {
  cpSync(path.join(root, file), path.join(dist, file));
}
