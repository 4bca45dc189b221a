/** Reads results off mocha's tests: how a run of the suites becomes a list of results. */
import type { Runnable, Runner, Test } from 'mocha';
import type { Result } from '../core/result.ts';

const results = new WeakMap<object, Result>();

/** Leaves a result with the test that found it. */
export function attach(test: Runnable, result: Result): void {
  results.set(test, result);
}

/** Fills with results as the tests of a run end. */
export function record(runner: Runner): readonly Result[] {
  const recorded: Result[] = [];
  runner.on('test end', (test: Test) => {
    const result = results.get(test);
    if (result) recorded.push(result);
  });
  return recorded;
}
