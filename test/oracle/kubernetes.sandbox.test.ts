/** Wherever Kubernetes computes what this project computes, both must come to the same. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { connect } from '../../cluster/connect.ts';
import { gather } from '../../cluster/gather.ts';
import type { Artifacts } from '../../core/artifacts.ts';
import { artifactsOf } from '../../core/artifacts.ts';
import { floorOf } from '../../core/autoscaler.ts';
import { allowanceOf, matchOf } from '../../core/budget.ts';
import { evictionOf, evictionStatus } from '../../core/eviction.ts';
import { factsOf } from '../../core/facts.ts';
import type { Kind } from '../../core/kinds.ts';
import { kindNames } from '../../core/kinds.ts';
import { eligibleNodes } from '../../core/nodes.ts';
import type { Pod, PodDisruptionBudget } from '../../core/objects.ts';
import { rolling as rollingBounds } from '../../core/rolling.ts';
import { defaultOptions } from '../../core/scope.ts';
import { matches } from '../../core/selector.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { defaultThresholds } from '../../core/thresholds.ts';
import { workloadsOf } from '../../core/workload.ts';
import type { Client } from '../../sandbox/client.ts';
import { createClient } from '../../sandbox/client.ts';
import type { Manifest } from '../../sandbox/manifests.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { until } from '../../sandbox/until.ts';
import { up } from '../../sandbox/up.ts';
import * as estate from './estate.ts';

describe('Kubernetes comes to the same', function () {
  this.timeout(180_000);
  let sandbox: Sandbox;
  let client: Client;
  let snapshot: Snapshot;

  before(async function () {
    this.timeout(30 * 60_000);
    sandbox = await up({ name: 'oracle', topology: 'ha' });
    client = createClient(sandbox);
    await build();
    snapshot = await gathered();
  });
  after(async () => {
    client?.close();
    await sandbox?.down();
  });

  async function build(): Promise<void> {
    await sandbox.apply([estate.shardDefinition, ...estate.nodes]);
    // The kinds that it knows are those of its start.
    await sandbox.restart('kube-controller-manager');
    const { budgetNamespaces, placing, scaling, rolling, evicting } = estate;
    const namespaces = [...budgetNamespaces, placing, scaling, rolling, evicting].map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    }));
    await sandbox.apply(namespaces);
    await sandbox.apply([
      ...budgetNamespaces.flatMap(estate.workloads),
      ...estate.placements(),
      ...estate.autoscalers(),
      ...estate.surges(),
      ...estate.evictions().map(({ pod }) => pod),
    ]);
    const shards = await Promise.all(
      budgetNamespaces.map(async (namespace) =>
        estate.shardPods(namespace, await shardUid(namespace)),
      ),
    );
    await sandbox.apply(shards.flat());
    await until(unsettledPods, { signal: never, timeout: 120_000, every: 500 });
    await Promise.all(estate.evictions().map(({ pod, state }) => putInto(state, pod)));
    // The controller looks at a budget when it is new: by now every pod is what it will be.
    await sandbox.apply([
      ...budgetNamespaces.flatMap(estate.budgets),
      ...estate.evictions().flatMap(({ budgets }) => budgets),
    ]);
    await until(unsettledBudgets, { signal: never, timeout: 120_000, every: 500 });
    await until(unsettledScalers, { signal: never, timeout: 60_000, every: 500 });
    await sandbox.kill('kube-controller-manager');
    await Promise.all(changedLater().map(change));
  }

  const never = new AbortController().signal;

  async function shardUid(namespace: string): Promise<string> {
    const path = `/apis/oracle.example.com/v1/namespaces/${namespace}/shards/shard`;
    const { metadata } = (await client.demand({ method: 'GET', path })) as Manifest;
    return String(metadata['uid']);
  }

  interface Listed {
    readonly items: readonly {
      readonly metadata: Manifest['metadata'];
      readonly status?: Status;
    }[];
  }
  interface Status {
    readonly phase?: string;
    readonly observedGeneration?: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
    }[];
  }

  const listed = async (path: string) =>
    ((await client.demand({ method: 'GET', path })) as Listed).items;

  /** Names the first that is not done. */
  async function unsettledPods(): Promise<string | undefined> {
    const expected = await listed('/apis/apps/v1/deployments');
    const behind = expected.find(({ status }) => (status?.observedGeneration ?? 0) < 1);
    if (behind) return behind.metadata.name;
    const pods = await listed('/api/v1/pods');
    const isDone = ({ metadata, status }: Listed['items'][number]) =>
      status?.phase === 'Running' ||
      status?.phase === 'Succeeded' ||
      metadata.name.endsWith('-pending');
    return pods.find((pod) => !isDone(pod))?.metadata.name;
  }

  async function unsettledBudgets(): Promise<string | undefined> {
    const found = await listed('/apis/policy/v1/poddisruptionbudgets');
    return found.find(({ status }) => !status?.observedGeneration && !isFailed(status))?.metadata
      .name;
  }

  const isFailed = (status: Status | undefined) =>
    status?.conditions?.some(({ reason }) => reason === 'SyncFailed') ?? false;

  async function unsettledScalers(): Promise<string | undefined> {
    const found = await listed('/apis/autoscaling/v2/horizontalpodautoscalers');
    return found.find(({ status }) => !status?.conditions)?.metadata.name;
  }

  async function putInto(state: estate.PodState, { metadata }: Manifest): Promise<void> {
    const ready = { type: 'Ready', status: 'False', reason: 'ContainersNotReady' };
    const status = {
      unready: { conditions: [ready] },
      finished: { phase: 'Succeeded', conditions: [ready] },
    };
    if (state !== 'unready' && state !== 'finished') return;
    await client.demand({
      method: 'PATCH',
      path: `/api/v1/namespaces/${estate.evicting}/pods/${metadata.name}/status`,
      contentType: 'application/strategic-merge-patch+json',
      body: { status: status[state] },
    });
  }

  /** Budgets of which nobody will see the latest change. */
  const changedLater = () =>
    estate.evictions().flatMap(({ budgets }, index) => (index % 5 === 0 ? budgets : []));

  async function change({ metadata }: Manifest): Promise<void> {
    await client.demand({
      method: 'PATCH',
      path: `/apis/policy/v1/namespaces/${estate.evicting}/poddisruptionbudgets/${metadata.name}`,
      contentType: 'application/merge-patch+json',
      body: { spec: { minAvailable: null, maxUnavailable: 3 } },
    });
  }

  async function gathered(): Promise<Snapshot> {
    const signal = AbortSignal.timeout(60_000);
    const connection = await connect({ kubeconfig: sandbox.files.kubeconfig }, {}, signal);
    try {
      return await gather(connection, { kinds: kindNames, signal });
    } finally {
      await connection.close();
    }
  }

  /** What checks would see of a namespace. */
  function view(namespace: string) {
    const facts = factsOf(snapshot, {
      thresholds: { ...defaultThresholds, workloads: [] },
      options: defaultOptions,
    });
    const scope = { namespace, cluster: facts };
    // Everything was read: a test that looks for what is not served gets undefined.
    return { scope, artifacts: artifactsOf(snapshot)(namespace) as Artifacts<Kind> };
  }

  const budgetsOf = (namespace: string) =>
    view(namespace).artifacts.podDisruptionBudgets.in(namespace);

  const judged = () =>
    estate.budgetNamespaces.flatMap((namespace) => {
      const { artifacts, scope } = view(namespace);
      return budgetsOf(namespace).map((budget) => {
        const match = matchOf(budget, artifacts, scope);
        return { budget, match, ours: allowanceOf(budget, match, artifacts, scope) };
      });
    });

  it('on what budgets expect, want and allow', () => {
    const all = judged();
    const figures = all.map(({ budget, ours }) => {
      const { expectedPods = 0, desiredHealthy = 0, disruptionsAllowed = 0 } = budget.status ?? {};
      const failed = isFailed(budget.status as Status);
      return {
        title: `${budget.metadata.namespace}/${budget.metadata.name} ${JSON.stringify(budget.spec)}`,
        theirs: failed ? 'no-scale' : [expectedPods, desiredHealthy, disruptionsAllowed],
        ours: ours.cause ?? [ours.expected, ours.desired, ours.allowed],
      };
    });
    assert.deepEqual(
      figures.filter(({ theirs, ours }) => JSON.stringify(theirs) !== JSON.stringify(ours)),
      [],
    );
    assert.ok(all.length >= 300, `${all.length} budgets`);
    assert.ok(
      all.filter(rounds).length >= 60,
      `${all.filter(rounds).length} percentages that round`,
    );
    const failing = figures.filter(({ theirs }) => theirs === 'no-scale');
    assert.ok(failing.length >= 20, `${failing.length} budgets without a scale`);
  });

  type Judged = ReturnType<typeof judged>[number];

  function rounds({ budget: { spec = {} }, ours }: Judged): boolean {
    const bound = spec.maxUnavailable ?? spec.minAvailable;
    return typeof bound === 'string' && (Number.parseInt(bound, 10) * ours.expected) % 100 !== 0;
  }

  it('on whose pods they are', () => {
    const kindsOf = judged().flatMap(({ match }) =>
      match.pods.map(
        ({ metadata }) => metadata.ownerReferences?.find((o) => o.controller)?.kind ?? 'none',
      ),
    );
    for (const [kind, least] of [
      ['none', 40],
      ['Job', 40],
      ['DaemonSet', 40],
      ['Shard', 40],
    ] as const) {
      const found = kindsOf.filter((own) => own === kind).length;
      assert.ok(found >= least, `${found} pods of ${kind}`);
    }
    const pods = estate.budgetNamespaces.flatMap((namespace) => {
      const { artifacts, scope } = view(namespace);
      const { all } = workloadsOf(artifacts, scope);
      assert.ok(all.some(({ replicas }) => replicas === 0));
      return all.flatMap(({ counted }) => counted);
    });
    assert.ok(pods.length >= 100, `${pods.length} pods of workloads`);
  });

  it('on which labels a selector matches', async () => {
    const selectors = judged().map(({ budget }) => budget);
    const operators = new Set<string | undefined>();
    let expressions = 0;
    const wrong: unknown[] = [];
    for (const { metadata, spec } of selectors) {
      const { namespace = '' } = metadata;
      const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
      expressions += matchExpressions.length;
      for (const { operator } of matchExpressions) operators.add(operator);
      const asked = [
        ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
        ...matchExpressions.map(requirementText),
      ].join(',');
      const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(asked)}`;
      const theirs = (await listed(path)).map((pod) => pod.metadata.name).toSorted();
      const ours = view(namespace)
        .artifacts.pods.in(namespace)
        .filter((pod) => matches(spec?.selector ?? {}, pod.metadata.labels))
        .map((pod) => pod.metadata.name);
      if (JSON.stringify(ours) !== JSON.stringify(theirs)) wrong.push({ asked, ours, theirs });
    }
    assert.deepEqual(wrong, []);
    assert.ok(expressions >= 40, `${expressions} expressions`);
    assert.deepEqual([...operators].toSorted(), ['DoesNotExist', 'Exists', 'In', 'NotIn']);
  });

  it('on how many nodes a pod may run', () => {
    const { artifacts } = view(estate.placing);
    const counts = artifacts.daemonSets.in(estate.placing).map(({ metadata, spec, status }) => ({
      name: metadata.name,
      ours: eligibleNodes(spec?.template?.spec ?? {}, artifacts.nodes.all).length,
      theirs: status?.desiredNumberScheduled ?? 0,
    }));
    assert.deepEqual(
      counts.filter(({ ours, theirs }) => ours !== theirs),
      [],
    );
    assert.ok(counts.length >= 60);
    assert.ok(new Set(counts.map(({ theirs }) => theirs)).size >= 6, 'too much alike');
  });

  it('on what an autoscaler scales', () => {
    const { artifacts, scope } = view(estate.scaling);
    const { all } = workloadsOf(artifacts, scope);
    const scalers = artifacts.horizontalPodAutoscalers.in(estate.scaling);
    const found = scalers.map((scaler) => {
      const able = scaler.status?.conditions?.find(({ type }) => type === 'AbleToScale');
      const alone = {
        ...artifacts,
        horizontalPodAutoscalers: { ...artifacts.horizontalPodAutoscalers, in: () => [scaler] },
      };
      return {
        target: scaler.spec?.scaleTargetRef,
        ours: all.some(
          (workload) => workload.class !== 'daemon' && floorOf(workload, alone, scope).scaler,
        ),
        theirs: able?.status === 'True',
      };
    });
    assert.deepEqual(
      found.filter(({ ours, theirs }) => ours !== theirs),
      [],
    );
    assert.ok(found.filter(({ theirs }) => theirs).length >= 4);
    assert.ok(found.length >= 30);
  });

  it('on how many pods a rollout may add', async () => {
    const found = await listed(`/apis/apps/v1/namespaces/${estate.rolling}/replicasets`);
    const { artifacts } = view(estate.rolling);
    const most = artifacts.deployments.in(estate.rolling).map(({ metadata, spec }) => {
      const replicas = spec?.replicas ?? 1;
      const own = found.find((set) => set.metadata.name.startsWith(`${metadata.name}-`));
      const annotations = own?.metadata['annotations'] as Record<string, string> | undefined;
      return {
        name: metadata.name,
        ours: replicas + (rollingBounds(spec?.strategy?.rollingUpdate, replicas)?.surge ?? 0),
        theirs: Number(annotations?.['deployment.kubernetes.io/max-replicas']),
      };
    });
    assert.deepEqual(
      most.filter(({ ours, theirs }) => ours !== theirs),
      [],
    );
    assert.ok(most.length >= 40);
  });

  it('on what it answers to an eviction', async () => {
    const { artifacts } = view(estate.evicting);
    const budgets = budgetsOf(estate.evicting);
    const answers: object[] = [];
    const seen = new Map<string, number>();
    for (const pod of artifacts.pods.in(estate.evicting)) {
      const ours = evictionOf(pod, budgets);
      const theirs = await evicted(pod);
      seen.set(ours.answer, (seen.get(ours.answer) ?? 0) + 1);
      if (evictionStatus[ours.answer] !== theirs) {
        answers.push({ pod: pod.metadata.name, ours, theirs });
      }
    }
    assert.deepEqual(answers, []);
    const stale = budgets.filter(isStale).length;
    assert.ok(stale >= 10, `${stale} stale budgets`);
    for (const answer of ['allowed', 'not now', 'several budgets']) {
      assert.ok((seen.get(answer) ?? 0) >= 2, `${answer}: ${seen.get(answer)}`);
    }
    assert.ok(artifacts.pods.in(estate.evicting).length >= 40);
  });

  const isStale = ({ metadata, status }: PodDisruptionBudget) =>
    (status?.observedGeneration ?? 0) < (metadata.generation ?? 0);

  async function evicted({ metadata }: Pod): Promise<number> {
    const { status } = await client.send({
      method: 'POST',
      path: `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/eviction`,
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: metadata.name, namespace: metadata.namespace },
        deleteOptions: { dryRun: ['All'] },
      },
    });
    return status;
  }
});

type Requirement = {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
};

/** As it stands in a URL. */
function requirementText({ key = '', operator, values = [] }: Requirement): string {
  switch (operator) {
    case 'In':
      return `${key} in (${values.join(',')})`;
    case 'NotIn':
      return `${key} notin (${values.join(',')})`;
    case 'Exists':
      return key;
    default:
      return `!${key}`;
  }
}
