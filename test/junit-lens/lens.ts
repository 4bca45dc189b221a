/** What Prow's own junit lens makes of JUnit files: built once from the pinned module, kept in the user's cache. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cached, cacheRoot, keyOf } from '../../sandbox/cache.ts';
import { run } from '../../sandbox/run.ts';

export interface LensTest {
  readonly classname: string;
  readonly name: string;
  /** Why it was skipped, else empty. */
  readonly reason: string;
  readonly runs: number;
}

export interface LensView {
  readonly failed: readonly LensTest[];
  readonly flaky: readonly LensTest[];
  readonly skipped: readonly LensTest[];
  readonly passed: readonly LensTest[];
  readonly total: number;
}

/** Files that the lens cannot parse are left out without a word, as in Spyglass. */
export async function lens(files: readonly string[]): Promise<LensView> {
  const output = await run(join(await buildLens(), program), files);
  const rows = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
  const tests = (status: string) => rows.filter(([first]) => first === status).map(testOf);
  const [total = ''] = rows.filter(([first]) => first === 'total').map(([, n = '']) => n);
  return {
    failed: tests('failed'),
    flaky: tests('flaky'),
    skipped: tests('skipped'),
    passed: tests('passed'),
    total: Number.parseInt(total, 10),
  };
}

const program = 'junit-lens';

/** The folder of the program; the first time it takes a minute of two cores, a module proxy and Go. */
export async function buildLens(): Promise<string> {
  const sources = ['go.mod', 'go.sum', 'main.go'].map((name) => join(import.meta.dirname, name));
  const contents = await Promise.all(sources.map((path) => readFile(path, 'utf8')));
  const name = `${program}-${keyOf([...contents, process.platform, process.arch])}`;
  return cached(name, build, { root: cacheRoot(process.env) });
}

async function build(folder: string): Promise<void> {
  const flags = ['-mod=readonly', '-trimpath', '-o', join(folder, program)];
  try {
    await run('go', ['build', ...flags, '.'], {
      cwd: import.meta.dirname,
      // A go.work above the checkout would hide the pinned versions.
      env: { ...process.env, GOWORK: 'off' },
    });
  } catch (error) {
    throw new Error("Prow's junit lens is built with Go and its module proxy, once; that failed", {
      cause: error,
    });
  }
}

function testOf([
  ,
  classname = '',
  name = '',
  reason = '',
  runs = '',
]: readonly string[]): LensTest {
  return {
    classname: decoded(classname),
    name: decoded(name),
    reason: decoded(reason),
    runs: Number(runs),
  };
}

/** Each text is URL-encoded, so that lines and tabs part them; the plus signs are escaped for HTML, too. */
const decoded = (text: string): string =>
  decodeURIComponent(text.replaceAll('&#43;', '+').replaceAll('+', ' '));
