import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import { estate, make, pod, service } from '../test/objects.ts';
import { endpointsCommand, readyEndpoints, selectedPods } from './endpoints.ts';

const web = service('web', { spec: { selector: { app: 'web' } } });
const labels = { app: 'web' };
const ready = (name: string, fields: object = {}, metadata: object = {}) =>
  pod(name, { metadata: { labels, ...metadata }, spec: { nodeName: 'worker-1' }, ...fields });
const slice = (endpoints: readonly object[], name = 'web-a', metadata: object = {}) =>
  make('endpointSlices', name, {
    metadata: { labels: { 'kubernetes.io/service-name': 'web' }, ...metadata },
    endpoints,
  });
const of = (name: string, conditions: object = {}) => ({
  conditions,
  targetRef: { kind: 'Pod', name, uid: `Pod/${name}` },
  nodeName: 'worker-1',
});

describe('selectedPods', () => {
  const selected = (...objects: AnyObject[]) =>
    selectedPods(web, estate(objects).artifacts).map(({ metadata }) => metadata.name);

  it('are the living ones with the labels, in the same namespace', () => {
    const pods = [
      ready('a'),
      pod('unlabelled'),
      ready('elsewhere', {}, { namespace: 'other' }),
      ready('finished', { status: { phase: 'Succeeded' } }),
      ready('leaving', {}, { deletionTimestamp: '2026-01-10T12:00:00Z' }),
      ready('static', {}, { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
    ];
    assert.deepEqual(selected(...pods), ['a', 'static']);
  });
});

describe('readyEndpoints', () => {
  const names = (objects: readonly AnyObject[], given?: Given, to = web) =>
    readyEndpoints(to, estate(objects, given).artifacts).map((endpoint) => endpoint.pod);

  it('are the ready pods where no slices are served or readable', () => {
    const unready = ready('b', { status: { phase: 'Running' } });
    assert.deepEqual(names([ready('a'), unready]), ['a']);
    const missing = { state: 'missing', cause: 'forbidden', detail: '403' } as const;
    assert.deepEqual(names([ready('a')], { listings: { endpointSlices: missing } }), ['a']);
  });

  it('name the nodes of pods as far as they have one', () => {
    const { artifacts } = estate([ready('a'), pod('b', { metadata: { labels } })]);
    const found = readyEndpoints(web, artifacts);
    assert.deepEqual(found, [{ pod: 'a', node: 'worker-1' }, { pod: 'b' }]);
  });

  it('are those of its slices, each pod once', () => {
    const slices = [slice([of('a'), of('b')]), slice([of('a'), of('c')], 'web-b'), slice([], 'c')];
    assert.deepEqual(names([ready('x'), ...slices]), ['a', 'b', 'c']);
  });

  it('are not those of other Services and namespaces', () => {
    const other = slice([of('a')], 'b', { labels: { 'kubernetes.io/service-name': 'api' } });
    const bare = slice([of('a')], 'c', { labels: undefined });
    assert.deepEqual(names([other, bare, slice([of('a')], 'd', { namespace: 'other' })]), []);
  });

  it('are ready where nothing is said of it', () => {
    const { conditions: _, ...silent } = of('c');
    const slices = [slice([of('a', { ready: true }), of('b', { ready: false }), silent])];
    assert.deepEqual(names(slices), ['a', 'c']);
  });

  it('are pods', () => {
    const address = { nodeName: 'worker-1' };
    const nameless = { targetRef: { uid: 'u' } };
    const found = readyEndpoints(web, estate([slice([address, nameless])]).artifacts);
    assert.deepEqual(found, [{ pod: 'u' }]);
  });

  it('really serve where the Service calls all of them ready', () => {
    const spec = { selector: labels, publishNotReadyAddresses: true };
    const all = slice([
      of('a', { ready: true, serving: true, terminating: false }),
      of('b', { ready: true, serving: false }),
      of('c', { ready: true, serving: true, terminating: true }),
      of('d', { ready: false }),
    ]);
    assert.deepEqual(names([all], {}, service('web', { spec })), ['a', 'd']);
  });

  it('are not told from what serves by a Service without specification', () => {
    assert.deepEqual(names([slice([of('a', { serving: false })])], {}, service('web')), ['a']);
  });
});

describe('endpointsCommand', () => {
  it('shows the slices of a Service', () => {
    const label = 'kubernetes.io/service-name=web';
    assert.equal(endpointsCommand(web), `kubectl get endpointslices -n shop -l ${label} -o yaml`);
    const lost = service('web', { metadata: { namespace: undefined } });
    assert.equal(endpointsCommand(lost), `kubectl get endpointslices -n '' -l ${label} -o yaml`);
  });
});
