import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { estate, make } from '../test/objects.ts';
import type { AdmissionRequest } from './admission.ts';
import {
  intercepts,
  isBlocking,
  servedWebhooks,
  serviceOf,
  urlWebhooks,
  webhooksOf,
} from './admission.ts';

const inShop = { service: { namespace: 'shop', name: 'hook' } };
const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const v1beta1 = 'admissionregistration.k8s.io/v1beta1';

const validating = (webhook: object, apiVersion?: string) =>
  make('validatingWebhookConfigurations', 'v', {
    ...(apiVersion && { apiVersion }),
    webhooks: [{ name: 'a.example', clientConfig: inShop, rules: [rule], ...webhook }],
  });

function only(webhook: object, apiVersion?: string) {
  const { artifacts } = estate([validating(webhook, apiVersion)]);
  const [found] = webhooksOf(artifacts.validatingWebhookConfigurations);
  assert.ok(found);
  return found;
}

describe('webhooksOf', () => {
  const fieldsOf = (webhook: object, apiVersion?: string) => {
    const { failurePolicy, matchPolicy, timeoutSeconds } = only(webhook, apiVersion);
    return [failurePolicy, matchPolicy, timeoutSeconds];
  };

  it('applies the defaults of v1', () => {
    assert.deepEqual(fieldsOf({}), ['Fail', 'Equivalent', 10]);
  });

  it('applies the defaults of v1beta1', () => {
    assert.deepEqual(fieldsOf({}, v1beta1), ['Ignore', 'Exact', 30]);
  });

  it('leaves alone what is said', () => {
    const said = { failurePolicy: 'Ignore', matchPolicy: 'Exact', timeoutSeconds: 1 };
    assert.deepEqual(fieldsOf(said), ['Ignore', 'Exact', 1]);
  });

  it('has none of a configuration without any, nor where none could be read', () => {
    const { artifacts } = estate([make('validatingWebhookConfigurations', 'empty')]);
    assert.deepEqual(webhooksOf(artifacts.validatingWebhookConfigurations), []);
    assert.deepEqual(webhooksOf(undefined), []);
  });

  it('has one without name, rules and client', () => {
    const { artifacts } = estate([
      make('mutatingWebhookConfigurations', 'm', { webhooks: [{ failurePolicy: 'Fail' }] }),
    ]);
    const [found] = webhooksOf(artifacts.mutatingWebhookConfigurations);
    assert.ok(found);
    assert.deepEqual([found.name, found.rules, serviceOf(found)], ['', [], undefined]);
    assert.equal(isBlocking(found), true);
  });
});

describe('servedWebhooks', () => {
  const served = (webhook: object, namespace = 'shop') => {
    const { artifacts, scope } = estate([validating(webhook)], { scope: { namespace } });
    return servedWebhooks(artifacts, scope).map(({ name, service }) => [name, service]);
  };

  it('are those of a Service of the namespace', () => {
    assert.deepEqual(served({}), [['a.example', 'hook']]);
    assert.deepEqual(served({}, 'other'), []);
    assert.deepEqual(served({ clientConfig: { service: { namespace: 'shop' } } }), []);
    assert.deepEqual(served({ clientConfig: { url: 'https://hook.example.org' } }), []);
  });

  it('are asked about something', () => {
    assert.deepEqual(served({ rules: [] }), []);
  });

  it('are of both kinds, the mutating ones first', () => {
    const mutating = make('mutatingWebhookConfigurations', 'm', {
      webhooks: [{ name: 'b.example', clientConfig: inShop, rules: [rule] }],
    });
    const { artifacts, scope } = estate([validating({}), mutating]);
    const names = servedWebhooks(artifacts, scope).map(({ name }) => name);
    assert.deepEqual(names, ['b.example', 'a.example']);
  });
});

describe('urlWebhooks', () => {
  const clientConfig = { url: 'https://hook.example.org' };
  const outside = (webhook: object, namespace = 'default') => {
    const { artifacts, scope } = estate([validating(webhook)], { scope: { namespace } });
    return urlWebhooks(artifacts, scope).map(({ name }) => name);
  };

  it('are those without a Service, seen from one namespace', () => {
    assert.deepEqual(outside({ clientConfig }), ['a.example']);
    assert.deepEqual(outside({ clientConfig }, 'shop'), []);
    assert.deepEqual(outside({}), []);
  });

  it('are asked about something', () => {
    assert.deepEqual(outside({ clientConfig, rules: [] }), []);
  });
});

const createPod: AdmissionRequest = {
  operation: 'CREATE',
  group: '',
  versions: ['v1'],
  resource: 'pods',
  namespaceLabels: { 'kubernetes.io/metadata.name': 'shop', tier: 'a' },
  labels: { app: 'web' },
};
const { namespaceLabels: _, ...inNoNamespace } = createPod;
const createNode: AdmissionRequest = { ...inNoNamespace, resource: 'nodes' };

describe('intercepts', () => {
  const asks = (changes: object, request: Partial<AdmissionRequest> = {}, webhook: object = {}) =>
    intercepts(only({ rules: [{ ...rule, ...changes }], ...webhook }), {
      ...createPod,
      ...request,
    });

  const resources = [
    ['pods', 'pods', true],
    ['pods', 'pods/status', false],
    ['pods/status', 'pods', false],
    ['pods/status', 'pods/status', true],
    ['pods/*', 'pods', true],
    ['pods/*', 'pods/status', true],
    ['pods/*', 'services/status', false],
    ['*', 'pods', true],
    ['*', 'pods/status', false],
    ['*/status', 'pods/status', true],
    ['*/status', 'pods', false],
    ['*/*', 'pods', true],
    ['*/*', 'pods/binding', true],
    ['services', 'pods', false],
  ] as const;
  for (const [ruled, resource, expected] of resources) {
    it(`${expected ? 'sees' : 'does not see'} ${resource} by a rule for ${ruled}`, () => {
      assert.equal(asks({ resources: [ruled] }, { resource }), expected);
    });
  }

  const lists = [
    [{ operations: ['UPDATE'] }, false],
    [{ operations: ['UPDATE', 'CREATE'] }, true],
    [{ operations: ['*'] }, true],
    [{ operations: undefined }, false],
    [{ apiGroups: ['apps'] }, false],
    [{ apiGroups: ['apps', '*'] }, true],
    [{ apiVersions: ['v2'] }, false],
    [{ apiVersions: ['*'] }, true],
    [{ resources: undefined }, false],
    [{ resources: ['services', 'pods'] }, true],
    [{ scope: '*' }, true],
    [{ scope: 'Namespaced' }, true],
    [{ scope: 'Cluster' }, false],
  ] as const;
  for (const [changes, expected] of lists) {
    it(`is ${expected} for pods by ${JSON.stringify(changes)}`, () => {
      assert.equal(asks(changes), expected);
    });
  }

  it('takes what is in no namespace for the scope of the cluster', () => {
    const node = (scope: string) =>
      intercepts(only({ rules: [{ ...rule, resources: ['nodes'], scope }] }), createNode);
    assert.deepEqual(['*', 'Cluster', 'Namespaced'].map(node), [true, true, false]);
  });

  it('is asked by any of its rules', () => {
    const rules = [{ ...rule, resources: ['services'] }, rule];
    assert.equal(intercepts(only({ rules }), createPod), true);
  });

  it('leaves a namespace alone that its selector does not match', () => {
    const selects = (namespaceSelector: object) => asks({}, {}, { namespaceSelector });
    assert.equal(selects({}), true);
    assert.equal(selects({ matchLabels: { tier: 'a' } }), true);
    assert.equal(selects({ matchLabels: { tier: 'b' } }), false);
  });

  it('leaves nothing alone by namespace that is in none', () => {
    const webhook = only({
      rules: [{ ...rule, resources: ['nodes'] }],
      namespaceSelector: { matchLabels: { tier: 'b' } },
    });
    assert.equal(intercepts(webhook, createNode), true);
  });

  it('leaves an object alone that its selector does not match', () => {
    const selects = (objectSelector: object) => asks({}, {}, { objectSelector });
    assert.equal(selects({}), true);
    assert.equal(selects({ matchLabels: { app: 'web' } }), true);
    assert.equal(selects({ matchLabels: { app: 'api' } }), false);
  });

  it('sees other served versions unless it wants an exact match', () => {
    const versions = ['v1', 'v1beta1'] as const;
    const old = { apiVersions: ['v1beta1'] };
    assert.equal(asks(old, { versions }), true);
    assert.equal(asks(old), false);
    assert.equal(asks(old, { versions }, { matchPolicy: 'Exact' }), false);
    assert.equal(asks({}, { versions }, { matchPolicy: 'Exact' }), true);
  });
});
