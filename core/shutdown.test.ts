import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { onlySleep } from './hidden.ts';
import { graceSeconds, sleepOf } from './shutdown.ts';

describe('graceSeconds', () => {
  const cases = [
    [undefined, 30],
    [0, 0],
    [1, 1],
    [-1, 1],
    [3600, 3600],
  ] as const;
  for (const [terminationGracePeriodSeconds, seconds] of cases) {
    it(`is ${seconds} where ${terminationGracePeriodSeconds} is written`, () => {
      const spec =
        terminationGracePeriodSeconds === undefined ? {} : { terminationGracePeriodSeconds };
      assert.equal(graceSeconds(spec), seconds);
    });
  }
});

describe('sleepOf', () => {
  it('is what the sleep action says; an absent number is the zero that Protobuf drops', () => {
    assert.equal(sleepOf({ sleep: { seconds: 12 } })?.seconds, 12);
    assert.equal(sleepOf({ sleep: {} })?.seconds, 0);
  });

  it('is unknown of other hooks', () => {
    assert.equal(sleepOf({ httpGet: true }), undefined);
    assert.equal(sleepOf({ exec: {} }), undefined);
    assert.equal(sleepOf({}), undefined);
  });

  const commands = [
    [['sleep', '10'], 10],
    [['/bin/sleep', '10'], 10],
    [['sleep', '2.5'], 2.5],
    [['sleep', '10s'], 10],
    [['sleep', '2m'], 120],
    [['sleep', '1h'], 3600],
    [['sleep', '1d'], 86_400],
    [['sleep'], undefined],
    [['sleep', '10', '5'], undefined],
    [['sleep', 'infinity'], undefined],
    [['sh', '-c', 'sleep 15'], 15],
    [['/bin/bash', '-ec', ' sleep 15 '], 15],
    [['/bin/dash', '-c', 'sleep 5; nginx -s quit'], 5],
    [['ash', '-c', 'sleep 5 && nginx -s quit'], 5],
    [['sh', '-c', 'sleep 1m;kill 1'], 60],
    [['sh', '-c', 'nginx -s quit; sleep 5'], undefined],
    [['sh', '-c', 'sleep 5 & wait'], undefined],
    [['sh', '-c'], undefined],
    [['sh', 'sleep 5'], undefined],
    [['sh', '/stop.sh', 'sleep 5'], undefined],
    [['fish', '-c', 'sleep 5'], undefined],
    [['nginx', '-s', 'quit'], undefined],
    [['5', '5'], undefined],
  ] as const;
  for (const [command, seconds] of commands) {
    it(`is ${seconds} of ${command.join(' ')}`, () => {
      assert.equal(sleepOf({ exec: { command: command.map(onlySleep) } })?.seconds, seconds);
    });
  }

  it('tells whether anything else is done', () => {
    const exec = (...command: string[]) => ({ exec: { command: command.map(onlySleep) } });
    const hooks = [
      { sleep: { seconds: 5 } },
      exec('sleep', '5'),
      exec('sh', '-c', 'sleep 5'),
      exec('sh', '-c', 'sleep 5; nginx -s quit'),
    ];
    assert.deepEqual(
      hooks.map((hook) => sleepOf(hook)?.isAll),
      [true, true, true, false],
    );
  });
});
