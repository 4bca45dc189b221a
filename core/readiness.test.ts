import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject } from '../test/objects.ts';
import { deployment, estate, make, service, workload } from '../test/objects.ts';
import { lacksReadiness, readinessGaps } from './readiness.ts';

const readinessProbe = { tcpSocket: { port: 80 } };
const port = (containerPort: number) => ({ ports: [{ containerPort }] });
const web = (spec: object) =>
  deployment('web', { spec: { template: { metadata: { labels: { app: 'web' } }, spec } } });
const to = (...ports: object[]) => service('web', { spec: { selector: { app: 'web' }, ports } });

describe('readinessGaps', () => {
  const gaps = (spec: object, ...objects: AnyObject[]) => {
    const { artifacts, scope, ...found } = estate([web(spec), ...objects]);
    const own = workload('web', { artifacts, scope, ...found });
    return readinessGaps(own, artifacts, scope).map((gap) =>
      gap.through === 'declared port' ? `${gap.through} of ${gap.container.name}` : gap.through,
    );
  };
  const silent = { name: 'web', ...port(80) };
  const speaking = { ...silent, readinessProbe };

  it('are the containers behind a port that report nothing', () => {
    const api = { name: 'api', ...port(81) };
    const both = to({ port: 80 }, { port: 81 });
    assert.deepEqual(gaps({ containers: [silent, api] }, both), [
      'declared port of web',
      'declared port of api',
    ]);
    assert.deepEqual(gaps({ containers: [speaking, api] }, both), ['declared port of api']);
    assert.deepEqual(gaps({ containers: [speaking] }, both), []);
  });

  it('are none where nobody calls', () => {
    assert.deepEqual(gaps({ containers: [silent] }), []);
  });

  it('are one where the port is not declared and no container reports anything', () => {
    const undeclared = to({ port: 8080 }, { port: 8081 });
    assert.deepEqual(gaps({ containers: [silent] }, undeclared), ['undeclared port']);
    assert.deepEqual(gaps({ containers: [silent, speaking] }, undeclared), []);
    const gated = { containers: [silent], readinessGates: [{ conditionType: 'a' }] };
    assert.deepEqual(gaps(gated, undeclared), []);
  });

  it('are told once where a silent container stands beside a port that is not declared', () => {
    const mixed = to({ port: 80 }, { port: 8080 });
    assert.deepEqual(gaps({ containers: [silent] }, mixed), ['declared port of web']);
  });

  it('are one where traffic comes by host port only', () => {
    const hosted = { containers: [{ name: 'web', ports: [{ containerPort: 80, hostPort: 80 }] }] };
    assert.deepEqual(gaps(hosted), ['host port']);
    assert.deepEqual(gaps(hosted, to({ port: 8080 })), ['undeclared port']);
    const [container] = hosted.containers;
    assert.deepEqual(gaps({ containers: [{ ...container, readinessProbe }] }), []);
    const other = { name: 'other', ports: [{ containerPort: 81, hostPort: 81 }] };
    assert.deepEqual(gaps({ containers: [speaking, other] }, to({ port: 80 })), []);
  });

  it('are none of a silent container on a host port beside one that a gate guards', () => {
    const spec = {
      containers: [{ name: 'web', ports: [{ containerPort: 80, hostPort: 80 }] }],
      readinessGates: [{ conditionType: 'a' }],
    };
    assert.deepEqual(gaps(spec), []);
  });
});

describe('lacksReadiness', () => {
  const table = [
    ['no container has a probe', { containers: [{ name: 'a' }, { name: 'b' }] }, true],
    ['there is no container', {}, true],
    ['one of several has', { containers: [{ name: 'a' }, { name: 'b', readinessProbe }] }, false],
    ['only other probes are there', { containers: [{ livenessProbe: readinessProbe }] }, true],
    ['there is a gate', { readinessGates: [{ conditionType: 'a' }] }, false],
    [
      'a native sidecar has',
      { initContainers: [{ restartPolicy: 'Always', readinessProbe }] },
      false,
    ],
    ['a plain init container has', { initContainers: [{ readinessProbe }] }, true],
  ] as const;
  for (const [what, spec, expected] of table) {
    it(`is ${expected} where ${what}`, () => {
      assert.equal(lacksReadiness(workload('web', estate([web(spec)]))), expected);
    });
  }

  it('is false where no template was read', () => {
    const rollout = make('rollouts', 'web', { spec: { replicas: 2 } });
    assert.equal(lacksReadiness(workload('web', estate([rollout]))), false);
  });
});
