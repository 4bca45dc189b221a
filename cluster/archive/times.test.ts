import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { kubeletVersion, newestCondition, operandVersion, startOf } from './times.ts';

describe('startOf', () => {
  it('reads the earliest of the lines that Go has written', () => {
    assert.equal(
      startOf('2021-08-03 12:11:56.91 +0200 CEST m=+1.6\n2021-08-03 10:11:58 +0000 UTC m=+3.1\n'),
      '2021-08-03T10:11:56Z',
    );
  });

  it('reads RFC 3339, too, and nothing else', () => {
    assert.equal(startOf('2024-01-02T03:04:05Z'), '2024-01-02T03:04:05Z');
    assert.equal(startOf('2024-01-02T03:04:05.5+05:30'), '2024-01-01T21:34:05Z');
    assert.equal(startOf('yesterday\n2024-13-45 99:99:99 +0000 UTC'), undefined);
  });
});

describe('newestCondition', () => {
  it('looks at every time in every condition', () => {
    const conditions = [
      { lastTransitionTime: '2024-01-02T00:00:00Z', lastHeartbeatTime: '2024-01-05T00:00:00.123Z' },
      { lastUpdateTime: '2024-01-04T00:00:00Z', lastProbeTime: null },
      'odd',
    ];
    assert.equal(newestCondition({ status: { conditions } }), '2024-01-05T00:00:00Z');
  });

  it('is nothing where there is no condition with a time', () => {
    for (const raw of [
      null,
      {},
      { status: [] },
      { status: { conditions: [{ lastProbeTime: 'x' }] } },
    ]) {
      assert.equal(newestCondition(raw), undefined);
    }
  });
});

describe('operandVersion', () => {
  it("is the API server's, of its own operator", () => {
    const status = { versions: [{ name: 'kube-apiserver', version: '1.29.5' }] };
    assert.equal(operandVersion({ metadata: { name: 'kube-apiserver' }, status }), 'v1.29.5');
    assert.equal(operandVersion({ metadata: { name: 'etcd' }, status }), undefined);
    assert.equal(operandVersion({ metadata: { name: 'kube-apiserver' } }), undefined);
  });
});

describe('kubeletVersion', () => {
  it('is the newest that is one', () => {
    const node = (kubeletVersion: string) =>
      ({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'n' },
        status: { nodeInfo: { kubeletVersion } },
      }) as const;
    const nodes = ['v1.9.0', 'kwok-v0.8.0', 'v1.10.2+abc', 'v1.10.1'].map(node);
    assert.equal(kubeletVersion(nodes), 'v1.10.2+abc');
    assert.equal(kubeletVersion([node('fake')]), undefined);
  });
});
