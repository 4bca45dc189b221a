/** A directory for the files of a test. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Workspace extends AsyncDisposable {
  readonly path: string;
  /** A path in it. */
  at(name: string): string;
  /** Makes folders, too. Returns the path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
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
      await mkdir(dirname(at(name)), { recursive: true });
      await writeFile(at(name), content);
      return at(name);
    },
    remove,
    [Symbol.asyncDispose]: remove,
  };
}
