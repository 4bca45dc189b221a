/** The context of this process: the command line's, or, under plain mocha, one of its own. */
import { configuration } from './configuration.ts';
import type { Context } from './context.ts';
import { prepare } from './context.ts';
import { settingsOf } from './settings.ts';

let provided: Promise<Context> | undefined;

/** Gives the suites their context; mocha loads them later and can pass them nothing. */
export function provide(context: Context): void {
  provided = Promise.resolve(context);
}

/** Lets go of what was read: the reports of a large cluster take as much memory again. */
export function release(): void {
  provided = undefined;
}

/** Every suite of a process works on the same reading of the cluster. */
export function current(): Promise<Context> {
  provided ??= fromEnvironment();
  return provided;
}

/** `npx mocha suites/*.ts` reads the configuration file that the command line reads. */
async function fromEnvironment(): Promise<Context> {
  const { env } = process;
  const settings = settingsOf(await configuration({ env, cwd: process.cwd() }));
  const signal = AbortSignal.timeout(settings.timeout);
  return prepare(settings, { env, now: new Date(), signal });
}
