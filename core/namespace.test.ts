import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Fields } from '../test/objects.ts';
import { make } from '../test/objects.ts';
import { classOf } from './namespace.ts';

const classIn = (name: string, cluster: object = {}, fields: Fields = {}) =>
  classOf(make('namespaces', name, fields), {
    openshift: true,
    managedService: false,
    operators: new Set<string>(),
    ...cluster,
  });

/** Section 1.10 of the specification, word for word. */
const managedServiceNames = `
addon-operator, aqua, aws-vpce-operator, backplane, backplane-cee,
backplane-csa, backplane-cse, backplane-csm, backplane-managed-scripts, backplane-mcs-tier-two, backplane-mobb, backplane-sdcicd,
backplane-srep, backplane-tam, cloud-ingress-operator, codeready-workspaces, compliance, compliance-monkey, container-security,
custom-domains-operator, customer-monitoring, deployment-validation-operator, file-integrity, logging, managed-node-metadata-operator,
managed-upgrade-operator, marketplace, must-gather-operator, nmstate, observability-operator, ocm-agent-operator, operators-redhat,
osd-metrics, package-operator, rbac-permissions, route-monitor-operator, scanning, security, splunk-forwarder-operator, sre-pruning,
suricata, validation-webhook, velero`
  .split(',')
  .map((name) => `openshift-${name.trim()}`);

const mustGatherOperator = 'openshift-must-gather-operator';

describe('classOf', () => {
  const table = [
    ['default', 'platform', 'platform'],
    ['kubernetes', 'platform', 'platform'],
    ['kube-system', 'platform', 'platform'],
    ['kube-x', 'platform', 'platform'],
    ['kube-', 'platform', 'platform'],
    ['kube', 'user', 'user'],
    ['kubeflow', 'user', 'user'],
    ['kubernetes-dashboard', 'user', 'user'],
    ['default-x', 'user', 'user'],
    ['openshift', 'platform', 'user'],
    ['openshift-etcd', 'platform', 'user'],
    ['openshiftx', 'user', 'user'],
    ['my-openshift-x', 'user', 'user'],
    ['shop', 'user', 'user'],
    ['openshift-must-gather', 'platform', 'user'],
    ['openshift-must-gather-x7k2p', 'excluded', 'excluded'],
    ['openshift-debug-x7k2p', 'excluded', 'excluded'],
    ['openshift-copy-to-node-x7k2p', 'excluded', 'excluded'],
    ['my-openshift-debug-x', 'user', 'user'],
  ] as const;
  for (const [name, onOpenShift, elsewhere] of table) {
    it(`puts ${name} into ${onOpenShift} on OpenShift, into ${elsewhere} elsewhere`, () => {
      assert.equal(classIn(name), onOpenShift);
      assert.equal(classIn(name, { openshift: false }), elsewhere);
    });
  }

  it('excludes a namespace whose name was generated', () => {
    const metadata = { generateName: 'openshift-' };
    assert.equal(classIn('openshift-x', {}, { metadata }), 'excluded');
  });

  it('excludes a namespace that is being deleted, and no other phase', () => {
    assert.equal(classIn('default', {}, { status: { phase: 'Terminating' } }), 'excluded');
    assert.equal(classIn('default', {}, { status: { phase: 'Active' } }), 'platform');
  });

  it('excludes before it looks for a managed service', () => {
    const fields = { status: { phase: 'Terminating' } };
    assert.equal(classIn('openshift-velero', { managedService: true }, fields), 'excluded');
  });

  it('leaves 43 namespaces to the teams of a managed service', () => {
    assert.equal(new Set(managedServiceNames).size, 43);
    for (const name of managedServiceNames.filter((one) => one !== mustGatherOperator)) {
      assert.equal(classIn(name, { managedService: true }), 'managed-service', name);
      assert.equal(classIn(name), 'platform', name);
    }
  });

  // It begins like the namespaces of must-gathers, and that predicate comes first.
  it('excludes one of the 43 for its name, on every cluster', () => {
    assert.ok(managedServiceNames.includes(mustGatherOperator));
    assert.equal(classIn(mustGatherOperator, { managedService: true }), 'excluded');
    assert.equal(classIn(mustGatherOperator), 'excluded');
  });

  it('leaves no other namespace to them', () => {
    for (const name of ['openshift-etcd', 'openshift-velero-x', 'openshift-']) {
      assert.equal(classIn(name, { managedService: true }), 'platform', name);
    }
    assert.equal(classIn('velero', { managedService: true }), 'user');
  });
});

describe('the namespace of an operator', () => {
  const operators = new Set(['cache-system', 'openshift-logging', 'kube-cache', 'going']);

  it('is one that holds an operator', () => {
    assert.equal(classIn('cache-system', { operators }), 'operator');
    assert.equal(classIn('cache-system', { operators, openshift: false }), 'operator');
    assert.equal(classIn('cache', { operators }), 'user');
  });

  it('is none before it is of another class', () => {
    assert.equal(classIn('openshift-logging', { operators }), 'platform');
    assert.equal(classIn('openshift-logging', { operators, openshift: false }), 'operator');
    assert.equal(
      classIn('openshift-logging', { operators, managedService: true }),
      'managed-service',
    );
    assert.equal(classIn('kube-cache', { operators, openshift: false }), 'platform');
    const going = { status: { phase: 'Terminating' } };
    assert.equal(classIn('going', { operators }, going), 'excluded');
  });
});
