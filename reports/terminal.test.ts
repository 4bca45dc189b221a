import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Report, Result } from '../core/result.ts';
import { arbitraryReport } from '../test/arbitrary-report.ts';
import { golden } from '../test/golden.ts';
import {
  finding,
  largeReport,
  pending,
  report,
  result,
  sampleReport,
} from '../test/sample-report.ts';
import { renderTerminal } from './terminal.ts';
import { width } from './width.ts';

const files = {
  report: 'ha-compliance-results/report.json',
  junit: 'ha-compliance-results/junit/junit_ha_compliance__20261121-162711.xml',
};
const show = (one: Report) => renderTerminal(one, { color: false });
const failing = (namespace: string, changes: Partial<Result> = {}) =>
  result('pdb-presence', namespace, { verdict: 'fail', findings: [finding('web')], ...changes });

describe('renderTerminal', () => {
  it('shows a small run', () =>
    golden('terminal.txt', renderTerminal(sampleReport(), { color: false, files })));

  it('shows a large run on a few pages', () => golden('terminal-large.txt', show(largeReport())));

  it('shows a run that was narrowed down with commands and fixes', () => {
    const results = sampleReport().results.filter(
      ({ namespace }) => namespace === 'openshift-console',
    );
    return golden('terminal-close.txt', show(report(results)));
  });

  it('shows a run without findings', () =>
    golden('terminal-pass.txt', show(report([result('pdb-presence', 'shop')]))));

  it('shows a run that was cut short', () =>
    golden(
      'terminal-incomplete.txt',
      show(report([failing('shop')], { complete: false, topology: 'unknown' })),
    ));

  it('names the owner of a namespace that has no component', () => {
    const owner = { name: 'network', source: 'ClusterOperator' } as const;
    const kept = show(report([failing('openshift-sdn', { owner })]));
    assert.match(kept, /^openshift-sdn \(ClusterOperator network\) +1 fail$/m);
    const known = show(report([failing('shop', { owner, jiraComponent: 'Shop' })]));
    assert.match(known, /^shop +1 fail$/m);
  });

  it('says so where nothing was judged', () => {
    const recording = { input: { kind: 'must-gather', name: 'x.tar' } } as const;
    const skipped = result('pdb-presence', 'shop', { verdict: 'skip' });
    const unknown = result('pdb-presence', 'blog', { verdict: 'error', cause: 'not collected' });
    for (const one of [report([]), report([skipped]), report([skipped, unknown], recording)]) {
      assert.match(show(one), /\n\nNOTHING WAS JUDGED: 0 fail/);
    }
  });

  it('does not say PASS and no more where something was not judged', () => {
    const recording = { input: { kind: 'must-gather', name: 'x.tar' } } as const;
    const passing = result('pdb-presence', 'shop');
    const unknown = result('pdb-presence', 'blog', { verdict: 'error', cause: 'not collected' });
    const partly = /\n\nPASS, NOT ALL JUDGED: 0 fail/;
    assert.match(show(report([passing, unknown], recording)), partly);
    const damaged = show(report([passing], { ...recording, complete: false }));
    assert.match(damaged, partly);
    assert.match(
      damaged,
      /^INCOMPLETE +The recording is not whole: what it lost is missing below/m,
    );
  });

  it('counts a single replica as one', () => {
    const inventory = (deploymentsByReplicas: Record<string, number>) =>
      show(report([], { inventory: { deployments: 3, deploymentsByReplicas } }));
    assert.match(inventory({ '1': 3 }), /3 Deployments \(3 with 1 replica\)/);
    assert.match(inventory({ '1': 1, '2': 2 }), /3 Deployments \(1 with 1, 2 with 2 replicas\)/);
  });

  it('differs with colour in nothing but colour', () => {
    const coloured = renderTerminal(sampleReport(), { color: true });
    assert.notEqual(coloured, show(sampleReport()));
    assert.equal(stripVTControlCharacters(coloured), show(sampleReport()));
  });

  it('is never wider than the columns, whatever the report holds, but for commands', () => {
    fc.assert(
      fc.property(arbitraryReport, fc.integer({ min: 60, max: 120 }), (one, columns) => {
        for (const line of renderTerminal(one, { columns, color: false, files }).split('\n')) {
          // What is wrapped cannot be copied and run.
          const isCommand = /^ +\$ /.test(line);
          assert.ok(isCommand || width(line) <= columns, `${width(line)} columns: ${line}`);
        }
      }),
    );
  });

  it('lets nothing through that a terminal would obey', () => {
    fc.assert(
      fc.property(arbitraryReport, (one) =>
        assert.doesNotMatch(show(one), /[\p{Cf}\p{Cs}]|[^\P{Cc}\n]/u),
      ),
    );
  });

  it('puts what fails before what flakes, and the severe before the minor', () => {
    const text = show(
      report([
        failing('a', { verdict: 'flake', severity: 'critical' }),
        failing('b', { severity: 'minor' }),
        failing('c', { severity: 'major' }),
        failing('d', { severity: 'major', findings: [finding('web'), finding('api')] }),
        result('replicas-sufficient', 'e', {
          verdict: 'flake',
          severity: 'minor',
          findings: [finding('x')],
        }),
      ]),
    );
    assert.deepEqual(text.match(/^[a-e] /gm), ['d ', 'c ', 'b ', 'a ', 'e ']);
  });

  it('counts what it leaves out', () => {
    const many = Array.from({ length: 5 }, (_, n) => finding(`web-${n}`));
    const results = Array.from({ length: 25 }, (_, n) =>
      failing(`ns-${n}`, { check: `check-${n}`, findings: many }),
    );
    const crowded = Array.from({ length: 6 }, (_, n) =>
      failing('ns-0', { id: `x-${n}`, severity: 'critical' }),
    );
    const text = show(report([...crowded, ...results]));
    assert.match(text, /^ {2}… 3 more results$/m);
    assert.match(text, /^ {9}… 2 more findings$/m);
    assert.match(text, /^and 3 more +3 fail$/m);
    assert.match(text, /^… 6 more checks$/m);
  });

  it('counts checks without findings below the table', () => {
    const text = show(report([failing('a'), result('readiness-probes', 'a')]));
    assert.match(text, /^1 check without findings$/m);
  });

  it('groups what has no namespace, and parts clusters', () => {
    const { namespace: _, ...pool } = failing('a', { subject: 'worker' });
    const text = show(report([pool, failing('a', { cluster: 'east' })]));
    assert.match(
      text,
      /^the cluster as a whole +1 fail\n {2}FAIL {3}pdb-presence \(worker, major\)/m,
    );
    assert.match(text, /^east: a +1 fail$/m);
    assert.doesNotMatch(text, /without findings/);
  });

  it('names the kinds that were not read, a few at a time', () => {
    const notEvaluated = Array.from({ length: 8 }, (_, n) => ({
      kind: `kind${n}`,
      reason: 'could not be listed',
    }));
    const text = show(report([], { coverage: { evaluated: [], notEvaluated } }));
    assert.match(text, /^NOT READ {5}kind0: could not be listed\n {13}kind1: could not be listed/m);
    assert.match(text, /^ {13}and 2 more$/m);
  });

  it('says in one line that several kinds of a namespace were not read', () => {
    const notEvaluated = [
      { kind: 'pods in ns/shop', reason: 'could not be listed: 403: pods is forbidden' },
      { kind: 'services in ns/shop', reason: 'could not be listed: 403: services is forbidden' },
      { kind: 'jobs in ns/shop', reason: 'could not be listed: 403: jobs is forbidden' },
      { kind: 'pods in ns/search', reason: 'were not collected: no pods.yaml' },
    ];
    const text = show(report([], { coverage: { evaluated: [], notEvaluated } }));
    assert.match(text, /^NOT READ {5}pods in search: were not collected: no pods\.yaml$/m);
    assert.match(text, /^ {13}3 kinds in shop: could not be listed: 403$/m);
  });

  it('says in one line that a kind was not read in several namespaces', () => {
    const unread = (...namespaces: string[]) => {
      const notEvaluated = namespaces.map((namespace) => ({
        kind: `pods in ns/${namespace}`,
        reason: `were not collected: there is no namespaces/${namespace}/pods.yaml`,
      }));
      return show(report([], { coverage: { evaluated: [], notEvaluated } }));
    };
    const three = /^NOT READ {5}pods in blog, cart, shop: were not collected$/m;
    assert.match(unread('blog', 'cart', 'shop'), three);
    const four = /^NOT READ {5}pods in 4 namespaces: were not collected$/m;
    assert.match(unread('blog', 'cart', 'news', 'shop'), four);
  });

  it('names causes of errors, a few at a time', () => {
    const results = Array.from({ length: 10 }, (_, n) =>
      result('a', 'x', { verdict: 'error', cause: 'timeout', reason: `kind${n} list` }),
    );
    const { namespace: _, ...last } = result('a', 'x', { verdict: 'error' });
    const text = show(report([...results, last]));
    assert.match(text, /^NOT EVALUATED {2}11 results$/m);
    assert.match(text, /^ {2}and 3 more causes$/m);
  });

  it('names exceptions that need a person, a few at a time', () => {
    const { expires: _, jira: __, ...bare } = pending;
    const unused = Array.from({ length: 5 }, (_, n) => ({
      ...bare,
      at: `x.yaml:${n}`,
      matched: 0,
    }));
    const expired = [{ ...pending, matched: 1 }];
    const text = show(report([], { exceptions: { ...report([]).exceptions, unused, expired } }));
    assert.match(
      text,
      /^EXCEPTIONS {5}1 expired, 5 unused\n {2}expired {3}exceptions\/openshift\.yaml:12/m,
    );
    assert.match(text, /^ {2}unused {4}x\.yaml:0 \(replicas-sufficient\)$/m);
    assert.match(text, /^ {2}unused {4}and 2 more$/m);
  });

  it('says of a cluster what is known of it', () => {
    const known = { controlPlaneTopology: 'External', infrastructureTopology: 'External' } as const;
    const cluster = (changes: Partial<Report>) =>
      show(report([], { topology: { ...known, source: 'nodes' }, ...changes }));
    assert.match(
      cluster({ platform: 'unknown', release: 'v1.36.3' }),
      /^ {2}cluster {4}v1\.36\.3, topology External$/m,
    );
    assert.match(
      cluster({ platform: 'unknown', release: 'unknown' }),
      /^ {2}cluster {4}release unknown, topology External$/m,
    );
  });

  it('says how to see more of a namespace where there is more', () => {
    const hint = /--namespace NS/;
    assert.match(show(report([failing('a'), failing('b'), failing('c')])), hint);
    assert.doesNotMatch(show(report([failing('a'), failing('b')])), hint);
  });

  it('says how the topology is known', () => {
    const text = show(
      report([], {
        finishedAt: '2026-11-21T16:29:16.000Z',
        topology: {
          controlPlaneTopology: 'SingleReplica',
          infrastructureTopology: 'HighlyAvailable',
          source: 'assumed',
          note: 'in transition',
        },
      }),
    );
    assert.match(
      text,
      /SingleReplica \(control plane\),\s+HighlyAvailable \(infrastructure\) \(assumed, in transition\)/,
    );
    assert.match(text, /2 min 5 s/);
  });
});
