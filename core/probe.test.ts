import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { startBudget } from './probe.ts';

describe('startBudget', () => {
  const startupProbe = { initialDelaySeconds: 5, periodSeconds: 2, failureThreshold: 10 };
  const livenessProbe = { initialDelaySeconds: 20, periodSeconds: 15, failureThreshold: 4 };

  it('is what the startup probe gives, whatever liveness says', () => {
    assert.equal(startBudget({ startupProbe, livenessProbe }), 25);
  });

  it('is what liveness gives without a startup probe', () => {
    assert.equal(startBudget({ livenessProbe }), 80);
  });

  it('takes the defaults of the API server', () => {
    assert.equal(startBudget({ livenessProbe: {} }), 30);
    assert.equal(startBudget({ startupProbe: { failureThreshold: 30 } }), 300);
    assert.equal(startBudget({}), 30);
  });
});
