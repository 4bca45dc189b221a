/** What ends a run early: its deadline, Ctrl-C, or the signal that a CI system sends before it kills. */

export interface Interruption {
  readonly signal: AbortSignal;
  /** Takes the handlers away again. */
  done(): void;
}

const signals = ['SIGINT', 'SIGTERM'] as const;
const numbers = { SIGINT: 2, SIGTERM: 15 };

/** The first signal ends the reading, so that the reports are still written; a second one ends at once. */
export function interruption(timeout: number): Interruption {
  const stop = new AbortController();
  let isSignalled = false;
  const handler = (signal: (typeof signals)[number]) => {
    // After the deadline, too, the first one lets the reports be written.
    if (isSignalled) process.exit(128 + numbers[signal]);
    isSignalled = true;
    process.stderr.write(
      `\nha-compliance: ${signal}: writing what there is; again to end at once\n`,
    );
    stop.abort(new Error(signal));
  };
  for (const signal of signals) process.on(signal, handler);
  const deadline = setTimeout(() => stop.abort(new Error('deadline')), timeout);
  // Nothing waits for a deadline.
  deadline.unref();
  return {
    signal: stop.signal,
    done() {
      clearTimeout(deadline);
      for (const signal of signals) process.off(signal, handler);
    },
  };
}
