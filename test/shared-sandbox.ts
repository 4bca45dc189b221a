/** Sandboxes that the tests of one mocha process share: brought up by the first, taken down at the end. */
import { after, before } from 'mocha';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { UpOptions } from '../sandbox/up.ts';
import { up } from '../sandbox/up.ts';

const shared = {
  /** The estate for everybody to read. */
  ha: { name: 'shared-ha', estate: 'ha', topology: 'ha' },
  /** OpenShift's definitions and objects; for everybody to read, too. */
  openshift: { name: 'shared-openshift', estate: 'openshift', topology: 'ha' },
} as const satisfies Readonly<Record<string, UpOptions>>;

const started = new Map<keyof typeof shared, Promise<Sandbox>>();

/** To be called in a describe(): its tests then find the sandbox up. */
export function sharedSandbox(name: keyof typeof shared): () => Sandbox {
  let sandbox: Sandbox | undefined;
  before(async function () {
    // The first start on a machine builds the programs.
    this.timeout(30 * 60_000);
    const starting = started.get(name) ?? up(shared[name]);
    started.set(name, starting);
    sandbox = await starting;
  });
  return () => {
    if (!sandbox) throw new Error(`the sandbox ${name} is not up yet`);
    return sandbox;
  };
}

after(async () => {
  const running = await Promise.allSettled(started.values());
  await Promise.all(running.map((one) => one.status === 'fulfilled' && one.value.down()));
});
