import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defaultThresholds, minimumReplicas } from './thresholds.ts';

describe('defaultThresholds', () => {
  it('are those of section 1.16 of the specification', () => {
    assert.deepEqual(defaultThresholds, {
      minReplicas: 2,
      readinessDetectMax: 60,
      livenessDetectMax: 300,
      startBudgetMin: 30,
      execPeriodMin: 10,
      endpointPropagation: 5,
      graceMax: 600,
      tolerationMax: 300,
      leaseDurationMin: 137,
      webhookTimeoutMax: 10,
      poolShareMax: 50,
      settle: 60,
    });
  });
});

describe('minimumReplicas', () => {
  const web = { kind: 'Deployment', namespace: 'shop', name: 'web' };
  const thresholds = { ...defaultThresholds, workloads: [{ ...web, minReplicas: 3 }] };

  it('is a workload’s own, by kind, namespace and name', () => {
    assert.equal(minimumReplicas(thresholds, web), 3);
    for (const other of [{ kind: 'StatefulSet' }, { namespace: 'other' }, { name: 'api' }]) {
      assert.equal(minimumReplicas(thresholds, { ...web, ...other }), 2);
    }
  });

  it('may be none', () => {
    const workloads = [{ ...web, minReplicas: 0 }];
    assert.equal(minimumReplicas({ ...defaultThresholds, workloads }, web), 0);
  });
});
