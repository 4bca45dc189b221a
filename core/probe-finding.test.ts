import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { probeFinding } from './probe-finding.ts';
import type { Workload } from './workload.ts';

const workload: Workload = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'shop',
  name: 'cart',
  class: 'replicated',
  replicas: 2,
  labels: {},
  spec: {},
  isTemplateKnown: true,
  pods: [],
  counted: [],
  isManifest: false,
  source: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'cart' } },
};
const message = 'start budget 15 s; at least 30 s';

describe('probeFinding', () => {
  it('stands on the container and leads to the probe', () => {
    const web = { container: { name: 'web' }, list: 'containers' } as const;
    assert.deepEqual(probeFinding(workload, web, { probe: 'liveness', message }), {
      object: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace: 'shop',
        name: 'cart',
        container: 'web',
      },
      path: 'spec.template.spec.containers[web].livenessProbe',
      message,
      command:
        "kubectl get deployment cart -n shop -o 'jsonpath={.spec.template.spec.containers[*].livenessProbe}'",
    });
  });

  it('names the field, and patches the list that the container stands in', () => {
    const proxy = { container: { name: 'proxy' }, list: 'initContainers' } as const;
    const change = { failureThreshold: 6 };
    const observation = { probe: 'startup', field: 'failureThreshold', message, change } as const;
    const { path, patch } = probeFinding(workload, proxy, observation);
    assert.equal(path, 'spec.template.spec.initContainers[proxy].startupProbe.failureThreshold');
    const initContainers = [{ name: 'proxy', startupProbe: change }];
    assert.deepEqual(patch, { spec: { template: { spec: { initContainers } } } });
  });

  it('takes a container without a name, which only a manifest can have', () => {
    const nameless = { container: {}, list: 'containers' } as const;
    const { path } = probeFinding(workload, nameless, { probe: 'readiness', message });
    assert.equal(path, 'spec.template.spec.containers[].readinessProbe');
  });
});
