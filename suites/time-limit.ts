/** Ends a computation that would go on: nothing else can, as long as it does not wait for anything. */
import { types } from 'node:util';
import vm from 'node:vm';

const script = new vm.Script('work()');

/** What the work returns. Throws its error, or one that says what took too long. */
export function within<T>(milliseconds: number, what: string, work: () => T): T {
  try {
    // V8 looks at the clock in loops and in the search of regular expressions alike.
    return script.runInNewContext({ work }, { timeout: milliseconds });
  } catch (cause) {
    if (!isTimeout(cause)) throw cause;
    throw new Error(`${what} takes more than ${milliseconds / 1000} s`, { cause });
  }
}

// Of the script's own realm, so that it is no instance of this one's Error.
const isTimeout = (cause: unknown) =>
  types.isNativeError(cause) && 'code' in cause && cause.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
