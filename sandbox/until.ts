/** Waiting for a condition. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { SandboxError } from './errors.ts';

export interface UntilOptions {
  readonly signal: AbortSignal;
  /** In milliseconds, as the next. */
  readonly timeout: number;
  /** Pause between two looks. */
  readonly every?: number;
}

/** Looks until `missing` returns nothing; what it says otherwise becomes the message when time is over. */
export async function until(
  missing: () => Promise<string | undefined>,
  { signal, timeout, every = 50 }: UntilOptions,
): Promise<void> {
  signal.throwIfAborted();
  const end = Date.now() + timeout;
  const done = new AbortController();
  // A look may hang, where a stranger listens on a port of ours: it is not waited for.
  const aborted = once(signal, 'abort', { signal: done.signal }).catch(() => undefined);
  try {
    for (;;) {
      const what = await Promise.race([missing(), aborted.then(() => 'aborted')]);
      signal.throwIfAborted();
      if (what === undefined) return;
      if (Date.now() > end) {
        throw new SandboxError(`the sandbox is not ready after ${timeout / 1000} s: ${what}`);
      }
      await delay(every);
    }
  } finally {
    done.abort();
  }
}
