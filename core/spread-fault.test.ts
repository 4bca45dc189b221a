import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deployment, estate, node, workload } from '../test/objects.ts';
import { eligibleNodes } from './nodes.ts';
import { spreadTerms } from './spread.ts';
import { constraintFault, placesText } from './spread-fault.ts';

const host = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';
const labelSelector = { matchLabels: { app: 'web' } };
const tainted = { taints: [{ key: 'gpu', effect: 'NoSchedule' }] };
const at = (name: string, labels: object = {}, spec: object = {}) =>
  node(name, { metadata: { labels: { [host]: name, ...labels } }, spec });
const [a, b, c] = [at('a', { [zone]: 'z1' }), at('b', { [zone]: 'z2' }), at('c', {}, tainted)];

/** What is wrong with the first of the constraints. */
function fault(replicas: number, constraints: readonly object[], given = [a, b, c], more = {}) {
  const topologySpreadConstraints = constraints.map((constraint) => ({
    maxSkew: 1,
    topologyKey: host,
    labelSelector,
    ...constraint,
  }));
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { topologySpreadConstraints, ...more },
  };
  const found = estate([deployment('web', { spec: { replicas, template } })]);
  const own = workload('web', found);
  const terms = spreadTerms(own, found.scope);
  const first = terms.find(({ constraint }) => constraint);
  const nodes = given;
  const eligible = eligibleNodes(own.spec, nodes);
  assert.ok(first?.constraint);
  return constraintFault(first.constraint, terms, { workload: own, replicas, nodes, eligible });
}

describe('constraintFault', () => {
  it('is none while everything finds a place of its own', () => {
    assert.equal(fault(2, [{}]), undefined);
    assert.equal(fault(9, [{}], [a, b]), undefined);
  });

  it('is what stays empty and caps the rest', () => {
    const said = 'nodeTaintsPolicy Ignore counts 1 tainted node as an empty domain';
    assert.equal(fault(3, [{}]), `${said}: at most 1 pod per node`);
    assert.equal(fault(5, [{ maxSkew: 2 }]), `${said}: at most 2 pods per node`);
    assert.equal(fault(3, [{ nodeTaintsPolicy: 'Honor' }]), undefined);
    const selecting = { nodeSelector: { [zone]: 'z1' }, tolerations: [{ operator: 'Exists' }] };
    assert.equal(
      fault(2, [{ nodeAffinityPolicy: 'Ignore' }], [a, b, c], selecting),
      'nodeAffinityPolicy Ignore counts 2 unselected nodes as empty domains: at most 1 pod per node',
    );
  });

  it('is a minimum of domains that there are not', () => {
    const demand = { topologyKey: zone, minDomains: 3 };
    assert.equal(fault(2, [demand], [a, b]), undefined);
    const said = 'minDomains 3, but 2 zones: replicas beyond 2 stay Pending';
    assert.equal(fault(3, [demand], [a, b]), said);
  });

  it('is a key that no node carries, of that constraint alone', () => {
    const said = 'no eligible node carries rack: no replica can be placed';
    assert.equal(fault(2, [{ topologyKey: 'rack' }]), said);
    assert.equal(fault(2, [{}, { topologyKey: 'rack' }]), undefined);
  });

  it('is a skew that forbids nothing, unless something else does', () => {
    const said = 'maxSkew 2 with 2 replicas lets all share a node';
    assert.equal(fault(2, [{ maxSkew: 2 }]), said);
    assert.equal(fault(3, [{ maxSkew: 2 }]), undefined);
    assert.equal(fault(2, [{ maxSkew: 2 }], [a]), undefined);
    assert.equal(fault(2, [{ maxSkew: 2 }, { topologyKey: zone }], [a, b]), undefined);
    const soft = { topologyKey: zone, whenUnsatisfiable: 'ScheduleAnyway' };
    assert.equal(fault(2, [{ maxSkew: 2 }, soft], [a, b]), said);
    const containers = [{ name: 'web', ports: [{ containerPort: 80, hostPort: 80 }] }];
    assert.equal(fault(2, [{ maxSkew: 2 }], [a, b], { containers }), undefined);
    const required = [{ topologyKey: host, labelSelector }];
    const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required };
    assert.equal(fault(2, [{ maxSkew: 2 }], [a, b], { affinity: { podAntiAffinity } }), undefined);
    const weighted = required.map((podAffinityTerm) => ({ weight: 1, podAffinityTerm }));
    const preferred = { preferredDuringSchedulingIgnoredDuringExecution: weighted };
    const affinity = { podAntiAffinity: preferred };
    assert.equal(fault(2, [{ maxSkew: 2 }], [a, b], { affinity }), said);
  });
});

describe('placesText', () => {
  it('calls the values of a key what people call them', () => {
    assert.equal(placesText(1, host), '1 eligible node');
    assert.equal(placesText(2, zone), '2 zones');
    assert.equal(placesText(2, 'rack'), '2 values of rack');
  });
});
