import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Kind } from '../core/kinds.ts';
import { kinds } from '../core/kinds.ts';
import { asWritten } from './intern.ts';
import { accepts, readPage } from './page.ts';

const page = (kind: Kind, body: unknown) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  const answer = { status: 200, headers, body: Buffer.from(text) };
  return readPage(answer, { kind, version: 'v1' }, asWritten);
};
const list = (items: unknown, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ServiceList',
  metadata: {},
  items,
  ...more,
});
const named = (name: string, namespace = 'shop') => ({ metadata: { name, namespace } });
const names = (kind: Kind, body: unknown) =>
  page(kind, body)
    .objects()
    .objects.map(({ metadata }) => metadata.name);

describe('accepts', () => {
  it('asks for Protobuf where there is any, and else for JSON', () => {
    const protobuf = 'application/vnd.kubernetes.protobuf,application/json';
    assert.equal(accepts(kinds.pods), protobuf);
    assert.equal(accepts(kinds.routes), 'application/json');
  });

  it('asks for nothing but metadata where that is all that may be read', () => {
    const only = 'as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
    const expected = `application/vnd.kubernetes.protobuf;${only},application/json;${only}`;
    assert.equal(accepts(kinds.lockMetadata), expected);
  });
});

describe('readPage', () => {
  it('reads objects, which leave out what the list says of them', () => {
    const { objects, gaps } = page('services', list([named('a')])).objects();
    const { metadata } = named('a');
    assert.deepEqual(objects, [{ apiVersion: 'v1', kind: 'Service', metadata }]);
    assert.deepEqual(gaps, []);
  });

  it('takes the kind of an object from its list, where several make up one', () => {
    const type = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'GRPCRouteList' };
    const [route] = page('gatewayRoutes', list([named('a')], type)).objects().objects;
    assert.deepEqual([route?.apiVersion, route?.kind], [type.apiVersion, 'GRPCRoute']);
  });

  it('says of bare metadata what it is the metadata of', () => {
    const type = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadataList' };
    const [lock] = page('lockMetadata', list([named('a')], type)).objects().objects;
    assert.deepEqual([lock?.apiVersion, lock?.kind], ['v1', 'ConfigMap']);
  });

  it('takes null and an empty list for no objects', () => {
    assert.deepEqual(names('services', list(null)), []);
    assert.deepEqual(names('services', list([])), []);
  });

  it('has the token of the next page, if there is one', () => {
    const next = (metadata: unknown) => page('services', list([], { metadata })).continue;
    assert.equal(next({ continue: 'token', resourceVersion: '1' }), 'token');
    for (const last of [{ continue: '' }, {}, null, undefined]) assert.equal(next(last), undefined);
  });

  describe('of an object that is not as the API says', () => {
    const gapsOf = (...items: readonly unknown[]) => page('services', list(items)).objects().gaps;

    it('costs its namespace and no other', () => {
      const ports = { metadata: named('bad', 'pay').metadata, spec: { ports: 'many' } };
      const items = [named('a'), ports, named('b')];
      assert.deepEqual(names('services', list(items)), ['a', 'b']);
      const detail = 'bad: spec.ports: expected a list, found "many"';
      assert.deepEqual(gapsOf(...items), [{ namespace: 'pay', cause: 'malformed', detail }]);
    });

    it('costs all of them where it does not say its own', () => {
      const detail = 'an object: object: expected a map, found null';
      assert.deepEqual(gapsOf(null), [{ cause: 'malformed', detail }]);
      for (const item of [5, 'text', [], {}, { metadata: null }, { metadata: 'text' }]) {
        const [gap] = gapsOf(item);
        assert.equal(gap?.cause, 'malformed');
        assert.equal(gap?.namespace, undefined);
        assert.match(gap?.detail ?? '', /^an object: /);
      }
    });

    it('names it by its namespace where it has no name of its own', () => {
      const detail = 'an object: metadata.name: expected a name, found nothing';
      const namespace = 'pay';
      const [gap] = gapsOf({ metadata: { namespace } });
      assert.deepEqual(gap, { namespace, cause: 'malformed', detail });
    });
  });

  const malformed = {
    'a page': '<html>',
    'half a list': JSON.stringify(list([named('a')])).slice(0, -5),
    nothing: '',
    null: null,
    'a text': '"ServiceList"',
    'an object': { apiVersion: 'v1', kind: 'Service' },
    'a list without a version': list([], { apiVersion: undefined }),
    'a list without items': list(undefined),
    'a list whose items are a text': list('text'),
    'a list whose items are a map': list({}),
    'a kind that is a number': list([], { kind: 5 }),
  };
  for (const [what, body] of Object.entries(malformed)) {
    it(`does not take ${what} for an empty list`, () => {
      assert.throws(() => page('services', body), {
        name: 'MissingError',
        missing: 'malformed',
        message: 'could not be listed: the answer is not a list',
      });
    });
  }
});
