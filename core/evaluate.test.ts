import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject, Given } from '../test/objects.ts';
import { estate, node, pod } from '../test/objects.ts';
import { artifactsOf } from './artifacts.ts';
import type { AnyCheck, Check, Judgement } from './check.ts';
import { defineCheck } from './check.ts';
import type { ErrorCause } from './errors.ts';
import { evaluate, placeOf } from './evaluate.ts';
import { finding } from './finding.ts';
import type { Kind } from './kinds.ts';
import type { Gap, Listing } from './snapshot.ts';

const pass: Judgement = { examined: 1, findings: [] };
const wrong = (name: string) => finding(pod(name), { message: 'wrong' });

function checkOf<R extends Kind, U extends Kind>(
  run: Check<R, U>['run'],
  fields: Partial<Check<R, U>> = {},
): AnyCheck {
  return defineCheck<R, U>({
    id: 'pods-are-right',
    title: 'Pods are right',
    failureTitle: 'Pods are wrong',
    testName: 'pods in ns/<namespace> should be right',
    suite: 'test',
    scope: 'namespace',
    severity: 'minor',
    stage: 'observe',
    source: [],
    requires: [],
    breaks: '',
    fix: '',
    ...fields,
    run,
  });
}

const judging = (judgement: Judgement, fields: Partial<Check<'pods', 'leases'>> = {}) =>
  checkOf<'pods', 'leases'>(() => judgement, { requires: ['pods'], ...fields });

function outcome(check: AnyCheck, objects: readonly AnyObject[] = [], given?: Given) {
  const { snapshot, artifacts, scope } = estate(objects, given);
  return evaluate(check, snapshot, artifacts, scope);
}

const never = () => assert.fail('the check was run');
const missing = (cause: ErrorCause = 'forbidden') =>
  ({ state: 'missing', cause, detail: `answered: ${cause}` }) as const;
const cutShort = (...gaps: Partial<Gap>[]): Listing<'pods'> => ({
  state: 'read',
  objects: [pod('a')],
  gaps: gaps.map((gap) => ({ cause: 'partial', detail: 'ended early', ...gap })),
});
const podsAre = (pods: Listing<'pods'>): Given => ({ listings: { pods } });
const manifests: Given = { cluster: { input: 'manifests' } };
const topology = (
  infrastructureTopology: 'HighlyAvailable' | 'SingleReplica',
  controlPlaneTopology: 'HighlyAvailable' | 'SingleReplica' | 'External',
): Given => ({
  cluster: { topology: { infrastructureTopology, controlPlaneTopology, source: 'nodes' } },
});

describe('evaluate', () => {
  it('gives what the check found', () => {
    const judgement = { examined: 2, findings: [wrong('a')], notes: ['one more'] };
    assert.deepEqual(outcome(judging(judgement)), { kind: 'judged', ...judgement });
  });

  it('sorts findings and notes', () => {
    const unsorted = {
      examined: 3,
      findings: [wrong('c'), wrong('a'), wrong('b')],
      notes: ['b', 'a'],
    };
    assert.deepEqual(outcome(judging(unsorted)), {
      kind: 'judged',
      examined: 3,
      findings: [wrong('a'), wrong('b'), wrong('c')],
      notes: ['a', 'b'],
    });
    assert.deepEqual(unsorted.notes, ['b', 'a']);
  });

  it('passes with nothing found', () => {
    const expected = { kind: 'judged', examined: 1, findings: [], notes: [] };
    assert.deepEqual(outcome(judging(pass)), expected);
  });

  it('skips where there was nothing to judge', () => {
    const nothing = { examined: 0, findings: [], notes: ['b', 'a'] };
    assert.deepEqual(outcome(judging(nothing)), {
      kind: 'skip',
      reason: 'nothing to judge',
      notes: ['a', 'b'],
    });
  });

  it('skips for the reason that the check gives', () => {
    const zone = { examined: 0, findings: [], skip: 'one zone' };
    assert.deepEqual(outcome(judging(zone)), { kind: 'skip', reason: 'one zone', notes: [] });
  });

  it('does not skip what was judged, whatever reason is given', () => {
    assert.equal(outcome(judging({ ...pass, skip: 'one zone' })).kind, 'judged');
  });

  it('is an error when the check throws, for this check alone', () => {
    const throwing = checkOf(() => {
      throw new TypeError('x is undefined');
    });
    const expected = { kind: 'error', cause: 'exception', reason: 'TypeError: x is undefined' };
    assert.deepEqual(outcome(throwing), expected);
  });

  it('is an error when the check throws what is no Error', () => {
    const throwing = checkOf(() => {
      throw 'no';
    });
    assert.deepEqual(outcome(throwing), { kind: 'error', cause: 'exception', reason: 'no' });
  });

  it('gives the check its artifacts and its scope', () => {
    const check = checkOf<'pods', never>(
      ({ pods }, { namespace }) => ({
        examined: pods.in(namespace).length,
        findings: [],
        notes: [`${namespace}`],
      }),
      { requires: ['pods'] },
    );
    const found = outcome(check, [pod('a'), pod('b', { metadata: { namespace: 'other' } })]);
    assert.deepEqual(found, { kind: 'judged', examined: 1, findings: [], notes: ['shop'] });
  });
});

describe('findings of a passing state', () => {
  const own = { ...wrong('b'), transient: true } as const;
  const judgement = { examined: 2, findings: [wrong('a'), own] };
  const marks = (fields: Partial<Check<'pods', 'leases'>>) => {
    const found = outcome(judging(judgement, fields));
    return found.kind === 'judged' && found.findings.map(({ transient }) => transient);
  };

  it('are all those of a transient check', () => {
    assert.deepEqual(marks({ transient: true }), [true, true]);
  });

  it('are of any other check those that it marks itself', () => {
    assert.deepEqual(marks({}), [undefined, true]);
  });
});

describe('a check that does not apply', () => {
  const reason = (fields: Partial<Check>, given: Given) => {
    const found = outcome(checkOf(never, fields), [], given);
    assert.equal(found.kind, 'skip');
    return found.kind === 'skip' && found.reason;
  };
  const since = { version: '1.27', field: 'unhealthyPodEvictionPolicy' };
  const tooOld = 'server too old: unhealthyPodEvictionPolicy needs 1.27';
  const old: Given = { cluster: { serverVersion: 'v1.26.15' } };
  const unserved: Given = { listings: { pods: { state: 'not served' } } };

  it('needs live state', () => {
    assert.equal(reason({ live: true }, manifests), 'no live state');
  });

  it('rests on a convention that is not in force', () => {
    assert.equal(reason({ isInForce: () => false }, {}), 'convention not in force');
  });

  it('needs a newer server', () => {
    assert.equal(reason({ since }, old), tooOld);
  });

  it('needs a topology that is redundant somewhere', () => {
    const single = 'topology: SingleReplica';
    assert.equal(reason({ redundant: true }, topology('SingleReplica', 'SingleReplica')), single);
    assert.equal(reason({ redundant: true }, topology('SingleReplica', 'External')), single);
  });

  it('is about other control planes', () => {
    const fields: Partial<Check> = { controlPlaneTopologies: ['HighlyAvailable'] };
    const given = topology('HighlyAvailable', 'External');
    assert.equal(reason(fields, given), 'topology: External');
    const both = { ...fields, requires: ['pods'] } as const;
    assert.equal(reason(both, { ...given, ...unserved }), 'topology: External');
  });

  it('needs a kind that is not served', () => {
    assert.equal(reason({ requires: ['nodes', 'pods'] }, unserved), 'not served: pods');
  });

  it('gives the first reason in the order of the specification', () => {
    const all: Partial<Check> = {
      live: true,
      isInForce: () => false,
      since,
      redundant: true,
      requires: ['pods'],
    };
    const given = topology('SingleReplica', 'SingleReplica');
    const cluster = { ...given.cluster, ...old.cluster, input: 'manifests' } as const;
    const everything: Given = { cluster, ...unserved };
    assert.equal(reason(all, everything), 'no live state');
    const { live: _, ...notLive } = all;
    assert.equal(reason(notLive, everything), 'convention not in force');
    const inForce = { ...notLive, isInForce: () => true };
    assert.equal(reason(inForce, everything), tooOld);
    const { since: __, ...anyServer } = inForce;
    assert.equal(reason(anyServer, everything), 'topology: SingleReplica');
    const { redundant: ___, ...anywhere } = anyServer;
    assert.equal(reason(anywhere, everything), 'not served: pods');
  });

  it('is skipped before anything is missed', () => {
    const given: Given = { ...manifests, listings: { pods: missing() } };
    assert.equal(reason({ live: true, requires: ['pods'] }, given), 'no live state');
    const one: Given = { listings: { pods: missing(), nodes: { state: 'not served' } } };
    assert.equal(reason({ requires: ['pods', 'nodes'] }, one), 'not served: nodes');
  });
});

describe('a check that applies', () => {
  const judged = (fields: Partial<Check<'pods', 'leases'>>, given: Given) =>
    assert.equal(outcome(judging(pass, fields), [], given).kind, 'judged');
  const since = { version: '1.27', field: 'x' };

  it('needs live state and has it', () => judged({ live: true }, {}));

  it('needs none', () => judged({}, manifests));

  it('rests on a convention that is in force', () => judged({ isInForce: () => true }, {}));

  it('finds the server new enough, or of no known version', () => {
    judged({ since }, { cluster: { serverVersion: 'v1.27.0' } });
    judged({ since }, { cluster: { serverVersion: 'unknown' } });
    const { snapshot, artifacts, scope } = estate([]);
    const { serverVersion: _, ...cluster } = scope.cluster;
    const found = evaluate(judging(pass, { since }), snapshot, artifacts, { ...scope, cluster });
    assert.equal(found.kind, 'judged');
  });

  it('finds redundancy in the infrastructure or in the control plane', () => {
    judged({ redundant: true }, topology('HighlyAvailable', 'SingleReplica'));
    judged({ redundant: true }, topology('SingleReplica', 'HighlyAvailable'));
    judged({ redundant: true }, topology('HighlyAvailable', 'External'));
  });

  it('is about such a control plane', () => {
    const controlPlaneTopologies = ['External', 'HighlyAvailable'] as const;
    judged({ controlPlaneTopologies }, topology('SingleReplica', 'HighlyAvailable'));
    judged({ controlPlaneTopologies }, topology('SingleReplica', 'External'));
  });

  it('does not ask for redundancy', () => judged({}, topology('SingleReplica', 'SingleReplica')));
});

describe('what is missing', () => {
  for (const cause of ['forbidden', 'timeout', 'malformed', 'not collected', 'partial'] as const) {
    it(`is an error: ${cause}`, () => {
      const check = checkOf(never, { requires: ['pods'] });
      assert.deepEqual(outcome(check, [], podsAre(missing(cause))), {
        kind: 'error',
        cause,
        reason: `pods answered: ${cause}`,
      });
    });
  }

  it('is an error for a kind that nobody gathered', () => {
    const { snapshot, scope } = estate([], { snapshot: { listings: {} } });
    const check = checkOf(never, { requires: ['pods'] });
    assert.deepEqual(evaluate(check, snapshot, artifactsOf(snapshot)('shop'), scope), {
      kind: 'error',
      cause: 'not collected',
      reason: 'pods was not gathered',
    });
  });

  it('is named first in the order in which kinds are required', () => {
    const check = checkOf(never, { requires: ['nodes', 'pods', 'leases'] });
    const given = { listings: { leases: missing('timeout'), pods: missing('expired') } };
    assert.deepEqual(outcome(check, [], given), {
      kind: 'error',
      cause: 'expired',
      reason: 'pods answered: expired',
    });
  });

  it('costs the namespace that it is missing from, and no other', () => {
    const listing = cutShort({ namespace: 'shop', cause: 'forbidden', detail: 'answered 403' });
    assert.deepEqual(outcome(judging(pass), [], podsAre(listing)), {
      kind: 'error',
      cause: 'forbidden',
      reason: 'pods answered 403',
    });
    const elsewhere = { ...podsAre(listing), scope: { namespace: 'other' } };
    assert.equal(outcome(judging(pass), [], elsewhere).kind, 'judged');
  });

  it('costs nothing for a kind of which the input says nothing', () => {
    assert.equal(outcome(judging(pass), [], podsAre({ state: 'unknown' })).kind, 'judged');
  });

  it('is the topology where it could not be found out', () => {
    const given: Given = { cluster: { topology: { cause: 'malformed', detail: 'of nodes' } } };
    const expected = { kind: 'error', cause: 'malformed', reason: 'topology: of nodes' };
    assert.deepEqual(outcome(checkOf(never, { redundant: true }), [], given), expected);
    const bound = checkOf(never, { controlPlaneTopologies: ['External'] });
    assert.deepEqual(outcome(bound, [], given), expected);
    assert.equal(outcome(judging(pass), [], given).kind, 'judged');
  });

  it('is what the check says that there must be', () => {
    const judgement = { examined: 1, findings: [wrong('a')], missing: 'members of ns/etcd' };
    const expected = { kind: 'error', cause: 'not collected', reason: 'members of ns/etcd' };
    assert.deepEqual(outcome(judging(judgement)), expected);
  });
});

describe('a check of the cluster', () => {
  const gap = { namespace: 'etcd', cause: 'forbidden', detail: 'answered: 403' } as const;
  const given = podsAre({ state: 'read', objects: [], gaps: [gap] });
  const of = (ownerNamespace: string, check = judging(pass)): AnyCheck => ({
    ...check,
    scope: 'cluster',
    ownerNamespace,
  });
  const judge = (check: AnyCheck) => {
    const { snapshot, scope } = estate([], given);
    const { namespace: _, ...cluster } = scope;
    const artifacts = artifactsOf(snapshot)(placeOf(check, cluster));
    return evaluate(check, snapshot, artifacts, cluster);
  };

  it('misses what could not be read of its namespace', () => {
    const expected = { kind: 'error', cause: 'forbidden', reason: 'pods answered: 403' };
    assert.deepEqual(judge(of('etcd')), expected);
    assert.equal(judge(of('dns')).kind, 'judged');
    const { ownerNamespace: _, ...nowhere } = of('etcd');
    assert.equal(judge(nowhere).kind, 'judged');
  });

  it('misses what it only uses there, too', () => {
    const using = checkOf<never, 'pods'>(
      ({ pods }) => ({ ...pass, notes: [`pods: ${pods?.all.length}`] }),
      { uses: ['pods'] },
    );
    const found = judge(of('etcd', using));
    assert.deepEqual(found.kind === 'judged' && found.notes, [
      'pods not readable: forbidden',
      'pods: undefined',
    ]);
  });
});

describe('kinds of which one is enough', () => {
  const either = (judgement = pass) =>
    checkOf<never, 'leases' | 'pods'>(() => judgement, {
      uses: ['leases', 'pods'],
      requiresOneOf: ['leases', 'pods'],
    });

  it('are judged by the one that there is', () => {
    const found = outcome(either(), [], { listings: { leases: missing() } });
    assert.deepEqual(found.kind === 'judged' && found.notes, ['leases not readable: forbidden']);
    const other = outcome(either(), [], podsAre(missing('timeout')));
    assert.deepEqual(other.kind === 'judged' && other.notes, ['pods not readable: timeout']);
  });

  it('are an error where there is none', () => {
    const listings = { leases: missing(), pods: missing('timeout') };
    const expected = { kind: 'error', cause: 'forbidden', reason: 'leases answered: forbidden' };
    assert.deepEqual(outcome(either(), [], { listings }), expected);
  });

  it('are judged by findings where none was read to its end', () => {
    const listings = {
      leases: { state: 'read', objects: [], gaps: [{ cause: 'partial', detail: 'ended early' }] },
      pods: cutShort({}),
    } as const;
    const expected = { kind: 'error', cause: 'partial', reason: 'leases ended early' };
    assert.deepEqual(outcome(either(), [], { listings }), expected);
    const found = outcome(either({ examined: 1, findings: [wrong('a')] }), [], { listings });
    assert.deepEqual(found.kind === 'judged' && found.notes, [
      'leases not readable: partial',
      'pods not readable: partial',
    ]);
  });
});

describe('what is there in part', () => {
  const found = { examined: 1, findings: [wrong('a')] };

  it('is an error without findings', () => {
    const expected = { kind: 'error', cause: 'partial', reason: 'pods ended early' };
    assert.deepEqual(outcome(judging(pass), [], podsAre(cutShort({}))), expected);
    const nothing = { examined: 0, findings: [] };
    assert.deepEqual(outcome(judging(nothing), [], podsAre(cutShort({}))), expected);
  });

  it('counts with findings, and says so', () => {
    assert.deepEqual(outcome(judging(found), [], podsAre(cutShort({}))), {
      kind: 'judged',
      ...found,
      notes: ['pods not readable: partial'],
    });
  });

  it('shows the check what is there', () => {
    const check = checkOf<'pods', never>(
      ({ pods }) => ({ examined: 1, findings: pods.all.map((p) => wrong(p.metadata.name)) }),
      { requires: ['pods'] },
    );
    const judged = outcome(check, [], podsAre(cutShort({})));
    assert.deepEqual(judged.kind === 'judged' && judged.findings, [wrong('a')]);
  });

  it('yields to what is missing as a whole', () => {
    const given = { listings: { pods: cutShort({}), leases: missing('timeout') } };
    const check = checkOf(never, { requires: ['pods', 'leases'] });
    const expected = { kind: 'error', cause: 'timeout', reason: 'leases answered: timeout' };
    assert.deepEqual(outcome(check, [], given), expected);
  });

  it('yields to a check that throws', () => {
    const throwing = checkOf(
      () => {
        throw new Error('no');
      },
      { requires: ['pods'] },
    );
    const { kind, ...rest } = outcome(throwing, [], podsAre(cutShort({})));
    assert.deepEqual([kind, rest], ['error', { cause: 'exception', reason: 'Error: no' }]);
  });
});

describe('what is only used', () => {
  const gap = { cause: 'partial', detail: 'ended early' } as const;
  const check = (judgement: Judgement = pass) =>
    checkOf<'pods', 'leases' | 'routes'>(
      ({ leases }) => ({ ...judgement, notes: [`leases: ${leases?.all.length}`] }),
      { requires: ['pods'], uses: ['leases', 'routes'] },
    );

  it('is noted when it is missing, and costs nothing', () => {
    const given = { listings: { leases: missing(), routes: missing('timeout') } };
    assert.deepEqual(outcome(check(), [], given), {
      kind: 'judged',
      examined: 1,
      findings: [],
      notes: [
        'leases not readable: forbidden',
        'leases: undefined',
        'routes not readable: timeout',
      ],
    });
  });

  it('is noted where there was nothing to judge: it may be for that', () => {
    const given = { listings: { leases: missing() } };
    assert.deepEqual(outcome(check({ examined: 0, findings: [] }), [], given), {
      kind: 'skip',
      reason: 'nothing to judge',
      notes: ['leases not readable: forbidden', 'leases: undefined'],
    });
  });

  it('is noted when it says whose cluster or namespace it is, for every check', () => {
    const given = {
      listings: {
        namespaces: missing('partial'),
        nodes: missing('timeout'),
        infrastructures: missing(),
        clusterVersions: missing('not collected'),
      },
    };
    const found = outcome(judging(pass), [], given);
    assert.deepEqual(found.kind === 'judged' && found.notes, [
      'clusterVersions not readable: not collected',
      'infrastructures not readable: forbidden',
      'namespaces not readable: partial',
      'nodes not readable: timeout',
    ]);
  });

  it('is noted once, however often it is named', () => {
    const nodes = { state: 'read', objects: [node('a')], gaps: [gap] } as const;
    const found = { examined: 1, findings: [wrong('a')] };
    const cut = checkOf(() => found, { requires: ['nodes'] });
    const judged = outcome(cut, [], { listings: { nodes } });
    assert.deepEqual(judged.kind === 'judged' && judged.notes, ['nodes not readable: partial']);
    const using = checkOf<never, 'nodes'>(() => pass, { uses: ['nodes'] });
    const used = outcome(using, [], { listings: { nodes } });
    assert.deepEqual(used.kind === 'judged' && used.notes, ['nodes not readable: partial']);
  });

  it('is empty, and not noted, when it is not served', () => {
    const given: Given = { listings: { leases: { state: 'not served' } } };
    const found = outcome(check(), [], given);
    assert.deepEqual(found.kind === 'judged' && found.notes, ['leases: 0']);
  });
});
