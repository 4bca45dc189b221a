import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import { estate, make } from '../test/objects.ts';
import { calledServices } from './callers.ts';

function called(objects: readonly AnyObject[], given?: Given) {
  const { artifacts, scope } = estate(objects, given);
  return [...calledServices(artifacts, scope)].sort();
}

const inShop = { service: { namespace: 'shop', name: 'hook' } };
const validating = (webhook: object, apiVersion?: string) =>
  make('validatingWebhookConfigurations', 'v', {
    ...(apiVersion && { apiVersion }),
    webhooks: [{ clientConfig: inShop, ...webhook }],
  });
const mutating = (webhook: object) =>
  make('mutatingWebhookConfigurations', 'm', { webhooks: [{ clientConfig: inShop, ...webhook }] });

describe('webhooks', () => {
  const v1beta1 = 'admissionregistration.k8s.io/v1beta1';
  const table = [
    ['calls', 'validates and fails', validating({ failurePolicy: 'Fail' }), ['hook']],
    ['does not call', 'is ignored', validating({ failurePolicy: 'Ignore' }), []],
    ['calls', 'says nothing in v1', validating({}), ['hook']],
    ['does not call', 'says nothing in v1beta1', validating({}, v1beta1), []],
    ['calls', 'fails in v1beta1', validating({ failurePolicy: 'Fail' }, v1beta1), ['hook']],
    ['calls', 'mutates', mutating({}), ['hook']],
    ['calls', 'mutates and is ignored', mutating({ failurePolicy: 'Ignore' }), ['hook']],
  ] as const;
  for (const [verb, what, configuration, expected] of table) {
    it(`${verb} the Service of one that ${what}`, () => {
      assert.deepEqual(called([configuration]), expected);
    });
  }

  it('call nobody by URL, and nobody without a name', () => {
    assert.deepEqual(called([mutating({ clientConfig: { url: 'https://x' } })]), []);
    assert.deepEqual(called([mutating({ clientConfig: { service: { namespace: 'shop' } } })]), []);
    assert.deepEqual(called([make('validatingWebhookConfigurations', 'empty')]), []);
  });

  it('call nobody here whose Service is in another namespace', () => {
    const clientConfig = { service: { namespace: 'other', name: 'hook' } };
    assert.deepEqual(called([mutating({ clientConfig })]), []);
  });
});

describe('aggregated APIs', () => {
  it('call their Service', () => {
    const api = make('apiServices', 'v1.metrics', { spec: inShop });
    assert.deepEqual(called([api]), ['hook']);
  });

  it('call nobody when they are served locally', () => {
    const local = make('apiServices', 'v1.apps', { spec: {} });
    assert.deepEqual(called([local, make('apiServices', 'v1.')]), []);
  });
});

describe('routes', () => {
  it('call their Service and the alternates', () => {
    const spec = {
      to: { kind: 'Service', name: 'web' },
      alternateBackends: [{ kind: 'Service', name: 'canary' }, { name: 'plain' }],
    };
    assert.deepEqual(called([make('routes', 'web', { spec })]), ['canary', 'plain', 'web']);
  });

  it('call nobody of another kind, without a name or in another namespace', () => {
    const route = (spec: object | undefined, metadata = {}) =>
      make('routes', 'web', { metadata, spec });
    assert.deepEqual(called([route({ to: { kind: 'Bucket', name: 'web' } })]), []);
    assert.deepEqual(called([route(undefined)]), []);
    assert.deepEqual(called([route({ to: { name: 'web' } }, { namespace: 'other' })]), []);
  });
});

describe('ingresses', () => {
  const backend = (name: string) => ({ service: { name } });
  const ingress = (spec?: object) => make('ingresses', 'web', { spec });

  it('call the Services of their paths and the default one', () => {
    const paths = [{ backend: backend('web') }, { backend: backend('api') }];
    const spec = { defaultBackend: backend('other'), rules: [{ http: { paths } }] };
    assert.deepEqual(called([ingress(spec)]), ['api', 'other', 'web']);
  });

  it('call nobody where a rule or a backend names no Service', () => {
    const paths = [{ backend: { resource: { kind: 'Bucket' } } }, {}];
    const rules = [{ host: 'shop.example.org' }, { http: {} }, { http: { paths } }];
    assert.deepEqual(called([ingress({ rules, defaultBackend: { service: {} } })]), []);
    assert.deepEqual(called([ingress()]), []);
  });
});

describe('routes of the Gateway API', () => {
  const route = (backendRefs: readonly object[], fields: object = {}) =>
    make('gatewayRoutes', 'web', { spec: { rules: [{ backendRefs }] }, ...fields });

  it('call the Services that they refer to', () => {
    const refs = [{ name: 'web' }, { group: '', kind: 'Service', name: 'api' }];
    assert.deepEqual(called([route(refs)]), ['api', 'web']);
    assert.deepEqual(called([route(refs, { kind: 'GRPCRoute' })]), ['api', 'web']);
  });

  it('call a Service of this namespace from another one', () => {
    const metadata = { namespace: 'edge' };
    assert.deepEqual(called([route([{ name: 'web', namespace: 'shop' }], { metadata })]), ['web']);
    assert.deepEqual(called([route([{ name: 'web' }], { metadata })]), []);
  });

  it('call nobody of another kind or group, or without a name', () => {
    const refs = [
      { kind: 'ServiceImport', name: 'a' },
      { group: 'multicluster.x-k8s.io', kind: 'Service', name: 'b' },
      {},
    ];
    assert.deepEqual(called([route(refs)]), []);
    assert.deepEqual(
      called([make('gatewayRoutes', 'a'), route([], { spec: { rules: [{}] } })]),
      [],
    );
  });

  it('call from no namespace what is in none', () => {
    const lost = route([{ name: 'web' }], { metadata: { namespace: undefined } });
    assert.deepEqual(called([lost]), []);
  });
});

describe('calledServices', () => {
  it('knows nothing of callers that could not be read', () => {
    const missing = { state: 'missing', cause: 'forbidden', detail: '403' } as const;
    const listings = {
      routes: missing,
      ingresses: missing,
      gatewayRoutes: missing,
      validatingWebhookConfigurations: missing,
      mutatingWebhookConfigurations: missing,
      apiServices: missing,
    };
    assert.deepEqual(called([mutating({})], { listings }), []);
  });

  it('finds nobody in a cluster scope', () => {
    const { artifacts, scope } = estate([make('routes', 'web', { spec: { to: { name: 'web' } } })]);
    const { namespace: _, ...cluster } = scope;
    assert.deepEqual([...calledServices(artifacts, cluster)], []);
  });
});
