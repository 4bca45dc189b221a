/** The only bridge between mocha and checks: one test for each case of a suite. */
import { describe, it } from 'mocha';
import type { Result } from '../core/result.ts';
import { attach } from '../reports/recorder.ts';
import { current } from './current.ts';
import { judge } from './judge.ts';

export async function suite(name: string): Promise<void> {
  const context = await current();
  const cases = context.cases.filter(({ check }) => check.suite === name);
  describe(name, () => {
    for (const [check, own] of Map.groupBy(cases, (subject) => subject.check)) {
      describe(check.title, () => {
        for (const subject of own) {
          // The run has its own deadline; a transient check waits for its second reading.
          it(subject.testName, async function () {
            this.timeout(0);
            const result = await judge(subject, context);
            attach(this.runnable(), result);
            if (result.verdict === 'skip') this.skip();
            if (result.verdict === 'fail' || result.verdict === 'error')
              throw new Error(said(result));
          });
        }
      });
    }
  });
}

function said({ reason, findings }: Result): string {
  const uncovered = findings.filter(({ exception }) => !exception);
  return [
    ...(reason === undefined ? [] : [reason]),
    ...uncovered.map(({ object, message }) => `${object.kind} ${object.name}: ${message}`),
  ].join('\n');
}
