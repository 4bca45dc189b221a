/** Writes the reports: whole or not at all. */
import { access, constants, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KnownError } from '../core/errors.ts';
import type { Report } from '../core/result.ts';
import { jsonParts } from '../reports/json.ts';
import { renderJunit } from '../reports/junit.ts';
import { junitFileName, olderJunitFiles } from '../reports/junit-file.ts';

export interface ReportFiles {
  readonly report: string;
  readonly junit: string;
}

const junitFolder = (out: string) => path.join(out, 'junit');
const reportFile = (out: string) => path.join(out, 'report.json');

/**
 * A run removes its own older files first: two JUnit files of one job would be merged into flakes, and
 * a report that is still there when the run finds nothing to report would pass for its own.
 */
export async function prepareOut(out: string): Promise<void> {
  await writable(`--out ${out}`, async () => {
    const junit = junitFolder(out);
    await makeFolder(junit);
    const older = olderJunitFiles(await readdir(junit)).map((name) => path.join(junit, name));
    await Promise.all([reportFile(out), ...older].map((file) => rm(file, { force: true })));
  });
}

/** Not with `recursive`: where nothing can be made, as below /proc, Node would try for ever. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    const above = path.dirname(folder);
    if (code !== 'ENOENT' || above === folder || (await exists(above))) throw error;
    await makeFolder(above);
    await mkdir(folder);
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** What is read must not be written over, and a directory cannot be. */
export async function prepareRecord(file: string, from: readonly string[]): Promise<void> {
  await writable(`--record ${file}`, async () => {
    // The dot makes it an error when what is written into is no directory.
    await access(`${path.dirname(file)}/.`, constants.W_OK);
    const target = await identityOf(file);
    if (target?.isDirectory) throw new Error('is a directory');
    for (const source of from) {
      const read = await identityOf(source);
      if (target && read && target.id === read.id) throw new Error('is what --from reads');
    }
  });
}

/** Whatever name leads to it; undefined where there is nothing. */
async function identityOf(file: string) {
  const found = await stat(file).catch(() => undefined);
  return found && { id: `${found.dev} ${found.ino}`, isDirectory: found.isDirectory() };
}

export async function writeReports(
  out: string,
  report: Report,
  { suiteName }: { readonly suiteName: string },
): Promise<ReportFiles> {
  const files = {
    report: reportFile(out),
    junit: path.join(junitFolder(out), junitFileName(report.startedAt)),
  };
  await writable(`--out ${out}`, async () => {
    await writeWhole(files.junit, renderJunit(report, { suiteName }));
    await writeWhole(files.report, jsonParts(report));
  });
  return files;
}

/** A reader never meets half a file. */
async function writeWhole(file: string, text: string | Iterable<string>): Promise<void> {
  const unfinished = `${file}.tmp`;
  await writeFile(unfinished, text);
  await rename(unfinished, file);
}

async function writable(what: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new KnownError('UNWRITABLE_OUTPUT', `${what}: cannot be written: ${why}`, { cause });
  }
}
