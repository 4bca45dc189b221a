/** Directories that are expensive to fill, kept in the user's cache under a key of what they were made from. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface CacheOptions {
  readonly root: string;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: (line: string) => void;
}

/** Where the platform wants such files. */
export function cacheRoot(env: NodeJS.ProcessEnv, platform = process.platform): string {
  const base =
    env['XDG_CACHE_HOME'] ?? join(homedir(), platform === 'darwin' ? 'Library/Caches' : '.cache');
  return join(base, 'ha-compliance');
}

export function keyOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/**
 * The directory `name`, filled by `fill` unless it is there. It appears by a rename, complete or not at
 * all; the lock only saves a second process the work of the first.
 */
export async function cached(
  name: string,
  fill: (directory: string) => Promise<void>,
  options: CacheOptions,
): Promise<string> {
  const target = join(options.root, name);
  if (existsSync(target)) return target;
  await mkdir(options.root, { recursive: true });
  const unlock = await lock(`${target}.lock`, () => existsSync(target), options);
  try {
    if (!existsSync(target)) await fillAndRename(target, fill);
    return target;
  } finally {
    await unlock();
  }
}

async function fillAndRename(
  target: string,
  fill: (directory: string) => Promise<void>,
): Promise<void> {
  await removeLeftovers(target);
  const building = await mkdtemp(`${target}.building-`);
  try {
    await fill(building);
    await rename(building, target);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}

/** What a build that was killed has left. Nobody else builds this: we hold the lock. */
async function removeLeftovers(target: string): Promise<void> {
  const root = join(target, '..');
  for (const entry of await readdir(root)) {
    const path = join(root, entry);
    if (path.startsWith(`${target}.building-`)) await rm(path, { recursive: true, force: true });
  }
}

const heartbeat = 5_000;
const stale = 30_000;

/**
 * A lock is a file whose holder touches it; one that nobody touches any more was left by a process that
 * died. Not a process number in it: the cache may be shared by containers, where numbers repeat.
 */
async function lock(
  path: string,
  isDone: () => boolean,
  options: CacheOptions,
): Promise<() => Promise<void>> {
  for (let told = false; !(await take(path)); told = true) {
    if (isDone()) return async () => undefined;
    if (!told) options.progress?.(`waiting for another process that holds ${path}`);
    await delay(250, undefined, { signal: options.signal });
    await breakIfStale(path);
  }
  const beat = setInterval(() => {
    utimes(path, new Date(), new Date()).catch(() => clearInterval(beat));
  }, heartbeat).unref();
  return async () => {
    clearInterval(beat);
    await rm(path, { force: true });
  };
}

async function take(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** By a rename, so that of several that wait one wins. */
async function breakIfStale(path: string): Promise<void> {
  try {
    if (Date.now() - (await stat(path)).mtimeMs < stale) return;
    const broken = `${path}.${randomUUID()}`;
    await rename(path, broken);
    await rm(broken, { force: true });
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
