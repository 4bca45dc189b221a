import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject } from '../test/objects.ts';
import {
  deployment,
  estate,
  job,
  ownedBy,
  ownedByKind,
  pod,
  podsOf,
  running,
  service,
  statefulSet,
} from '../test/objects.ts';
import { isSwitchedOff, selectedContainers, selectionOf } from './selection.ts';

const template = (labels: object, containers: readonly object[] = [{ name: 'web' }]) => ({
  template: { metadata: { labels }, spec: { containers } },
});
const web = (fields: object = {}) =>
  deployment('web', { spec: { ...template({ app: 'web' }), ...fields } });

function selected(selector: object | undefined, ...objects: AnyObject[]) {
  const { artifacts, scope } = estate(objects);
  const wanted = service('web', selector && { spec: { selector } });
  const selection = selectionOf(wanted, artifacts, scope);
  return {
    selection,
    pods: selection.pods.map(({ metadata }) => metadata.name),
    workloads: selection.workloads.map(({ name }) => name),
    containers: selectedContainers(selection, artifacts, scope)?.map(({ name }) => name),
  };
}

describe('selectionOf', () => {
  it('has the pods and their workload', () => {
    const { pods, workloads } = selected({ app: 'web' }, ...running(web()));
    assert.deepEqual([pods, workloads], [['web-h1-0'], ['web']]);
  });

  it('has a workload without pods by its template, switched off or not', () => {
    assert.deepEqual(selected({ app: 'web' }, web()).workloads, ['web']);
    assert.deepEqual(selected({ app: 'web' }, web({ replicas: 0 })).workloads, ['web']);
    assert.deepEqual(selected({ app: 'api' }, web()).workloads, []);
  });

  it('has a workload whose template lacks a label of its pods', () => {
    const metadata = { ...ownedBy(web()), labels: { app: 'web', role: 'leader' } };
    const { workloads } = selected({ role: 'leader' }, web(), pod('web-1', { metadata }));
    assert.deepEqual(workloads, ['web']);
  });

  it('has the coming pods of a StatefulSet by their names', () => {
    const set = statefulSet('db', { spec: template({ app: 'db' }) });
    const byName = { app: 'db', 'statefulset.kubernetes.io/pod-name': 'db-0' };
    assert.deepEqual(selected(byName, set).workloads, ['db']);
    assert.deepEqual(selected({ 'apps.kubernetes.io/pod-index': '0' }, set).workloads, ['db']);
    assert.deepEqual(selected({ ...byName, tier: 'x' }, set).workloads, []);
    assert.deepEqual(selected(byName, web()).workloads, []);
    assert.deepEqual(selected(byName, set, ...podsOf(set, 1)).workloads, []);
  });

  it('has the selector and the ports, or nothing', () => {
    const { selection } = selected(undefined, web());
    const { selector, ports, workloads } = selection;
    assert.deepEqual([selector, ports, workloads], [{}, [], []]);
  });
});

describe('isSwitchedOff', () => {
  const isOff = (...objects: AnyObject[]) =>
    isSwitchedOff(selected({ app: 'web' }, ...objects).selection);
  const off = web({ replicas: 0 });

  it('is true where everything is', () => {
    assert.equal(isOff(off), true);
  });

  it('is false where something is on, still there, or where there is nothing', () => {
    const other = deployment('other', { spec: template({ app: 'web' }) });
    assert.equal(isOff(off, other), false);
    assert.equal(isOff(off, pod('web-1', { metadata: { labels: { app: 'web' } } })), false);
    assert.equal(isOff(), false);
  });
});

describe('selectedContainers', () => {
  const containers = [{ name: 'web' }, { name: 'log' }];
  const initContainers = [{ name: 'proxy', restartPolicy: 'Always' }, { name: 'setup' }];

  it('are those of the templates, native sidecars included', () => {
    const spec = { containers, initContainers };
    const own = deployment('web', {
      spec: { template: { metadata: { labels: { app: 'web' } }, spec } },
    });
    assert.deepEqual(selected({ app: 'web' }, own).containers, ['web', 'log', 'proxy']);
  });

  it('are those of pods that are kept whole', () => {
    const bare = pod('web', { metadata: { labels: { app: 'web' } }, spec: { containers } });
    assert.deepEqual(selected({ app: 'web' }, bare).containers, ['web', 'log']);
    const empty = pod('web', { metadata: { labels: { app: 'web' } } });
    assert.deepEqual(selected({ app: 'web' }, empty).containers, []);
    const metadata = {
      ...ownedByKind('example.org/v1', 'WebSet', 'web'),
      labels: { app: 'web' },
    };
    const injected = [...containers, { name: 'istio-proxy' }];
    const custom = pod('web-0', { metadata, spec: { containers: injected } });
    const found = selected({ app: 'web' }, custom).containers;
    assert.equal(found?.includes('istio-proxy'), true);
  });

  it('are not known where nothing runs', () => {
    assert.equal(selected({ app: 'web' }, web({ replicas: 0 })).containers, undefined);
    assert.equal(selected({ app: 'api' }, web()).containers, undefined);
  });

  it('are not known where something was injected', () => {
    const metadata = { ...ownedBy(web()), labels: { app: 'web' } };
    const spec = { containers: [{ name: 'web' }, { name: 'proxy' }] };
    const own = pod('web-1', { metadata, spec });
    assert.equal(selected({ app: 'web' }, web(), own).containers, undefined);
  });

  it('are not known of the pods of a Job', () => {
    const metadata = { ...ownedBy(job('load')), labels: { app: 'web' } };
    const own = pod('load-1', { metadata, spec: { containers } });
    assert.equal(selected({ app: 'web' }, web(), job('load'), own).containers, undefined);
  });

  it('are those of the template where a pod shows none', () => {
    const metadata = { ...ownedBy(web()), labels: { app: 'web' } };
    const found = selected({ app: 'web' }, web(), pod('web-1', { metadata })).containers;
    assert.deepEqual(found, ['web']);
  });

  it('are none of a template without any', () => {
    const own = deployment('web', {
      spec: { template: { metadata: { labels: { app: 'web' } } } },
    });
    assert.deepEqual(selected({ app: 'web' }, ...running(own)).containers, []);
  });
});
