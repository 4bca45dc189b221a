import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { monitorPrefix, testName } from './test-name.ts';

describe('testName', () => {
  const template = 'pods in ns/<namespace> should define health checks';

  it('has the owner’s component and the namespace', () => {
    assert.equal(
      testName(template, { namespace: 'openshift-etcd', jiraComponent: 'Etcd' }),
      '[Monitor:ha-compliance][Jira:"Etcd"] pods in ns/openshift-etcd should define health checks',
    );
  });

  it('has no tag where the owner is not known', () => {
    assert.equal(
      testName(template, { namespace: 'shop' }),
      `${monitorPrefix} pods in ns/shop should define health checks`,
    );
  });

  it('has no namespace for a check of the cluster', () => {
    const name = 'control plane should keep etcd quorum when one node is lost';
    assert.equal(testName(name, {}), `[Monitor:ha-compliance] ${name}`);
    assert.equal(testName('in ns/<namespace>', {}), '[Monitor:ha-compliance] in ns/');
  });

  it('takes a namespace for nothing but itself', () => {
    assert.equal(
      testName('in ns/<namespace>', { namespace: '$&' }),
      '[Monitor:ha-compliance] in ns/$&',
    );
  });
});
