import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { finding, pending, result } from '../test/sample-report.ts';
import { extent, findingLine, sidesOf } from './findings.ts';

describe('findingLine', () => {
  it('names the object and what was observed', () => {
    assert.equal(
      findingLine(finding('web')),
      'Deployment openshift-console/web: keeps 1 replica (spec.replicas 1); needs 2',
    );
  });

  it('leaves out the namespace that the reader knows', () => {
    assert.match(findingLine(finding('web'), { home: 'openshift-console' }), /^Deployment web: /);
    assert.match(
      findingLine(finding('web'), { home: 'shop' }),
      /^Deployment openshift-console\/web: /,
    );
  });

  it('names objects of the cluster, containers and rules', () => {
    const node = { apiVersion: 'v1', kind: 'Node', name: 'worker-1' };
    assert.match(findingLine(finding('', { object: node })), /^Node worker-1: /);
    const container = { ...node, kind: 'Pod', namespace: 'shop', container: 'app' };
    assert.match(
      findingLine(finding('', { code: 'WL-01', object: container })),
      /^WL-01 Pod shop\/worker-1 container app: /,
    );
  });

  it('names the field where the message does not', () => {
    assert.match(
      findingLine(finding('web', { message: 'too few' })),
      /: too few \[spec\.replicas\]$/,
    );
  });

  it('says what was not confirmed, on one line', () => {
    assert.match(
      findingLine(finding('web', { message: 'a\nb', conclusive: false })),
      /: a b .* \(not confirmed\)$/,
    );
  });
});

describe('sidesOf', () => {
  it('parts what is covered from what is not', () => {
    const [open, covered] = [finding('a'), finding('b', { exception: pending })];
    assert.deepEqual(sidesOf([covered, open]), { uncovered: [open], covered: [covered] });
  });
});

describe('extent', () => {
  it('counts findings, covered ones and objects', () => {
    const findings = [finding('a'), finding('b', { exception: pending })];
    assert.equal(extent(result('x', 'y', { findings })), '2 findings (1 covered) in 4 objects');
    assert.equal(extent(result('x', 'y', { findings: [finding('a')] })), '1 finding in 4 objects');
  });
});
