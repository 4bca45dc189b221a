/** A real API server takes the patch of every finding, and what it makes of the object is cured. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import pLimit from 'p-limit';
import type { Connection } from '../cluster/connect.ts';
import { dryRun } from '../cluster/dry-run.ts';
import type { AnyCheck } from '../core/check.ts';
import type { KindInfo } from '../core/kinds.ts';
import { kinds } from '../core/kinds.ts';
import { groupOf } from '../core/owner.ts';
import type { Finding } from '../core/result.ts';
import type { Client } from '../sandbox/client.ts';
import { createClient } from '../sandbox/client.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { up } from '../sandbox/up.ts';
import type { Manifest } from '../test/fixture.ts';
import { readFixture } from '../test/fixture.ts';
import { connectTo, trusting } from '../test/kubeconfigs.ts';
import { isAbout, isSameFinding } from '../test/patch.ts';
import { findingsOf } from '../test/run-fixture.ts';
import { storable } from '../test/storable.ts';
import { checks } from './index.ts';

/** What fixtures hold though an API server would not store it: manifests and old recordings do, too. */
const unstorable: Readonly<Record<string, RegExp>> = {
  'what should be a number or a percentage is neither': /a valid percent string must be/,
  'two values exclude each other': /cannot be both set|cannot be 0 when|may not be set when/,
  'a label selector is invalid, and so matches nothing': /abelSelector\.matchExpressions\[\d+\]/,
  'a container that ends before the others start has a probe': /not be set for init containers/,
  'an autoscaler names no group of its target': /: apiVersion must specify API group$/,
  'a spread constraint says nothing of its skew': /\.maxSkew: Invalid value: 0: must be greater/,
  'a feature is switched off by default: scaling to zero': /to support scaling to zero replicas/,
  'a feature is switched off by default: tolerating numbers': /tolerations\[\d+\]\.operator: Unsup/,
};

interface Case {
  readonly check: AnyCheck;
  readonly file: string;
  readonly finding: Finding;
  readonly object: Manifest;
  /** A namespace of its own, so that fixtures do not meet; undefined for objects of the cluster. */
  readonly namespace: string | undefined;
}

type Outcome =
  | { readonly state: 'cured' | 'not served' }
  | { readonly state: 'not stored' | 'not patched' | 'not cured'; readonly reason: string };

type Tried = Outcome & { readonly where: string; readonly object: Manifest };

describe('the patch of a finding, on an API server', function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  let tried: readonly Tried[];
  const inState = (...states: readonly Tried['state'][]) =>
    tried.filter(({ state }) => states.includes(state));

  before(async function () {
    // The first start on a machine builds the programs.
    this.timeout(30 * 60_000);
    sandbox = await up({ name: 'patches', topology: 'single', openshift: true });
    // Nobody is to act on what is created: that would take longer than all the rest.
    await sandbox.kill('kube-controller-manager');
    tried = await tryAll(sandbox);
  });
  after(() => sandbox?.down());

  it('is tried for nearly every fixture', () => {
    assert.ok(inState('cured').length > 200, `${inState('cured').length} of ${tried.length}`);
  });

  it('needs an API that the sandbox serves: all but custom resources', () => {
    // What old servers had is in old recordings only.
    const unserved = inState('not served').filter(({ object }) => !isBeta(object));
    assert.deepEqual(
      unserved.filter(({ object }) => infoOf(object)?.protobuf !== false),
      [],
    );
  });

  it('is tried on all that a server stores, which is all but a few', () => {
    const refused = inState('not stored').map(told);
    const reasons = Object.values(unstorable);
    assert.deepEqual(
      refused.filter((line) => !reasons.some((reason) => reason.test(line))),
      [],
    );
    assert.ok(refused.length < tried.length / 10, `${refused.length} of ${tried.length}`);
  });

  it('is taken, and makes the finding go', () => {
    assert.deepEqual(inState('not patched', 'not cured').map(told), []);
  });
});

const isBeta = ({ apiVersion }: Manifest) => apiVersion.endsWith('beta1');

const told = (one: Tried) =>
  `${one.where}: ${one.state}${'reason' in one ? `: ${one.reason}` : ''}`;

async function tryAll(sandbox: Sandbox): Promise<readonly Tried[]> {
  const client = createClient(sandbox);
  const access = { ...trusting(sandbox), user: { token: sandbox.token } };
  await using connection = await connectTo(access);
  const all = casesOf();
  const attempt = async (one: Case): Promise<Tried> => ({
    ...(await tryOne(one, client, connection)),
    where: `${one.check.id} ${path.basename(one.file)}`,
    object: one.object,
  });
  try {
    const limit = pLimit(8);
    const inNamespaces = all.filter(({ namespace }) => namespace !== undefined);
    const tried = await Promise.all(inNamespaces.map((one) => limit(() => attempt(one))));
    // Some of these decide what the server takes of others.
    for (const one of all.filter(({ namespace }) => namespace === undefined)) {
      tried.push(await attempt(one));
    }
    return tried;
  } finally {
    client.close();
  }
}

function casesOf(): readonly Case[] {
  const cases = checks.flatMap((check) => {
    const folder = path.join(import.meta.dirname, check.suite, check.id, 'fixtures');
    return globSync(`${folder}/*.yaml`)
      .toSorted()
      .flatMap((file) => casesIn(check, file));
  });
  return cases.map((one, n) =>
    infoOf(one.object)?.namespaced ? { ...one, namespace: `patch-${n}` } : one,
  );
}

function casesIn(check: AnyCheck, file: string): readonly Case[] {
  const written: Manifest[] = [];
  const fixture = readFixture(file, (object) => {
    written.push(object);
    return object;
  });
  const patchable = findingsOf(check, fixture).filter(({ patch }) => patch);
  return patchable.flatMap((finding) =>
    written
      .filter((object) => isAbout(finding, object))
      .map((object) => ({ check, file, finding, object, namespace: undefined })),
  );
}

function infoOf({ apiVersion, kind }: Manifest): KindInfo | undefined {
  const all: readonly KindInfo[] = Object.values(kinds);
  return all.find((info) => info.kind === kind && info.group === groupOf(apiVersion));
}

async function tryOne(one: Case, client: Client, connection: Connection): Promise<Outcome> {
  const refusal = await store(one, client);
  if (refusal) return refusal;
  const { finding, namespace } = one;
  const object = { ...finding.object, ...(namespace !== undefined && { namespace }) };
  const answer = await dryRun(connection, { ...finding, object }, AbortSignal.timeout(30_000));
  if (namespace === undefined) await remove(one, client);
  if (answer.state !== 'accepted') return { state: 'not patched', reason: answer.reason };
  const cured = readFixture(one.file, (own) =>
    isAbout(finding, own) ? inPlaceOf(own, answer.object as Manifest) : own,
  );
  const left = findingsOf(one.check, cured).filter((other) => isSameFinding(finding, other));
  return left.length === 0
    ? { state: 'cured' }
    : { state: 'not cured', reason: left.map(({ message }) => message).join('; ') };
}

/** Undefined where the server has it now. */
async function store(one: Case, client: Client): Promise<Outcome | undefined> {
  const { object, namespace } = one;
  if (namespace === undefined) await remove(one, client);
  else {
    const body = { metadata: { name: namespace } };
    await client.demand({ method: 'POST', path: '/api/v1/namespaces', body });
  }
  const { status, body } = await client.send({
    method: 'POST',
    path: `${collectionOf(one)}?fieldValidation=Strict`,
    body: storable(object, namespace),
  });
  if (status === 201) return undefined;
  if (status === 404) return { state: 'not served' };
  const { message } = body as { readonly message?: string }; // a Status
  return { state: 'not stored', reason: `${status} ${message}` };
}

/** There may be one of that name already, of the sandbox's own. */
async function remove(one: Case, client: Client): Promise<void> {
  const path = `${collectionOf(one)}/${one.object.metadata.name}`;
  await client.send({ method: 'DELETE', path });
}

function collectionOf({ object, namespace }: Case): string {
  const { apiVersion } = object;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${root}${scope}/${infoOf(object)?.resources[0]}`;
}

/** What the server made of it; who it is, and what controllers said of it, stays. */
function inPlaceOf(own: Manifest, answer: Manifest): Manifest {
  const { status: _, metadata, ...rest } = answer;
  const { labels, annotations } = metadata;
  return {
    ...rest,
    metadata: {
      ...own.metadata,
      ...(labels && { labels }),
      ...(annotations !== undefined && { annotations }),
    },
    ...(own.status && { status: own.status }),
  };
}
