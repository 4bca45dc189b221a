/** The pinned Go modules of tools/: what they are keyed by, and how programs and files are had from them. */
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cached, cacheRoot, keyOf } from './cache.ts';
import { messageOf, SandboxError } from './errors.ts';
import { run } from './run.ts';

interface Module {
  /** The folder below tools/. */
  readonly folder: string;
  /** The module that the folder pins. */
  readonly path: string;
}

export interface Programs extends Module {
  /** Name of the program → package that it is built from. */
  readonly programs: Readonly<Record<string, string>>;
  /** What the linker is to set (name=value) where a program does not know the version that go.mod pins. */
  readonly variables?: (version: string) => readonly string[];
}

export interface Files extends Module {
  /** Paths of files in the module. */
  readonly files: readonly string[];
}

export interface FetchOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly progress: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

const tools = join(import.meta.dirname, 'tools');

/** The directory with the module's programs, built if they are not in the cache. */
export async function buildPrograms(module: Programs, options: FetchOptions): Promise<string> {
  const files = await moduleFiles(module);
  const fill = (directory: string) => build(module, directory, files[0], options);
  return cached(programsName(module, files), fill, { ...options, root: cacheRoot(options.env) });
}

/** Names a build by all that decides what it results in, `files` being the module's go.mod and go.sum. */
export function programsName(module: Programs, files: readonly string[]): string {
  const recipe = JSON.stringify([module.programs, module.variables?.('')]);
  return `${module.folder}-${keyOf([...files, recipe, process.platform, process.arch])}`;
}

/** The directory with copies of the module's files, downloaded if they are not in the cache. */
export async function fetchFiles(module: Files, options: FetchOptions): Promise<string> {
  const files = await moduleFiles(module);
  const name = `${module.folder}-files-${keyOf([...files, ...module.files])}`;
  const fill = (directory: string) => download(module, directory, options);
  return cached(name, fill, { ...options, root: cacheRoot(options.env) });
}

/** The version at which a go.mod pins a module. */
export function pinnedVersion(goMod: string, path: string): string {
  for (const line of goMod.split('\n')) {
    const [name, version] = line
      .replace(/^require /, '')
      .trim()
      .split(' ');
    if (name === path && version !== undefined) return version;
  }
  throw new SandboxError(`no version of ${path} in its go.mod`);
}

async function moduleFiles({ folder }: Module): Promise<readonly [string, string]> {
  const read = (file: string) => readFile(join(tools, folder, file), 'utf8');
  return Promise.all([read('go.mod'), read('go.sum')]);
}

async function build(
  module: Programs,
  directory: string,
  goMod: string,
  options: FetchOptions,
): Promise<void> {
  const version = pinnedVersion(goMod, module.path);
  const variables = (module.variables?.(version) ?? []).map((variable) => `-X ${variable}`);
  for (const [program, source] of Object.entries(module.programs)) {
    options.progress(`building ${program} ${version} (the first time only; it may take minutes)`);
    const output = join(directory, program);
    const flags = ['-v', '-mod=readonly', '-trimpath', `-ldflags=-s -w ${variables.join(' ')}`];
    await go(['build', ...flags, '-o', output, source], module, options);
  }
}

async function download(module: Files, directory: string, options: FetchOptions): Promise<void> {
  options.progress(`downloading ${module.path}`);
  await go(['mod', 'download', module.path], module, options);
  const answer = await go(['list', '-m', '-f', '{{.Dir}}', module.path], module, options);
  for (const file of module.files) await cp(join(answer.trim(), file), join(directory, file));
}

async function go(args: readonly string[], module: Module, options: FetchOptions): Promise<string> {
  let packages = 0;
  const started = Date.now();
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    // None while a program is linked, or when they are in Go's own cache.
    const compiled = packages > 0 ? `, ${packages} packages compiled` : '';
    options.progress(`… ${seconds} s${compiled}`);
  }, 10_000);
  try {
    return await run('go', args, {
      cwd: join(tools, module.folder),
      // A go.work above the checkout would hide the pinned versions.
      env: { ...options.env, GOWORK: 'off' },
      signal: options.signal,
      onErrorLine: () => packages++,
    });
  } catch (error) {
    throw new SandboxError(
      `go ${args[0]} of ${module.path} failed: ${messageOf(error)}\n` +
        'The sandbox needs Go and a module proxy once, or the programs in KUBEBUILDER_ASSETS or on PATH.',
      { cause: error },
    );
  } finally {
    clearInterval(timer);
  }
}
