import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { boundedTolerations, failoverSeconds, nodeGrace } from './failover.ts';
import type { Toleration } from './objects.ts';

const [notReady, unreachable] = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const old = 'v1.31.0';
const seconds = (...tolerations: Toleration[]) => failoverSeconds({ tolerations }, old) - 40;
const stays = (key: string, tolerationSeconds?: number): Toleration => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds !== undefined && { tolerationSeconds }),
});

describe('nodeGrace', () => {
  const table = [
    ['v1.31.12', 40],
    ['1.9', 40],
    ['v1.32.0', 50],
    ['v1.36.3', 50],
    [undefined, 50],
    ['unknown', 50],
  ] as const;
  for (const [version, expected] of table) {
    it(`is ${expected} s with ${version}`, () => assert.equal(nodeGrace(version), expected));
  }
});

describe('failoverSeconds', () => {
  it('adds 300 s where a pod says nothing', () => {
    assert.equal(failoverSeconds({}, old), 340);
    assert.equal(failoverSeconds({}, 'v1.32.0'), 350);
  });

  it('adds the longer of the two stays', () => {
    assert.equal(seconds(stays(notReady, 60), stays(unreachable, 120)), 120);
    assert.equal(seconds(stays(notReady, 120), stays(unreachable, 60)), 120);
    assert.equal(seconds(stays(notReady, 60)), 300);
  });

  it('is endless without tolerationSeconds', () => {
    assert.equal(seconds(stays(notReady, 60), stays(unreachable)), Number.POSITIVE_INFINITY);
    assert.equal(seconds({ operator: 'Exists' }), Number.POSITIVE_INFINITY);
  });

  it('counts nothing below zero', () => {
    assert.equal(seconds(stays(notReady, 0), stays(unreachable, -5)), 0);
  });

  it('believes the first toleration that matches', () => {
    const both = [stays(notReady, 60), stays(unreachable, 60)];
    assert.equal(seconds(...both, { operator: 'Exists' }), 60);
    assert.equal(seconds({ operator: 'Exists' }, ...both), Number.POSITIVE_INFINITY);
  });

  it('asks for the effect NoExecute', () => {
    const other = { key: unreachable, operator: 'Exists', effect: 'NoSchedule' };
    assert.equal(seconds(other, stays(notReady, 60)), 300);
    const any = { key: unreachable, operator: 'Exists', tolerationSeconds: 30 };
    assert.equal(seconds(any, stays(notReady, 60)), 60);
  });

  it('believes no misspelt key', () => {
    assert.equal(seconds(stays('node.kubernetes.io/not-reachable', 60)), 300);
  });
});

describe('boundedTolerations', () => {
  const limited = [stays(notReady, 120), stays(unreachable, 120)];

  it('bound the stay on a lost node, whatever was tolerated before', () => {
    assert.deepEqual(boundedTolerations([]), limited);
    assert.deepEqual(boundedTolerations([stays(unreachable), stays(notReady, 900)]), limited);
    assert.equal(seconds(...boundedTolerations([{ operator: 'Exists' }])), 120);
  });

  it('keep what is about other taints and other effects', () => {
    const others = [
      { operator: 'Exists' },
      { key: unreachable, operator: 'Exists', effect: 'NoSchedule' },
      stays('dedicated'),
    ];
    assert.deepEqual(boundedTolerations(others), [...limited, ...others]);
  });
});
