import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pod } from '../test/objects.ts';
import {
  hostPorts,
  isCounted,
  isMirror,
  isNativeSidecar,
  isReady,
  takesHostPorts,
} from './pods.ts';

const inPhase = (phase: string) => pod('web', { status: { phase } });
const mirror = pod('etcd', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'h' } } });

describe('isCounted', () => {
  for (const phase of ['Succeeded', 'Failed']) {
    it(`leaves out what is ${phase}`, () => assert.equal(isCounted(inPhase(phase)), false));
  }

  for (const phase of ['Pending', 'Running', 'Unknown']) {
    it(`counts what is ${phase}`, () => assert.equal(isCounted(inPhase(phase)), true));
  }

  it('counts a pod of which the phase is not known', () => {
    assert.equal(isCounted(pod('web', { status: undefined })), true);
  });

  it('leaves out a pod that is on its way out', () => {
    const metadata = { deletionTimestamp: '2026-01-10T11:59:00Z' };
    assert.equal(isCounted(pod('web', { metadata })), false);
  });

  it('leaves out mirror pods', () => {
    assert.equal(isMirror(mirror), true);
    assert.equal(isCounted(mirror), false);
  });

  it('counts a pod that is not ready: it occupies its node', () => {
    const conditions = [{ type: 'Ready', status: 'False' }];
    assert.equal(isCounted(pod('web', { status: { phase: 'Running', conditions } })), true);
  });
});

describe('isReady', () => {
  const withCondition = (type: string, status: string) =>
    isReady(pod('web', { status: { conditions: [{ type, status }] } }));

  it('asks the Ready condition only', () => {
    assert.equal(withCondition('Ready', 'True'), true);
    assert.equal(withCondition('Ready', 'False'), false);
    assert.equal(withCondition('ContainersReady', 'True'), false);
    const conditions = [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Ready', status: 'True' },
    ];
    assert.equal(isReady(pod('web', { status: { conditions } })), true);
  });

  it('is false without conditions', () => {
    assert.equal(isReady(pod('web', { status: undefined })), false);
    assert.equal(isReady(inPhase('Running')), false);
  });
});

describe('isNativeSidecar', () => {
  it('is an init container that is always restarted', () => {
    assert.equal(isNativeSidecar({ name: 'proxy', restartPolicy: 'Always' }), true);
    assert.equal(isNativeSidecar({ name: 'migrate', restartPolicy: 'OnFailure' }), false);
    assert.equal(isNativeSidecar({ name: 'migrate' }), false);
  });
});

describe('hostPorts', () => {
  const container = { ports: [{ containerPort: 8080, hostPort: 80 }, { containerPort: 9090 }] };

  it('are the declared ones', () => {
    assert.deepEqual(hostPorts({}, container), [80]);
  });

  it('are all ports of a pod on the network of its node', () => {
    assert.deepEqual(hostPorts({ hostNetwork: true }, container), [80, 9090]);
  });

  it('are none without ports', () => {
    assert.deepEqual(hostPorts({ hostNetwork: true }, {}), []);
  });
});

describe('takesHostPorts', () => {
  it('is true when any regular container takes one', () => {
    const [taking, other] = [{ ports: [{ containerPort: 80, hostPort: 80 }] }, {}];
    assert.equal(takesHostPorts({ containers: [other, taking] }), true);
    assert.equal(takesHostPorts({ containers: [other], initContainers: [taking] }), false);
    assert.equal(takesHostPorts({}), false);
  });
});
