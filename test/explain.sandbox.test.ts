import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { command } from './command.ts';
import { allow } from './permissions.ts';
import { sharedSandbox } from './shared-sandbox.ts';
import type { Workspace } from './workspace.ts';
import { workspace } from './workspace.ts';

describe('ha-compliance explain, on a cluster', function () {
  this.timeout(60_000);
  const sandbox = sharedSandbox('ha');
  const user = 'who-may-only-read';
  let space: Workspace;
  before(async () => {
    space = await workspace();
    await allow(sandbox(), [{ user }]);
  });
  after(() => space?.remove());

  async function explain(...args: readonly string[]): Promise<string> {
    const { kubeconfig } = sandbox().files;
    const words = ['explain', ...args, '--kubeconfig', kubeconfig];
    const { status, stdout, stderr } = await command(words, { cwd: space.path });
    assert.deepEqual([status, stderr], [0, '']);
    return stdout;
  }

  it('says that the server takes a patch', async () => {
    const text = await explain('replicas-sufficient', 'mobile-api/hpa/gateway');
    assert.match(text, /^ {2}workload +Deployment mobile-api\/gateway$/m);
    assert.match(text, /^ {2}floor +1 \(minReplicas 1 of HorizontalPodAutoscaler gateway\)$/m);
    assert.match(text, /^ +Patch that the server takes:\n +spec:\n +minReplicas: 2$/m);
  });

  it('says that a reader may not try it, and nothing else of what the server holds', async () => {
    const args = ['replicas-sufficient', 'mobile-api/hpa/gateway', '--format', 'json'];
    const reader = JSON.parse(await explain(...args, '--as', user));
    const admin = JSON.parse(await explain(...args));
    const [read] = reader.checks[0].findings;
    const [tried] = admin.checks[0].findings;
    assert.equal(read.dryRun.state, 'not tried');
    assert.match(read.dryRun.reason, /^403 Forbidden: .*cannot patch resource/);
    assert.deepEqual(tried.dryRun, { state: 'accepted' });
    assert.deepEqual({ ...read, dryRun: undefined }, { ...tried, dryRun: undefined });
  });
});
