/** One line that says what is being done, on a terminal only. */
import type { WriteStream } from 'node:tty';

export interface Progress {
  /** Replaces the line. */
  show(text: string): void;
  /** Says something that stays. */
  say(text: string): void;
  clear(): void;
}

/** Milliseconds between two changes of the line: more would only cost time. */
const interval = 100;

export function progress(stream: WriteStream, quiet: boolean): Progress {
  const isShown = !quiet && stream.isTTY;
  let last = Number.NEGATIVE_INFINITY;
  let isDirty = false;
  const clear = () => {
    if (isDirty) stream.write('\r\x1b[K');
    isDirty = false;
  };
  return {
    clear,
    show(text) {
      const now = performance.now();
      if (!isShown || now - last < interval) return;
      last = now;
      stream.write(`\r\x1b[K${text.slice(0, (stream.columns ?? 80) - 1)}`);
      isDirty = true;
    },
    say(text) {
      clear();
      if (!quiet) stream.write(`ha-compliance: ${text}\n`);
    },
  };
}
