import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Finding } from '../core/result.ts';
import { connectTo, trusting } from '../test/kubeconfigs.ts';
import { allow } from '../test/permissions.ts';
import { sharedSandbox } from '../test/shared-sandbox.ts';
import { dryRun } from './dry-run.ts';

const patches: readonly Required<Pick<Finding, 'object' | 'patch'>>[] = [
  {
    object: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'kube-system',
      name: 'coredns',
    },
    patch: { spec: { replicas: 7 } },
  },
  {
    object: { apiVersion: 'v1', kind: 'Node', name: 'worker-1' },
    patch: { metadata: { labels: { tried: 'x' } } },
  },
];

describe('dryRun on an API server', function () {
  this.timeout(60_000);
  const sandbox = sharedSandbox('ha');
  const signal = AbortSignal.timeout(3_600_000);
  const admin = () => ({ ...trusting(sandbox()), user: { token: sandbox().token } });
  const versions = () =>
    sandbox().kubectl(['get', 'deployment,node', '-A', '-o', 'jsonpath={..metadata.generation}']);

  it('gives the object that the patch would make, and changes nothing', async () => {
    await using connection = await connectTo(admin());
    const before = await versions();
    for (const one of patches) {
      const said = await dryRun(connection, one, signal);
      assert.equal(said.state, 'accepted');
      assert.partialDeepStrictEqual(said, { object: one.patch });
    }
    assert.equal(await versions(), before);
    const { kubectl } = sandbox();
    assert.equal(await kubectl(['get', 'node', '-l', 'tried', '-o', 'name']), '');
  });

  it('is refused fields that there are not, values that may not be, and objects that are gone', async () => {
    await using connection = await connectTo(admin());
    const { object } = patches[0] ?? assert.fail();
    const refused: readonly (readonly [Pick<Finding, 'object' | 'patch'>, RegExp])[] = [
      [{ object, patch: { spec: { replica: 7 } } }, /unknown field "spec\.replica"/],
      [
        { object, patch: { spec: { replicas: -1 } } },
        /^422 Invalid: .*must be greater than or equ/,
      ],
      [{ object: { ...object, name: 'gone' }, patch: {} }, /^404 NotFound/],
    ];
    for (const [one, reason] of refused) {
      const said = await dryRun(connection, one, signal);
      assert.equal(said.state, 'refused');
      assert.match('reason' in said ? said.reason : '', reason);
    }
  });

  describe('by the role in deploy/rbac.yaml', () => {
    const user = 'who-may-only-list';
    before(() => allow(sandbox(), [{ user }]));

    it('is not tried: to read is enough for everything else', async () => {
      await using connection = await connectTo(admin(), { options: { as: user } });
      for (const one of patches) {
        const said = await dryRun(connection, one, signal);
        assert.equal(said.state, 'not tried');
        assert.match(
          'reason' in said ? said.reason : '',
          /^403 Forbidden: .*cannot patch resource/,
        );
      }
    });
  });
});
