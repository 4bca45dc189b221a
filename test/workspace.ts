/** A directory for the files of a test. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Workspace extends AsyncDisposable {
  readonly path: string;
  /** A path in it. */
  at(name: string): string;
  /** Returns the path. */
  write(name: string, content: string): Promise<string>;
  remove(): Promise<void>;
}

export async function workspace(): Promise<Workspace> {
  const path = await mkdtemp(join(tmpdir(), 'ha-compliance-test-'));
  const at = (name: string) => join(path, name);
  const remove = () => rm(path, { recursive: true, force: true });
  return {
    path,
    at,
    async write(name, content) {
      await writeFile(at(name), content);
      return at(name);
    },
    remove,
    [Symbol.asyncDispose]: remove,
  };
}
