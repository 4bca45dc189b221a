import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { DryRun } from '../cluster/dry-run.ts';
import { artifactsOf } from '../core/artifacts.ts';
import type { AnyCheck } from '../core/check.ts';
import { defineCheck } from '../core/check.ts';
import { evaluate } from '../core/evaluate.ts';
import { factsOf } from '../core/facts.ts';
import { finding } from '../core/finding.ts';
import type { Context } from '../suites/context.ts';
import { explain } from '../suites/explain.ts';
import { selectNamespaces } from '../suites/namespaces.ts';
import { objectName } from '../suites/object-name.ts';
import { planOf } from '../suites/plan.ts';
import { settingsOf } from '../suites/settings.ts';
import type { AnyObject, Given } from './objects.ts';
import { deployment, estate, hpa, make, node, service } from './objects.ts';

const common = {
  title: 'All is well',
  failureTitle: 'Not all is well',
  testName: 'things in ns/<namespace> should be well',
  suite: 'redundancy',
  scope: 'namespace',
  severity: 'minor',
  stage: 'flake',
  source: [],
  breaks: 'Something breaks.',
  fix: 'Repair it.',
} as const;

/** Wants two replicas, of whatever the autoscaler says; the finding is on whoever decides. */
const replicas = defineCheck({
  ...common,
  id: 'replicas',
  requires: ['deployments', 'horizontalPodAutoscalers'],
  uses: ['scaledObjects'],
  run(artifacts, { namespace }) {
    const all = artifacts.deployments.in(namespace);
    const findings = all
      .filter(({ spec }) => spec?.replicas === 1)
      .map((object) => {
        const scaler = artifacts.horizontalPodAutoscalers.get(namespace, object.metadata.name);
        const message = `keeps 1 replica`;
        return finding(scaler ?? object, { message, patch: { spec: { replicas: 2 } } });
      });
    return {
      examined: all.length,
      findings,
      notes: all.map(({ metadata }) => `Deployment shop/${metadata.name}: noted`),
    };
  },
});

/** Judges objects of the cluster by the namespace that they name. */
const webhooks = defineCheck({
  ...common,
  id: 'webhooks',
  requires: ['validatingWebhookConfigurations'],
  run(artifacts, { namespace }) {
    const all = artifacts.validatingWebhookConfigurations.all.filter(({ webhooks: own = [] }) =>
      own.some(({ clientConfig }) => clientConfig?.service?.namespace === namespace),
    );
    return { examined: all.length, findings: [] };
  },
});

const nodes = defineCheck({
  ...common,
  id: 'nodes',
  scope: 'cluster',
  requires: ['nodes'],
  run: ({ nodes: { all } }) => ({ examined: all.length, findings: [] }),
});

const single = (name: string) => deployment(name, { spec: { replicas: 1 } });
const double = (name: string) => deployment(name, { spec: { replicas: 2 } });

interface Options extends Given {
  readonly namespaces?: readonly string[];
  readonly dryRun?: Context['dryRun'];
  readonly checks?: readonly AnyCheck[];
}

async function ask(words: string, objects: readonly AnyObject[], options: Options = {}) {
  const { snapshot } = estate([make('namespaces', 'shop'), ...objects], options);
  const settings = settingsOf({ namespaces: [...(options.namespaces ?? ['shop'])] });
  const cluster = factsOf(snapshot, settings);
  const selected = selectNamespaces(snapshot, { ...settings, openshift: false });
  const artifacts = artifactsOf(snapshot);
  const checks = options.checks ?? [replicas];
  const dryRun = async (): Promise<DryRun> => ({ state: 'accepted', object: { secret: 'x' } });
  const context: Context = {
    settings,
    checks,
    snapshot,
    cases: planOf(checks, selected, { cluster, attribute: () => ({ notes: [] }) }),
    exceptions: [],
    circumstances: {
      now: new Date('2026-01-10T12:00:00Z'),
      release: 'v1.36.3',
      platform: 'unknown',
      controlPlaneTopology: undefined,
    },
    evaluate: ({ check, scope }) => evaluate(check, snapshot, artifacts(scope.namespace), scope),
    confirm: async (_, outcome) => ({ outcome, isConclusive: () => true }),
    dryRun: options.dryRun ?? dryRun,
    close: async () => undefined,
  };
  const explanation = await explain(objectName(words), context);
  const [first] = explanation.checks;
  return { ...explanation, first };
}

const fact = ({ facts }: Awaited<ReturnType<typeof ask>>, name: string) =>
  facts.find((one) => one.name === name)?.text;

describe('explain', () => {
  it('gives the verdict by the findings on the object alone', async () => {
    const { first } = await ask('shop/deploy/cart', [double('cart'), single('search')]);
    assert.deepEqual([first?.verdict, first?.findings], ['pass', []]);
    assert.deepEqual(first?.notes, ['Deployment shop/cart: noted']);
  });

  it('says what the check wants, reads and rests on', async () => {
    const { first } = await ask('shop/deploy/cart', [single('cart'), double('search')], {
      listings: { scaledObjects: { state: 'not served' } },
    });
    assert.deepEqual(first, {
      check: 'replicas',
      namespace: 'shop',
      title: 'All is well',
      breaks: 'Something breaks.',
      fix: 'Repair it.',
      docs: 'checks/redundancy/replicas/README.md',
      stage: 'flake',
      verdict: 'flake',
      facts: ['floor', 'minimum'],
      reads: [
        { kind: 'deployments', objects: 2 },
        { kind: 'horizontalPodAutoscalers', objects: 0 },
        { kind: 'scaledObjects', objects: 'not served' },
      ],
      notes: ['Deployment shop/cart: noted'],
      findings: [
        {
          object: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'cart' },
          message: 'keeps 1 replica',
          command: 'kubectl get deployment cart -n shop -o yaml',
          patch: { spec: { replicas: 2 } },
          conclusive: true,
          dryRun: { state: 'accepted' },
        },
      ],
    });
  });

  it('says what the server says of a patch', async () => {
    const refusal = { state: 'refused', reason: '422' } as const;
    const { first } = await ask('shop/deploy/cart', [single('cart')], {
      dryRun: async () => refusal,
    });
    assert.deepEqual(first?.findings[0]?.dryRun, refusal);
    const without: AnyCheck = {
      ...replicas,
      run: () => ({ examined: 1, findings: [finding(single('cart'), { message: 'no cure' })] }),
    };
    const none = await ask('shop/deploy/cart', [single('cart')], { checks: [without] });
    assert.equal(none.first?.findings[0]?.dryRun, undefined);
  });

  it('takes what is judged for its sake into account, and what it is judged through', async () => {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart' };
    const scaler = hpa('cart', { spec: { scaleTargetRef, minReplicas: 1 } });
    for (const words of ['shop/deploy/cart', 'shop/hpa/cart']) {
      const { first } = await ask(words, [single('cart'), scaler]);
      assert.equal(first?.findings[0]?.object.kind, 'HorizontalPodAutoscaler');
    }
    const { first } = await ask('shop/hpa/cart', [double('cart'), scaler]);
    assert.equal(first?.verdict, 'pass');
  });

  it('makes no pass of what the check does not judge', async () => {
    const { first, facts } = await ask('shop/svc/cart', [double('cart'), service('cart')]);
    assert.deepEqual([first?.verdict, first?.reason], ['skip', 'nothing to judge']);
    assert.deepEqual(
      facts.map(({ name }) => name),
      ['namespace'],
    );
  });

  it('says why it cannot judge', async () => {
    const missing = { state: 'missing', cause: 'forbidden', detail: 'refused: 403' } as const;
    const { first } = await ask('shop/deploy/cart', [], { listings: { deployments: missing } });
    assert.deepEqual([first?.verdict, first?.reason], ['error', 'deployments refused: 403']);
    assert.deepEqual(first?.reads[0], { kind: 'deployments', objects: 'forbidden' });
  });

  it('says that a run leaves the namespace out', async () => {
    const words = 'openshift-debug-x/deploy/cart';
    const namespace = 'openshift-debug-x';
    const there = [
      make('namespaces', namespace),
      deployment('cart', { metadata: { namespace }, spec: { replicas: 1 } }),
    ];
    const explained = await ask(words, there, { namespaces: [namespace] });
    assert.equal(
      fact(explained, 'namespace'),
      'excluded: a run leaves it out, unless --namespace or --scope asks for it',
    );
    assert.equal(explained.first?.verdict, 'flake');
    assert.equal(fact(await ask('shop/deploy/cart', [double('cart')]), 'namespace'), 'user');
    const missing = { state: 'missing', cause: 'forbidden', detail: 'refused' } as const;
    const unread = await ask(words, there, {
      namespaces: [namespace],
      listings: { namespaces: missing },
    });
    assert.equal(fact(unread, 'namespace'), 'excluded');
  });

  it('finds objects of the cluster where they are judged', async () => {
    const other = make('namespaces', 'search');
    const hook = make('validatingWebhookConfigurations', 'policy', {
      webhooks: [{ name: 'a', clientConfig: { service: { namespace: 'search', name: 'hook' } } }],
    });
    const { checks, facts } = await ask('validatingwebhookconfiguration/policy', [hook, other], {
      namespaces: [],
      checks: [webhooks, nodes],
    });
    assert.deepEqual(
      checks.map(({ check, namespace, verdict }) => [check, namespace, verdict]),
      [
        ['webhooks', 'search', 'pass'],
        ['nodes', undefined, 'skip'],
      ],
    );
    assert.deepEqual(facts, []);
    const worker = await ask('node/worker-1', [hook, node('worker-1')], {
      namespaces: [],
      checks: [webhooks, nodes],
    });
    assert.deepEqual(
      worker.checks.map(({ check, verdict, reads }) => [check, verdict, reads]),
      [['nodes', 'pass', [{ kind: 'nodes', objects: 1 }]]],
    );
  });

  it('knows no facts of a cluster in which no check judges namespaces', async () => {
    const { facts, checks } = await ask('shop/deploy/cart', [double('cart'), node('worker-1')], {
      checks: [nodes],
    });
    assert.deepEqual([facts, checks], [[], []]);
  });
});
