import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { node } from '../test/objects.ts';
import { isUnderMaintenance, updateState } from './node-update.ts';

const prefix = 'machineconfiguration.openshift.io/';
const saying = (fields: Readonly<Record<string, string>>) =>
  node('a', {
    metadata: {
      annotations: Object.fromEntries(
        Object.entries(fields).map(([field, value]) => [`${prefix}${field}`, value]),
      ),
    },
  });

describe('updateState', () => {
  for (const state of ['Working', 'Rebooting']) {
    it(`is ${state} while the node says so`, () => {
      assert.equal(updateState(saying({ state })), state);
    });
  }

  for (const state of ['Done', 'Degraded', 'Unreconcilable', 'working', '']) {
    it(`is not ${JSON.stringify(state)}`, () => {
      assert.equal(updateState(saying({ state })), undefined);
    });
  }

  it('is nothing where no operator says anything', () => {
    assert.equal(updateState(node('a')), undefined);
  });
});

describe('isUnderMaintenance', () => {
  const settled = {
    currentConfig: 'rendered-1',
    desiredConfig: 'rendered-1',
    desiredDrain: 'uncordon-rendered-1',
    lastAppliedDrain: 'uncordon-rendered-1',
    state: 'Done',
  };

  it('is false of a node that nobody works on', () => {
    assert.equal(isUnderMaintenance(node('a')), false);
    assert.equal(isUnderMaintenance(saying(settled)), false);
    assert.equal(isUnderMaintenance(saying({ ...settled, state: '' })), false);
  });

  const working: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['is to get another configuration', { desiredConfig: 'rendered-2' }],
    ['is to be drained', { desiredDrain: 'drain-rendered-2' }],
    ['is being updated', { state: 'Working' }],
    ['is stuck in its update', { state: 'Degraded' }],
  ];
  for (const [what, changes] of working) {
    it(`is true of a node that ${what}`, () => {
      assert.equal(isUnderMaintenance(saying({ ...settled, ...changes })), true);
    });
  }

  it('is true of a node that has its first configuration before it', () => {
    assert.equal(isUnderMaintenance(saying({ desiredConfig: 'rendered-1' })), true);
    assert.equal(isUnderMaintenance(saying({ desiredDrain: 'drain-rendered-1' })), true);
  });

  it('is true of a node that goes away', () => {
    const going = node('a', { metadata: { deletionTimestamp: '2026-01-10T11:00:00Z' } });
    assert.equal(isUnderMaintenance(going), true);
  });

  it('is true of a node that the cluster autoscaler removes, not of a candidate', () => {
    const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
    const tainted = (key: string) =>
      node('a', { spec: { taints: [cordon, { key, effect: 'NoSchedule' }] } });
    assert.equal(isUnderMaintenance(tainted('ToBeDeletedByClusterAutoscaler')), true);
    assert.equal(isUnderMaintenance(tainted('DeletionCandidateOfClusterAutoscaler')), false);
  });
});
