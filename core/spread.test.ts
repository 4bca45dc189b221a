import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import {
  daemonSet,
  deployment,
  estate,
  make,
  ownedByKind,
  pod,
  statefulSet,
  workload,
} from '../test/objects.ts';
import { exclusionOfNext, isExclusive, ownLabels, spreadTerms, termsOfNext } from './spread.ts';

const labels = { app: 'web', tier: 'a', 'pod-template-hash': 'h1' };
const web = (spec: object) =>
  deployment('web', { spec: { template: { metadata: { labels }, spec } } });
const host = 'kubernetes.io/hostname';
const own = { matchLabels: { app: 'web' } };
const term = (fields: object = {}) => ({ topologyKey: host, labelSelector: own, ...fields });
const required = (...terms: object[]) => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
const preferred = (...terms: object[]) => ({
  affinity: {
    podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms.map(weighted) },
  },
});
const weighted = (podAffinityTerm: object) => ({ weight: 100, podAffinityTerm });
const spread = (fields: object = {}) => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: host, whenUnsatisfiable: 'DoNotSchedule', ...fields },
  ],
});

function terms(spec: object, given: Given = {}) {
  const found = estate([web(spec)], given);
  return spreadTerms(workload('web', found), found.scope);
}

function only(spec: object, given?: Given) {
  const found = terms(spec, given);
  assert.equal(found.length, 1);
  return found[0];
}

const selectsOwn = (spec: object, given?: Given) => only(spec, given)?.selectsOwnPods;

describe('spreadTerms', () => {
  it('are none where nothing is said', () => {
    assert.deepEqual(terms({}), []);
    assert.deepEqual(terms({ affinity: {} }), []);
    assert.deepEqual(terms({ affinity: { podAntiAffinity: {} } }), []);
    assert.deepEqual(terms({ affinity: { podAffinity: {}, nodeAffinity: {} } }), []);
  });

  it('are the required anti-affinity', () => {
    assert.deepEqual(only(required(term())), {
      title: 'anti-affinity',
      key: host,
      selector: own,
      selectsOwnPods: true,
      isHard: true,
    });
  });

  it('are the preferred anti-affinity', () => {
    const found = only(preferred(term({ topologyKey: 'zone' })));
    assert.deepEqual(
      [found?.title, found?.key, found?.isHard],
      ['preferred anti-affinity', 'zone', false],
    );
  });

  it('are topology spread constraints, hard unless they say otherwise', () => {
    const { constraint, ...found } = only(spread({ labelSelector: own })) ?? {};
    assert.deepEqual(found, {
      title: 'topologySpreadConstraint',
      key: host,
      selector: own,
      selectsOwnPods: true,
      isHard: true,
    });
    assert.equal(constraint?.maxSkew, 1);
    const soft = { labelSelector: own, whenUnsatisfiable: 'ScheduleAnyway' };
    assert.equal(only(spread(soft))?.isHard, false);
    assert.equal(only(spread({ whenUnsatisfiable: undefined }))?.isHard, true);
  });

  it('come with the hard ones first', () => {
    const all = { ...preferred(term()), ...spread({ labelSelector: own }) };
    assert.deepEqual(
      terms(all).map(({ title }) => title),
      ['topologySpreadConstraint', 'preferred anti-affinity'],
    );
  });

  it('show what is incomplete as it is', () => {
    const bare = { affinity: { podAntiAffinity: preferredBare } };
    assert.deepEqual([only(bare)?.key, only(bare)?.selectsOwnPods], ['', false]);
    assert.equal(only(spread({ topologyKey: undefined }))?.key, '');
  });

  const preferredBare = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] };
});

describe('an anti-affinity term', () => {
  const table: readonly (readonly [string, object, boolean])[] = [
    ['selects them by their labels', {}, true],
    ['selects others', { labelSelector: { matchLabels: { app: 'api' } } }, false],
    ['has no selector: no pods', { labelSelector: undefined }, false],
    ['has an empty selector: all pods', { labelSelector: {} }, true],
    ['has an invalid selector: no pods', { labelSelector: invalid() }, false],
    ['names their namespace', { namespaces: ['shop', 'other'] }, true],
    ['names other namespaces', { namespaces: ['other'] }, false],
    ['selects every namespace', { namespaceSelector: {} }, true],
    ['selects no namespace of theirs', { namespaceSelector: team('b') }, false],
    ['selects their namespace by its label', { namespaceSelector: team('a') }, true],
    ['selects their namespace by its name', { namespaceSelector: named('shop') }, true],
    ['selects other namespaces, but names theirs', both('shop'), true],
    ['selects and names other namespaces', both('other'), false],
    ['wants a label to differ that they share', { mismatchLabelKeys: ['tier'] }, false],
    ['wants a label to differ that they have not', { mismatchLabelKeys: ['tenant'] }, true],
    ['wants a label to be the same', { matchLabelKeys: ['pod-template-hash'] }, true],
    ['wants a label to be the same that they have not', { matchLabelKeys: ['tenant'] }, true],
  ];
  for (const [what, fields, expected] of table) {
    it(`${expected ? 'is' : 'is not'} about its own pods when it ${what}`, () => {
      const given = { scope: { labels: { team: 'a' } } };
      assert.equal(selectsOwn(required(term(fields)), given), expected);
      assert.equal(selectsOwn(preferred(term(fields)), given), expected);
    });
  }

  function invalid() {
    return { matchExpressions: [{ key: 'app', operator: 'In', values: [] }] };
  }

  function team(value: string) {
    return { matchLabels: { team: value } };
  }

  function named(value: string) {
    return { matchLabels: { 'kubernetes.io/metadata.name': value } };
  }

  function both(name: string) {
    return { namespaces: [name], namespaceSelector: team('b') };
  }

  it('is not about its own pods for what every object inherits', () => {
    const fields = { mismatchLabelKeys: ['constructor'] };
    assert.equal(selectsOwn(required(term(fields))), true);
  });

  it('says where it looks instead', () => {
    const elsewhere = (fields: object) => only(required(term(fields)))?.elsewhere;
    assert.equal(elsewhere({ namespaces: ['other'] }), 'in other namespaces only');
    assert.equal(elsewhere({ mismatchLabelKeys: ['tier', 'x'] }), 'only where tier differs');
    assert.equal(elsewhere({}), undefined);
  });
});

describe('a topology spread constraint', () => {
  const table: readonly (readonly [string, object, boolean])[] = [
    ['selects them', { labelSelector: own }, true],
    ['selects others', { labelSelector: { matchLabels: { app: 'api' } } }, false],
    ['has no selector', {}, false],
    ['has an empty selector', { labelSelector: {} }, false],
    ['wants the same revision', { labelSelector: own, matchLabelKeys: ['x'] }, true],
  ];
  for (const [what, fields, expected] of table) {
    it(`${expected ? 'is' : 'is not'} about its own pods when it ${what}`, () => {
      assert.equal(selectsOwn(spread(fields)), expected);
    });
  }

  it('shows no selector that counts no pods', () => {
    assert.equal(only(spread({ labelSelector: {} }))?.selector, undefined);
  });
});

describe('isExclusive', () => {
  function exclusive(spec: object) {
    const found = estate([web(spec)]);
    return isExclusive(workload('web', found), found.scope);
  }

  const port = (fields: object) => ({ containers: [{ name: 'web', ports: [fields] }] });
  const table: readonly (readonly [string, object, boolean])[] = [
    ['required anti-affinity on the host', required(term()), true],
    ['required anti-affinity on the zone', required(term({ topologyKey: 'zone' })), false],
    ['required anti-affinity to others', required(term({ namespaces: ['other'] })), false],
    ['the second of two terms', required(term({ topologyKey: 'zone' }), term()), true],
    ['preferred anti-affinity on the host', preferred(term()), false],
    ['a hard topology spread', spread({ labelSelector: own }), false],
    ['a host port', port({ containerPort: 80, hostPort: 80 }), true],
    ['a container port', port({ containerPort: 80 }), false],
    ['a port on the host network', { hostNetwork: true, ...port({ containerPort: 80 }) }, true],
    ['the host network without ports', { hostNetwork: true, containers: [{}] }, false],
    ['nothing', {}, false],
  ];
  for (const [what, spec, expected] of table) {
    it(`is ${expected} with ${what}`, () => assert.equal(exclusive(spec), expected));
  }
});

describe('exclusionOfNext', () => {
  const [deploymentKey, daemonKey] = ['pod-template-hash', 'controller-revision-hash'];
  const exclusion = (object: AnyObject) => {
    const found = estate([object]);
    return exclusionOfNext(workload(object.metadata.name, found), found.scope);
  };
  const agent = (spec: object) =>
    daemonSet('agent', { spec: { template: { metadata: { labels }, spec } } });
  const within = (...matchLabelKeys: string[]) => required(term({ matchLabelKeys }));
  const port = { containers: [{ name: 'web', ports: [{ containerPort: 80, hostPort: 80 }] }] };

  it('is anti-affinity on the host, between pods of all revisions', () => {
    const said = 'required anti-affinity';
    assert.equal(exclusion(web(required(term()))), said);
    assert.equal(exclusion(web(within('tier'))), said);
    assert.equal(exclusion(web(required(term({ topologyKey: 'zone' })))), undefined);
    assert.equal(exclusion(web(within(deploymentKey))), undefined);
    assert.equal(exclusion(web(within('tier', deploymentKey))), undefined);
    assert.equal(exclusion(web(within(daemonKey))), said);
    assert.equal(exclusion(agent(within(deploymentKey))), said);
    assert.equal(exclusion(agent(within(daemonKey))), undefined);
  });

  it('is a host port, of whatever revision', () => {
    assert.equal(exclusion(web(port)), 'a host port');
    assert.equal(exclusion(web({ ...port, ...within(deploymentKey) })), 'a host port');
    assert.equal(exclusion(web({})), undefined);
  });
});

describe('termsOfNext', () => {
  const keys = (spec: object) => {
    const found = estate([web(spec)]);
    return termsOfNext(workload('web', found), found.scope).map(({ key }) => key);
  };

  it('are hard ones about its own pods, of whatever revision', () => {
    const others = { matchLabels: { app: 'api' } };
    assert.deepEqual(keys(required(term(), term({ topologyKey: 'zone' }))), [host, 'zone']);
    assert.deepEqual(keys(required(term({ labelSelector: others }))), []);
    assert.deepEqual(keys(preferred(term())), []);
    assert.deepEqual(keys(spread({ labelSelector: own })), [host]);
    assert.deepEqual(keys(spread({ labelSelector: others })), []);
    assert.deepEqual(keys(spread({ labelSelector: own, matchLabelKeys: ['tier'] })), [host]);
    assert.deepEqual(
      keys(spread({ labelSelector: own, matchLabelKeys: ['pod-template-hash'] })),
      [],
    );
    const soft = { labelSelector: own, whenUnsatisfiable: 'ScheduleAnyway' };
    assert.deepEqual(keys(spread(soft)), []);
  });
});

describe('ownLabels', () => {
  const of = (object: AnyObject, name = object.metadata.name) =>
    ownLabels(workload(name, estate([object])));
  const template = { metadata: { labels } };

  it('are those that the selector of the workload asks for', () => {
    const selector = { matchLabels: { app: 'web' } };
    assert.deepEqual(of(statefulSet('web', { spec: { selector, template } })), { app: 'web' });
  });

  it('are those of the template where the selector asks for none', () => {
    const selector = { matchExpressions: [{ key: 'app', operator: 'Exists' }] };
    assert.deepEqual(of(statefulSet('web', { spec: { selector, template } })), labels);
    assert.deepEqual(of(statefulSet('web', { spec: { template } })), labels);
    assert.deepEqual(of(statefulSet('web')), {});
  });

  it('are those of the template where the selector is a plain map', () => {
    const selector = { matchLabels: 'web' };
    const config = make('deploymentConfigs', 'web', { spec: { selector, template } });
    assert.deepEqual(of(config), labels);
  });

  it('are those of the pods of a custom workload', () => {
    const metadata = { labels, ...ownedByKind('core.strimzi.io/v1', 'StrimziPodSet', 'kafka') };
    assert.deepEqual(of(pod('kafka-0', { metadata }), 'kafka'), labels);
  });
});
