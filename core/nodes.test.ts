import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { node } from '../test/objects.ts';
import { eligibleNodes, isUsable, tolerates, zoneOf } from './nodes.ts';
import type { PodSpec, Toleration } from './objects.ts';

const labelled = (name: string, labels: Record<string, string>) =>
  node(name, { metadata: { labels } });
const tainted = (name: string, ...taints: object[]) => node(name, { spec: { taints } });
const eligible = (spec: PodSpec, ...nodes: ReturnType<typeof node>[]) =>
  eligibleNodes(spec, nodes).map(({ metadata }) => metadata.name);

const affinity = (...nodeSelectorTerms: object[]) => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  },
});
const expects = (key: string, operator: string, ...values: string[]) =>
  affinity({ matchExpressions: [{ key, operator, values }] });

describe('eligibleNodes', () => {
  it('are all nodes for a pod that asks for nothing', () => {
    assert.deepEqual(eligible({}, node('a'), node('b')), ['a', 'b']);
  });

  it('are the named node alone, whatever its taints and labels', () => {
    const cordoned = tainted('b', { key: 'gpu', effect: 'NoSchedule' });
    const spec = { nodeName: 'b', nodeSelector: { disk: 'ssd' } };
    assert.deepEqual(eligible(spec, node('a'), cordoned), ['b']);
  });

  it('are none where the named node is not there', () => {
    assert.deepEqual(eligible({ nodeName: 'c' }, node('a')), []);
  });

  it('leave out nodes that are being deleted, the named one too', () => {
    const going = node('a', { metadata: { deletionTimestamp: '2026-01-10T11:00:00Z' } });
    assert.deepEqual(eligible({}, going, node('b')), ['b']);
    assert.deepEqual(eligible({ nodeName: 'a' }, going), []);
  });

  it('may be cordoned or not ready: that passes', () => {
    const down = node('a', {
      spec: { unschedulable: true },
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    });
    assert.deepEqual(eligible({}, down), ['a']);
  });

  it('carry every label of the nodeSelector', () => {
    const both = labelled('a', { disk: 'ssd', gpu: '' });
    const one = labelled('b', { disk: 'ssd' });
    assert.deepEqual(eligible({ nodeSelector: { disk: 'ssd', gpu: '' } }, both, one), ['a']);
    assert.deepEqual(eligible({ nodeSelector: { disk: 'hdd' } }, both, one), []);
  });

  it('carry no label for being JavaScript objects', () => {
    assert.deepEqual(eligible({ nodeSelector: { constructor: 'x' } } as PodSpec, node('a')), []);
    assert.deepEqual(eligible(expects('constructor', 'Exists'), node('a')), []);
  });
});

describe('required node affinity', () => {
  const operators = [
    ['In', ['ssd', 'nvme'], true],
    ['In', ['hdd'], false],
    ['NotIn', ['hdd'], true],
    ['NotIn', ['ssd'], false],
    ['Exists', [], true],
    ['DoesNotExist', [], false],
    ['Near', ['ssd'], false],
  ] as const;
  for (const [operator, values, expected] of operators) {
    it(`${operator} [${values}] ${expected ? 'accepts' : 'refuses'} disk=ssd`, () => {
      const found = eligible(expects('disk', operator, ...values), labelled('a', { disk: 'ssd' }));
      assert.equal(found.length === 1, expected);
    });
  }

  const absent = [
    ['In', ['ssd'], false],
    ['NotIn', ['ssd'], true],
    ['Exists', [], false],
    ['DoesNotExist', [], true],
    ['Gt', ['1'], false],
    ['Lt', ['1'], false],
  ] as const;
  for (const [operator, values, expected] of absent) {
    it(`${operator} [${values}] ${expected ? 'accepts' : 'refuses'} a node without the label`, () => {
      const found = eligible(expects('disk', operator, ...values), node('a'));
      assert.equal(found.length === 1, expected);
    });
  }

  const numbers = [
    ['Gt', '10', '9', true],
    ['Gt', '9', '9', false],
    ['Gt', '9', '10', false],
    ['Lt', '9', '10', true],
    ['Lt', '10', '10', false],
    ['Lt', '-1', '0', true],
    ['Gt', '9007199254740993', '9007199254740992', true],
    ['Gt', '9.5', '9', false],
    ['Gt', 'many', '9', false],
    ['Gt', '10', 'few', false],
    ['Lt', '', '1', false],
  ] as const;
  for (const [operator, found, bound, expected] of numbers) {
    it(`${operator} [${bound}] ${expected ? 'accepts' : 'refuses'} cores=${found}`, () => {
      const names = eligible(expects('cores', operator, bound), labelled('a', { cores: found }));
      assert.equal(names.length === 1, expected);
    });
  }

  it('refuses a comparison with nothing', () => {
    assert.deepEqual(eligible(expects('cores', 'Gt'), labelled('a', { cores: '8' })), []);
  });

  const ssd = { key: 'disk', operator: 'In', values: ['ssd'] };
  const gpu = { key: 'gpu', operator: 'Exists' };

  it('is an OR over terms', () => {
    const spec = affinity({ matchExpressions: [ssd] }, { matchExpressions: [gpu] });
    const nodes = [labelled('a', { disk: 'ssd' }), labelled('b', { gpu: '' }), node('c')];
    assert.deepEqual(eligible(spec, ...nodes), ['a', 'b']);
  });

  it('is an AND within a term', () => {
    const spec = affinity({ matchExpressions: [ssd, gpu] });
    const nodes = [labelled('a', { disk: 'ssd', gpu: '' }), labelled('b', { gpu: '' })];
    assert.deepEqual(eligible(spec, ...nodes), ['a']);
  });

  it('is met by no node where a term is empty', () => {
    assert.deepEqual(eligible(affinity({}), node('a')), []);
    const withEmpty = affinity({}, { matchExpressions: [gpu] });
    assert.deepEqual(eligible(withEmpty, node('a'), labelled('b', { gpu: '' })), ['b']);
  });

  it('is met by no node where it has no terms', () => {
    assert.deepEqual(eligible(affinity(), node('a')), []);
    const nothing = { requiredDuringSchedulingIgnoredDuringExecution: {} };
    assert.deepEqual(eligible({ affinity: { nodeAffinity: nothing } }, node('a')), []);
  });

  it('is met by every node where nothing is required', () => {
    assert.deepEqual(eligible({ affinity: {} }, node('a')), ['a']);
    assert.deepEqual(eligible({ affinity: { nodeAffinity: {} } }, node('a')), ['a']);
  });

  it('reads the name of a node as a field', () => {
    const named = { key: 'metadata.name', operator: 'In', values: ['b'] };
    assert.deepEqual(eligible(affinity({ matchFields: [named] }), node('a'), node('b')), ['b']);
    const both = affinity({ matchFields: [named], matchExpressions: [gpu] });
    assert.deepEqual(eligible(both, node('b')), []);
    assert.deepEqual(eligible(both, labelled('b', { gpu: '' })), ['b']);
  });

  it('finds no node by a requirement without a key', () => {
    assert.deepEqual(
      eligible(affinity({ matchExpressions: [{ operator: 'Exists' }] }), node('a')),
      [],
    );
  });
});

describe('taints', () => {
  const table = [
    ['NoSchedule', false],
    ['NoExecute', false],
    ['PreferNoSchedule', true],
  ] as const;
  for (const [effect, expected] of table) {
    it(`${expected ? 'admit' : 'repel'} every pod with effect ${effect}`, () => {
      assert.equal(eligible({}, tainted('a', { key: 'gpu', effect })).length === 1, expected);
    });
  }

  const transient = [
    'node.kubernetes.io/not-ready',
    'node.kubernetes.io/unschedulable',
    'node.cloudprovider.kubernetes.io/uninitialized',
    'ToBeDeletedByClusterAutoscaler',
    'DeletionCandidateOfClusterAutoscaler',
    'karpenter.sh/disrupted',
    'karpenter.sh/disruption',
    'karpenter.sh/unregistered',
    'startup-taint.cluster-autoscaler.kubernetes.io/network',
    'node.cilium.io/agent-not-ready',
    'ebs.csi.aws.com/agent-not-ready',
  ];
  for (const key of transient) {
    it(`repel nobody with the passing ${key}`, () => {
      const taint = { key, value: '1767225600', effect: 'NoSchedule' };
      assert.deepEqual(eligible({}, tainted('a', taint)), ['a']);
    });
  }

  it('are not passing for names that only look alike', () => {
    for (const key of [
      'node.kubernetes.io',
      'node.kubernetes.io/os',
      'ToBeDeleted',
      'my.node.kubernetes.io/x',
      'karpenter.sh/disrupted-for-good',
      'agent-not-ready',
    ]) {
      assert.deepEqual(eligible({}, tainted('a', { key, effect: 'NoSchedule' })), []);
    }
  });

  it('repel nobody who tolerates each of them', () => {
    const gpu = { key: 'gpu', effect: 'NoSchedule' };
    const spot = { key: 'spot', effect: 'NoExecute' };
    const [toGpu, toSpot] = [gpu, spot].map(({ key }) => ({ key, operator: 'Exists' }));
    assert.deepEqual(
      eligible({ tolerations: [toGpu, toSpot] } as PodSpec, tainted('a', gpu, spot)),
      ['a'],
    );
    assert.deepEqual(eligible({ tolerations: [toGpu] } as PodSpec, tainted('a', gpu, spot)), []);
  });

  it('repel without a key whoever does not tolerate everything', () => {
    const nameless = tainted('a', { effect: 'NoSchedule' });
    assert.deepEqual(eligible({ tolerations: [{ key: 'gpu', operator: 'Exists' }] }, nameless), []);
    assert.deepEqual(eligible({ tolerations: [{ operator: 'Exists' }] }, nameless), ['a']);
  });
});

describe('tolerates', () => {
  const taint = { key: 'gpu', value: 'a100', effect: 'NoSchedule' };
  const table: readonly (readonly [string, Toleration, boolean])[] = [
    ['every taint with Exists and no key', { operator: 'Exists' }, true],
    ['nothing with Equal and no key', { operator: 'Equal', value: 'a100' }, false],
    ['nothing when it says nothing', {}, false],
    ['any value with Exists', { key: 'gpu', operator: 'Exists' }, true],
    ['the value with Equal', { key: 'gpu', operator: 'Equal', value: 'a100' }, true],
    ['the value without an operator', { key: 'gpu', value: 'a100' }, true],
    ['no other value', { key: 'gpu', value: 't4' }, false],
    ['no value where none is named', { key: 'gpu' }, false],
    ['no other key', { key: 'disk', operator: 'Exists' }, false],
    ['its effect', { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }, true],
    ['no other effect', { key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, false],
    ['no other effect of any key', { operator: 'Exists', effect: 'NoExecute' }, false],
    ['nothing by an unknown operator', { key: 'gpu', operator: 'Near', value: 'a100' }, false],
    ['nothing by comparing what is no number', { key: 'gpu', operator: 'Gt', value: '1' }, false],
  ];
  for (const [what, toleration, expected] of table) {
    it(`tolerates ${what}`, () => {
      assert.equal(tolerates(toleration, taint), expected);
    });
  }

  it('takes an absent value for an empty one', () => {
    assert.equal(tolerates({ key: 'gpu' }, { key: 'gpu', effect: 'NoSchedule' }), true);
    assert.equal(tolerates({ key: 'gpu', operator: 'Gt', value: '1' }, { key: 'gpu' }), false);
  });

  const numbers = [
    ['Gt', '750', '950', true],
    ['Gt', '950', '950', false],
    ['Gt', '950', '750', false],
    ['Lt', '5', '3', true],
    ['Lt', '3', '3', false],
    ['Lt', '3', '5', false],
    ['Lt', '10', '9', true],
  ] as const;
  for (const [operator, bound, value, expected] of numbers) {
    it(`${expected ? 'tolerates' : 'does not tolerate'} sla=${value} with ${operator} ${bound}`, () => {
      const toleration = { key: 'sla', operator, value: bound };
      assert.equal(tolerates(toleration, { key: 'sla', value, effect: 'NoExecute' }), expected);
    });
  }
});

describe('isUsable', () => {
  const ready = (status: string, spec = {}) =>
    node('a', { spec, status: { conditions: [{ type: 'Ready', status }] } });

  it('is true of a ready node', () => {
    assert.equal(isUsable(ready('True')), true);
  });

  it('is false of a node that is not ready, or of which nothing is known', () => {
    assert.equal(isUsable(ready('False')), false);
    assert.equal(isUsable(ready('Unknown')), false);
    assert.equal(isUsable(node('a')), false);
    const other = node('a', { status: { conditions: [{ type: 'DiskPressure', status: 'True' }] } });
    assert.equal(isUsable(other), false);
  });

  it('is false of a cordoned node', () => {
    assert.equal(isUsable(ready('True', { unschedulable: true })), false);
  });
});

describe('zoneOf', () => {
  const stable = 'topology.kubernetes.io/zone';
  const beta = 'failure-domain.beta.kubernetes.io/zone';

  it('is the label, the stable one before the beta one', () => {
    assert.equal(zoneOf(labelled('a', { [stable]: 'x', [beta]: 'y' })), 'x');
    assert.equal(zoneOf(labelled('a', { [beta]: 'y' })), 'y');
  });

  it('is unknown without a label', () => {
    assert.equal(zoneOf(node('a')), undefined);
    assert.equal(zoneOf(labelled('a', { 'topology.kubernetes.io/region': 'r' })), undefined);
    assert.equal(zoneOf(labelled('a', { [stable]: '' })), undefined);
    assert.equal(zoneOf(labelled('a', { [stable]: '', [beta]: 'y' })), 'y');
  });
});
