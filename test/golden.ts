/** Compares a text with the file that holds it; `UPDATE=1` writes the file instead. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export async function golden(name: string, actual: string, folder = 'test/goldens'): Promise<void> {
  const path = join(import.meta.dirname, '..', folder, name);
  if (process.env['UPDATE'] === '1') {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, actual);
  }
  assert.equal(
    actual,
    await readFile(path, 'utf8'),
    `${folder}/${name} differs: UPDATE=1 writes it`,
  );
}
