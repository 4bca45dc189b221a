import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { checks } from '../checks/index.ts';
import type { Explanation } from '../core/result.ts';
import { command } from './command.ts';
import type { Workspace } from './workspace.ts';
import { workspace } from './workspace.ts';

const manifests = join(import.meta.dirname, '..', 'sandbox', 'estates', 'small');

describe('ha-compliance explain', () => {
  let space: Workspace;
  before(async () => {
    space = await workspace();
  });
  after(() => space?.remove());

  async function explain(args: readonly string[], input?: string): Promise<string> {
    const options = { cwd: space.path, ...(input !== undefined && { input }) };
    const { status, stdout, stderr } = await command(['explain', ...args], options);
    assert.deepEqual([status, stderr], [0, '']);
    return stdout;
  }

  it('shows what a check wants, or each of a suite', async () => {
    const one = await explain(['pdb-presence']);
    assert.equal(one, (await command(['checks', 'pdb-presence'], { cwd: space.path })).stdout);
    const all = await explain(['disruption']);
    for (const { id, title } of checks.filter(({ suite }) => suite === 'disruption')) {
      assert.ok(all.includes(`${id}: ${title}\n`), id);
    }
    const listed: readonly { readonly id: string }[] = JSON.parse(
      await explain(['disruption', '--format', 'json']),
    );
    assert.deepEqual(
      listed.map(({ id }) => id),
      checks.filter(({ suite }) => suite === 'disruption').map(({ id }) => id),
    );
  });

  it('shows of one object what is known, the verdict of each check and what would cure it', async () => {
    const text = await explain([
      'replicas-sufficient',
      'kiosk/deploy/display',
      '--from',
      manifests,
    ]);
    assert.match(text, /^Deployment kiosk\/display\n {2}namespace +user\n {2}replicas +1 \(spec/);
    assert.match(
      text,
      /^ {2}FLAKE {2}replicas-sufficient: stage flake\n {9}- Deployment display: /m,
    );
    assert.match(text, /^ {11}\$ kubectl get deployment display -n kiosk /m);
    assert.match(text, /^ {11}Patch \(not tried: a recording takes no patch\):\n {13}spec:\n/m);
    assert.match(text, /^ {9}Because of: .*floor, minimum, topology/m);
    assert.match(text, /^ {9}Docs: checks\/redundancy\/replicas-sufficient\/README\.md$/m);
  });

  it('fits a terminal', async () => {
    const text = await explain(['probes', 'kiosk/deployment/api', '--from', manifests]);
    const isCopied = /^ +\$ |^ {13}/;
    const wide = text.split('\n').filter((line) => line.length > 80 && !isCopied.test(line));
    assert.deepEqual(wide, []);
  });

  it('reads manifests from standard input, and gives the same as JSON', async () => {
    const input = readFileSync(join(manifests, 'kiosk.yaml'), 'utf8');
    const args = ['kiosk/deployment/api', '--from', '-', '--format', 'json'];
    const said: Explanation = JSON.parse(await explain(['disruption', ...args], input));
    assert.deepEqual(said.object, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'kiosk',
      name: 'api',
    });
    assert.ok(said.facts.some(({ name }) => name === 'floor'));
    assert.deepEqual(
      said.checks.map(({ check }) => check),
      checks.filter(({ suite }) => suite === 'disruption').map(({ id }) => id),
    );
    for (const { verdict, docs } of said.checks) {
      assert.ok(['pass', 'skip', 'flake'].includes(verdict));
      assert.ok(readFileSync(join(import.meta.dirname, '..', docs)).length > 0);
    }
  });

  it('takes an object for what a person wants to know, whatever a file excludes', async () => {
    const file = await space.write(
      'c.yaml',
      'excludeNamespaces: [kiosk]\nchecks: [pdb-presence]\n',
    );
    const args = ['kiosk/deployment/api', '--from', manifests, '--config', file];
    assert.match(await explain(['probes', ...args]), /^ {2}PASS {3}readiness-probes: /m);
  });
});
