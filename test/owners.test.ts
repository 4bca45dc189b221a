import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { OwnerSources } from '../suites/owners.ts';
import { attributing, knownNamespaces } from '../suites/owners.ts';
import type { AnyObject, Given } from './objects.ts';
import { estate, make } from './objects.ts';

interface Said extends Partial<Pick<OwnerSources, 'owners' | 'openshift'>> {
  readonly given?: Given;
}

function attribution(
  namespace: string | undefined,
  objects: readonly AnyObject[],
  said: Said = {},
) {
  const { owners = {}, openshift = true, given } = said;
  return attributing({ owners, openshift, snapshot: estate(objects, given).snapshot })(namespace);
}

const key = 'ha-compliance/jira-component';
const namespace = (name: string, metadata: object = {}) => make('namespaces', name, { metadata });
const annotated = (name: string, value: string) =>
  namespace(name, { annotations: { [key]: value } });
const labelled = (name: string, value: string) => namespace(name, { labels: { [key]: value } });
const operator = (name: string, ...namespaces: readonly string[]) =>
  make('clusterOperators', name, {
    status: {
      relatedObjects: namespaces.map((name) => ({ group: '', resource: 'namespaces', name })),
    },
  });
const version = (namespace: string, name: string, labels: object = {}) =>
  make('clusterServiceVersions', name, { metadata: { namespace, labels } });

/** From the one that wins to the one that is asked last. */
const dns = 'openshift-dns';
const everything = {
  owners: { [dns]: { jiraComponent: 'File' } },
  object: namespace(dns, { annotations: { [key]: 'Annotation' }, labels: { [key]: 'label' } }),
  others: [operator('network', dns), version(dns, 'dns.v1')],
};

describe('the owner of a namespace', () => {
  it("is first what the user's file says", () => {
    const { owners, object, others } = everything;
    assert.deepEqual(attribution(dns, [object, ...others], { owners }), {
      owner: { name: 'File', source: 'file' },
      jiraComponent: 'File',
      notes: [],
    });
  });

  it('is then what its annotation says', () => {
    const { object, others } = everything;
    const { owner, jiraComponent } = attribution(dns, [object, ...others]);
    assert.deepEqual(owner, { name: 'Annotation', source: 'annotation' });
    assert.equal(jiraComponent, 'Annotation');
  });

  it('is then what its label says', () => {
    const { owner, jiraComponent } = attribution(dns, [labelled(dns, 'dns'), ...everything.others]);
    assert.deepEqual(owner, { name: 'dns', source: 'label' });
    assert.equal(jiraComponent, 'dns');
  });

  it('is then on OpenShift what the shipped map says, there or not', () => {
    const expected = {
      owner: { name: 'Networking / DNS', source: 'component map' },
      jiraComponent: 'Networking / DNS',
      notes: [],
    };
    assert.deepEqual(attribution(dns, [namespace(dns), ...everything.others]), expected);
    assert.deepEqual(attribution(dns, []), expected);
    assert.deepEqual(attribution(dns, [], { openshift: false }), { notes: [] });
  });

  it('is then the operator of the cluster that names it', () => {
    const { others } = everything;
    const { owner } = attribution(dns, [namespace(dns), ...others], { openshift: false });
    assert.deepEqual(owner, { name: 'network', source: 'ClusterOperator' });
  });

  it('is at last the operator that was installed in it', () => {
    assert.deepEqual(attribution('cache', [version('cache', 'cache.v1')]), {
      owner: { name: 'cache.v1', source: 'ClusterServiceVersion' },
      notes: [],
    });
  });

  it('is unknown where nothing says it', () => {
    const copied = version('shop', 'cache.v1', { 'olm.copiedFrom': 'cache' });
    assert.deepEqual(attribution('shop', [namespace('shop'), copied]), { notes: [] });
    assert.deepEqual(attribution('constructor', []), { notes: [] });
    assert.deepEqual(attribution(undefined, []), { notes: [] });
  });

  it('may be several', () => {
    const operators = [operator('b', 'x', 'x'), operator('a', 'x')];
    assert.equal(attribution('x', operators).owner?.name, 'a, b');
    const versions = [version('x', 'b.v2'), version('x', 'a.v1')];
    assert.equal(attribution('x', versions).owner?.name, 'a.v1, b.v2');
  });
});

describe("an operator's name", () => {
  it('is no component', () => {
    const of = (name: string, objects: readonly AnyObject[]) => attribution(name, objects);
    assert.deepEqual(of('openshift-sdn', [operator('network', 'openshift-sdn')]), {
      owner: { name: 'network', source: 'ClusterOperator' },
      notes: [],
    });
    assert.equal(of('cache', [version('cache', 'Etcd')]).jiraComponent, undefined);
    assert.equal(of('x', [operator('Etcd', 'x')]).jiraComponent, undefined);
  });

  it('leads to the component of the namespace that bears it', () => {
    const etcd = attribution('openshift-backup', [operator('etcd', 'openshift-backup')]);
    assert.deepEqual(etcd.owner, { name: 'etcd', source: 'ClusterOperator' });
    assert.equal(etcd.jiraComponent, 'Etcd');
    const prefixed = operator('openshift-apiserver', 'openshift-extra');
    assert.equal(attribution('openshift-extra', [prefixed]).jiraComponent, 'openshift-apiserver');
  });

  it("leads to the component that the user gives to the operator's namespace", () => {
    const owners = { 'openshift-network': { jiraComponent: 'Networking' } };
    const objects = [operator('network', 'openshift-sdn')];
    assert.equal(attribution('openshift-sdn', objects, { owners }).jiraComponent, 'Networking');
  });

  it('leads to no component where several operators keep the namespace', () => {
    const operators = [operator('etcd', 'openshift-backup'), operator('dns', 'openshift-backup')];
    assert.equal(attribution('openshift-backup', operators).jiraComponent, undefined);
  });

  it('is known by the namespaces that it relates to, not by other objects', () => {
    const relatedObjects = [
      { group: '', resource: 'configmaps', namespace: 'shop', name: 'settings' },
      { group: 'project.example.org', resource: 'namespaces', name: 'shop' },
      { resource: 'namespaces' },
    ];
    const others = make('clusterOperators', 'network', { status: { relatedObjects } });
    const silent = make('clusterOperators', 'dns');
    assert.deepEqual(attribution('shop', [others, silent]), { notes: [] });
    const bare = { relatedObjects: [{ resource: 'namespaces', name: 'shop' }] };
    const keeper = make('clusterOperators', 'network', { status: bare });
    assert.equal(attribution('shop', [keeper]).owner?.name, 'network');
  });
});

describe('a component in an annotation or a label', () => {
  for (const value of ['Shop', 'Cloud Compute / Unknown', 'x', 'a'.repeat(100), 'Übersicht']) {
    it(`may be ${JSON.stringify(value.slice(0, 30))}`, () => {
      assert.equal(attribution('shop', [annotated('shop', value)]).jiraComponent, value);
    });
  }

  const refused = [
    ['', 'empty'],
    ['Shop"] cart [Jira:"x', 'more than a name'],
    ['a[b', 'with a bracket'],
    [' Shop', 'with a space before it'],
    ['Shop ', 'with a space behind it'],
    ['Shop\n', 'of two lines'],
    ['a\u0000b', 'with a control character'],
    ['a'.repeat(101), 'too long'],
  ] as const;
  for (const [value, what] of refused) {
    it(`counts for nothing when it is ${what}`, () => {
      assert.deepEqual(attribution('shop', [annotated('shop', value)]), { notes: [] });
      assert.equal(attribution(dns, [annotated(dns, value)]).jiraComponent, 'Networking / DNS');
    });
  }

  it('counts for nothing in a label either', () => {
    assert.deepEqual(attribution('shop', [labelled('shop', '')]), { notes: [] });
  });
});

describe('what could not be read', () => {
  const refused = { state: 'missing', cause: 'forbidden', detail: 'answered: 403' } as const;
  const given: Given = {
    listings: {
      clusterOperators: refused,
      clusterServiceVersions: refused,
      subscriptions: refused,
    },
  };

  it('is noted where the owner is unknown', () => {
    assert.deepEqual(attribution('shop', [], { given }).notes, [
      'clusterOperators not readable: forbidden',
      'clusterServiceVersions not readable: forbidden',
      'subscriptions not readable: forbidden',
    ]);
  });

  it('is of no interest where the owner is known', () => {
    assert.deepEqual(attribution(dns, [], { given }).notes, []);
  });
});

describe('the known namespaces', () => {
  it('are those of the shipped map', () => {
    assert.equal(knownNamespaces.length, 64);
    assert.ok(knownNamespaces.includes(dns));
  });
});
