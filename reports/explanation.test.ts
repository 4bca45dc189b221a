import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { ExplainedCheck, ExplainedFinding, Explanation } from '../core/result.ts';
import { golden } from '../test/golden.ts';
import { finding, pending, permanent } from '../test/sample-report.ts';
import { renderExplanation } from './explanation.ts';
import { pageOf } from './page.ts';
import { width } from './width.ts';

const page = pageOf(80, false);
const object = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'openshift-console',
  name: 'console',
};

function check(id: string, changes: Partial<ExplainedCheck> = {}): ExplainedCheck {
  return {
    check: id,
    namespace: 'openshift-console',
    title: 'Workloads keep at least two replicas',
    breaks: 'the only replica goes with its node; its clients get errors until it runs elsewhere',
    fix: 'keep at least two replicas, or say in an exception why one is enough',
    docs: `https://example.org/checks/${id}`,
    stage: 'flake',
    verdict: 'pass',
    facts: ['floor', 'topology'],
    reads: [
      { kind: 'deployments', objects: 2 },
      { kind: 'rollouts', objects: 'not served' },
      { kind: 'leases', objects: 'forbidden' },
      { kind: 'routes', objects: 'not served' },
      { kind: 'pods', objects: 4 },
    ],
    notes: [],
    findings: [],
    ...changes,
  };
}

function found(changes: Partial<ExplainedFinding> = {}): ExplainedFinding {
  return { ...finding('console'), ...changes };
}

const explanation = (checks: readonly ExplainedCheck[]): Explanation => ({
  object,
  facts: [
    { name: 'replicas', text: '1 (spec.replicas)', from: ['deployments'] },
    {
      name: 'topology',
      text: 'HighlyAvailable (infrastructure, as Infrastructure says): redundancy is expected',
      from: ['infrastructures'],
    },
  ],
  checks,
});
const show = (...checks: readonly ExplainedCheck[]) => renderExplanation(page, explanation(checks));

const { patch: _, ...unpatched } = found();
const { namespace: __, ...clusterWide } = check('control-plane-quorum');
const everything: readonly ExplainedCheck[] = [
  check('replicas-sufficient', {
    verdict: 'flake',
    findings: [
      found({ dryRun: { state: 'accepted' } }),
      found({
        message: 'is the same once more, said at such length that it does not fit on one line',
        dryRun: {
          state: 'refused',
          reason: '422 Invalid: Deployment.apps "console" is invalid: spec.replicas: too many',
        },
        exception: pending,
      }),
      found({
        object: { ...object, container: 'web' },
        dryRun: { state: 'not tried', reason: 'a recording takes no patch' },
        exception: permanent,
        patch: { spec: { template: { spec: { containers: [{ name: 'web', image: null }] } } } },
        command: `kubectl get deployment console -n openshift-console -o 'jsonpath={.spec.template.spec.containers[*].readinessProbe}'`,
      }),
      unpatched,
    ],
    notes: ['Deployment openshift-console/console: could be a control loop'],
  }),
  check('nothing-to-judge', { verdict: 'skip', reason: 'nothing to judge' }),
  check('readiness-probes', { facts: [], notes: ['a note'] }),
  check('pdb-presence', { verdict: 'error', reason: 'podDisruptionBudgets refused: 403' }),
  { ...clusterWide, reads: [{ kind: 'nodes', objects: 'unknown' }] },
];

describe('renderExplanation', () => {
  it('shows what is known, what is judged and what would cure it', () =>
    golden('explanation.txt', show(...everything)));

  it('says so where nothing judges the object', () => {
    const node = { apiVersion: 'v1', kind: 'Node', name: 'worker-1' };
    assert.equal(
      renderExplanation(page, { object: node, facts: [], checks: [] }),
      'Node worker-1\n\n  Nothing that was asked for judges it.\n',
    );
  });

  it('names the namespace that an object of the cluster is judged in', () => {
    const webhook = { apiVersion: 'v1', kind: 'ValidatingWebhookConfiguration', name: 'policy' };
    const text = renderExplanation(page, {
      object: webhook,
      facts: [],
      checks: [check('webhook-availability', { namespace: 'policy-system' })],
    });
    assert.match(text, /PASS {3}webhook-availability in policy-system: Workloads keep/);
  });

  it('says of a patch that nobody tried only that', () => {
    assert.match(show(check('a', { findings: [found()] })), /^ +Patch \(not tried\):$/m);
  });

  it('differs with colour in nothing but colour', () => {
    const coloured = renderExplanation(pageOf(80, true), explanation(everything));
    assert.notEqual(coloured, show(...everything));
    assert.equal(stripVTControlCharacters(coloured), show(...everything));
  });

  it('is never wider than the page, but for what is to be copied', () => {
    const isCopied = (line: string) => /^ +\$ |^ {13}/.test(line);
    for (const columns of [60, 80, 120]) {
      const text = renderExplanation(pageOf(columns, false), explanation(everything));
      const wide = text.split('\n').filter((line) => width(line) > columns);
      assert.deepEqual(
        wide.filter((line) => !isCopied(line)),
        [],
      );
    }
  });

  it('lets nothing through that a terminal would obey', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const hostile = found({
          message: text,
          command: text,
          patch: { spec: { [text]: text } },
          dryRun: { state: 'refused', reason: text },
        });
        const checks = [check('a', { notes: [text], reason: text, findings: [hostile] })];
        const said = renderExplanation(page, {
          object: { ...object, name: text },
          facts: [{ name: 'floor', text, from: [] }],
          checks,
        });
        assert.doesNotMatch(said, /[\p{Cf}\p{Cs}]|[^\P{Cc}\n]/u);
      }),
    );
  });
});
