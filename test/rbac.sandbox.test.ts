import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Kind } from '../core/kinds.ts';
import { kindNames, kinds } from '../core/kinds.ts';
import type { Report, Result } from '../core/result.ts';
import { exitStatus } from '../reports/exit-status.ts';
import type { EdgeRequest } from './edge.ts';
import { startEdge } from './edge.ts';
import { kubeconfig, trusting } from './kubeconfigs.ts';
import { allow, shippedManifests, shippedRules } from './permissions.ts';
import { run } from './run.ts';
import { sharedSandbox } from './shared-sandbox.ts';
import type { Workspace } from './workspace.ts';
import { workspace } from './workspace.ts';

describe('the role in deploy/rbac.yaml', () => {
  it('lists exactly what there is a kind for', async () => {
    const rules = await shippedRules();
    const allowed = rules.flatMap(({ apiGroups, resources }) =>
      apiGroups.flatMap((group) => resources.map((resource) => `${resource}.${group}`)),
    );
    const wanted = kindNames.flatMap((kind) =>
      kinds[kind].resources.map((resource) => `${resource}.${kinds[kind].group}`),
    );
    assert.deepEqual(allowed.toSorted(), wanted.toSorted());
  });

  it('allows nothing but lists', async () => {
    const verbs = (await shippedRules()).flatMap((rule) => rule.verbs);
    assert.deepEqual([...new Set(verbs)], ['list']);
  });

  describe('on a cluster', function () {
    this.timeout(60_000);
    const sandbox = sharedSandbox('openshift');
    let space: Workspace;
    let report: Report;
    let requests: readonly EdgeRequest[];

    before(async () => {
      space = await workspace();
      await sandbox().apply(await shippedManifests());
      const namespace = ['--namespace', 'ha-compliance'];
      const token = await sandbox().kubectl(['create', 'token', 'ha-compliance', ...namespace]);
      await using edge = await startEdge(sandbox());
      const text = kubeconfig({ ...trusting(edge), user: { token: token.trim() } });
      report = await run({ kubeconfig: await space.write('edge', text), scope: 'all' });
      ({ requests } = edge);
    });
    after(() => space?.remove());

    it('is enough for everything', () => {
      assert.equal(report.complete, true);
      assert.deepEqual(report.coverage.notEvaluated, []);
      assert.equal(report.summary.error, 0);
      assert.notEqual(exitStatus(report), 2);
      const notes = report.results.flatMap((result) => result.notes);
      assert.deepEqual(
        notes.filter((note) => note.includes('not readable')),
        [],
      );
    });

    it('is all that a run asks for: no Secret, and of ConfigMaps no content', () => {
      const lists = requests.filter(({ path }) => path !== '/version' && path !== '/apis');
      assert.deepEqual([...new Set(requests.map(({ method }) => method))], ['GET']);
      const asked = lists.map(({ path }) => resourceAt(path));
      const wanted = report.coverage.evaluated.flatMap((kind) =>
        kinds[kind as Kind].resources.map((resource) => `${resource}.${kinds[kind as Kind].group}`),
      );
      assert.deepEqual(asked.toSorted(), wanted.toSorted());
      const accepted = lists.filter(({ path }) => path.endsWith('/configmaps'));
      assert.equal(accepted.length, 1);
      for (const type of accepted[0]?.headers.accept?.split(',') ?? []) {
        assert.match(type, /;as=PartialObjectMetadataList;/);
      }
    });

    it('is needed only for what the checks of a run read', async () => {
      await using edge = await startEdge(sandbox());
      const text = kubeconfig({ ...trusting(edge), user: { token: sandbox().token } });
      await run({ kubeconfig: await space.write('edge', text), checks: ['pool-progress'] });
      const asked = edge.requests.map(({ path }) => path);
      assert.deepEqual(asked.toSorted(), [
        '/api/v1/namespaces',
        '/api/v1/nodes',
        '/apis',
        '/apis/config.openshift.io/v1/clusteroperators',
        '/apis/config.openshift.io/v1/clusterversions',
        '/apis/config.openshift.io/v1/infrastructures',
        '/apis/machineconfiguration.openshift.io/v1/machineconfigpools',
        '/version',
      ]);
    });

    describe('without the rule of one kind', () => {
      const served = () => report.coverage.evaluated as readonly Kind[];
      before(async () => {
        const permissions = served().map((kind) => ({ user: userWithout(kind), except: [kind] }));
        await allow(sandbox(), permissions);
      });

      it('says so in a result or a note, whichever kind it is, and makes none a pass', async () => {
        assert.ok(served().length > 20);
        for (const kind of served()) {
          const { kubeconfig: file } = sandbox().files;
          const without = await run({ kubeconfig: file, as: userWithout(kind), scope: 'all' });
          const unread = without.coverage.notEvaluated.map((one) => one.kind);
          assert.deepEqual(unread, [kind]);
          assert.ok(
            without.results.some((result) => says(result, kind)),
            kind,
          );
          const passed = new Set(passes(report));
          assert.deepEqual(
            passes(without).filter((id) => !passed.has(id)),
            [],
          );
        }
      });
    });
  });
});

const userWithout = (kind: Kind) => `without-${kind}`;

/** `pods.`, `deployments.apps` */
function resourceAt(path: string): string {
  const [, root, group = '', , resource = ''] = path.split('/');
  return root === 'api' ? `${path.split('/')[3]}.` : `${resource}.${group}`;
}

const says = ({ cause, reason, notes }: Result, kind: Kind) =>
  notes.includes(`${kind} not readable: forbidden`) ||
  (cause === 'forbidden' && reason?.startsWith(`${kind} could not be listed: 403`));

const passes = ({ results }: Report) =>
  results.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
