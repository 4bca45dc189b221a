import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { recordWith } from '../test/bad-records.ts';
import { loadExceptions } from './load.ts';

const checks = [
  { id: 'pdb-presence', suite: 'disruption' },
  { id: 'readiness-probes', suite: 'probes', perContainer: true },
  { id: 'paused-pool-keeps-config', code: 'CM-01', suite: 'machine-config', perContainer: true },
] as const;
const good = recordWith({});

describe('loadExceptions', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ha-compliance-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** Writes a.yaml, b.yaml … and loads them. */
  async function load(...texts: readonly string[]) {
    const files = texts.map((text, index) => {
      const name = `${'abc'.charAt(index)}.yaml`;
      return { path: join(folder, name), name, text };
    });
    for (const { path, text } of files) await writeFile(path, text);
    return loadExceptions(files, { checks });
  }
  const refused = (texts: readonly string[], ...problems: readonly string[]) =>
    assert.rejects(load(...texts), { code: 'EXCEPTIONS', message: problems.join('\n') });

  it('gives the records with where they stand', async () => {
    const loaded = await load(`# mine\n${good}\n${recordWith({ name: 'checkout' })}`);
    assert.deepEqual(loaded[0], {
      at: 'a.yaml:2',
      check: 'pdb-presence',
      namespace: ['shop'],
      kind: 'Deployment',
      name: 'cart',
      state: 'pending',
      jira: 'SHOP-1',
      reason: 'a second replica is planned',
      addedOn: '2026-11-21',
      expires: '2027-03-01',
    });
    assert.deepEqual([loaded[1]?.at, loaded[1]?.name, loaded.length], ['a.yaml:12', 'checkout', 2]);
  });

  it('reads every field', async () => {
    const [only] = await load(`- check: CM-01
  namespacePattern: team-<any>
  patternReason: each team has its own
  kind: StrimziPodSet
  namePattern: kafka-<ordinal>
  container: kafka
  state: permanent
  jira: https://redhat.atlassian.net/browse/OCPBUGS-12345
  source: https://example.com/convention
  reason: >-
    one sentence
    on two lines
  approver: someone
  addedOn: "2026-11-21"
  targetRelease: "5.1"
  releases: ">=4.20 <5.1"
  topologies: [HighlyAvailable]
  platforms: [AWS]
  matched: 0
`);
    assert.equal(only?.check, 'paused-pool-keeps-config');
    assert.equal(only?.namespacePattern?.text, 'team-<any>');
    assert.equal(only?.namePattern?.text, 'kafka-<ordinal>');
    assert.equal(only?.jira, 'OCPBUGS-12345');
    assert.equal(only?.reason, 'one sentence on two lines');
  });

  it('knows an issue by its key, however it is linked', async () => {
    const [only] = await load(recordWith({ jira: 'https://issues.redhat.com/browse/SANDBOX-1' }));
    assert.equal(only?.jira, 'SANDBOX-1');
  });

  it('takes files without entries', async () => {
    assert.deepEqual(await load('', '# nothing yet\n', '[]\n'), []);
  });

  it('takes an object of the cluster without a namespace', async () => {
    const loaded = await load(recordWith({ kind: 'Node', namespace: undefined }));
    assert.equal(loaded.length, 1);
  });

  it('takes a kind that it does not know with a namespace or without', async () => {
    const kind = 'Prometheus';
    const loaded = await load(recordWith({ kind }) + recordWith({ kind, namespace: undefined }));
    assert.equal(loaded.length, 2);
  });

  it('reads a file once, however often and by whatever path it is named', async () => {
    const path = join(folder, 'a.yaml');
    await writeFile(path, good);
    const loaded = await loadExceptions(
      [path, { path: join(folder, '.', 'a.yaml'), name: 'again' }],
      {
        checks,
      },
    );
    assert.deepEqual(
      loaded.map(({ at }) => at),
      [`${path}:1`],
    );
  });

  it('refuses files that are no lists of records', async () => {
    await refused(
      ['check: pdb-presence', '- cart\n- [cart]\n', '- check: a\n  check: b'],
      'a.yaml:1:1 expected a list, found a map',
      'b.yaml:1:3 expected a map, found "cart"',
      'b.yaml:2:3 expected a map, found a list',
      'c.yaml:2:3 duplicate key "check", first on line 1',
    );
  });

  it('refuses a file that it cannot read, and tells of the others as well', async () => {
    await writeFile(join(folder, 'a.yaml'), recordWith({ state: 'done' }));
    const files = [
      { path: join(folder, 'absent.yaml'), name: 'absent.yaml' },
      { path: join(folder, 'a.yaml'), name: 'a.yaml' },
    ];
    await assert.rejects(loadExceptions(files, { checks }), {
      code: 'EXCEPTIONS',
      exitStatus: 2,
      message:
        'a.yaml:5:10 state: expected one of pending, permanent, found "done"\n' +
        'absent.yaml: cannot be read: no such file or directory',
    });
  });

  it('tells all that is wrong with a record at once', async () => {
    await refused(
      [recordWith({ check: 'none', addedOn: 'soon', jira: undefined, colour: 'red' })],
      'a.yaml:1:3 jira: expected the Jira issue that will end the exception, found nothing',
      'a.yaml:1:10 check: expected the id of a check, found "none"',
      'a.yaml:7:12 addedOn: expected a date such as 2026-11-21, found "soon"',
      'a.yaml:9:3 unknown key "colour"',
    );
  });

  it('refuses an entry that says the same as another, in one file or in two', async () => {
    await refused(
      [`${good}${recordWith({ reason: 'another', expires: '2028-01-01' })}`, good],
      'a.yaml:10:3 says the same of the same objects as a.yaml:1',
      'b.yaml:1:3 says the same of the same objects as a.yaml:1',
    );
  });

  it('refuses an entry that contradicts another', async () => {
    const permanent = { state: 'permanent', approver: 'me', expires: undefined };
    await refused(
      [
        good,
        recordWith({ namespace: '[other, shop]', jira: 'SHOP-2' }),
        recordWith({ ...permanent, jira: undefined, source: 'https://example.com/x' }),
      ],
      'b.yaml:1:3 contradicts a.yaml:1 about the same objects: pending SHOP-2 here, pending SHOP-1 there',
      'c.yaml:1:3 contradicts a.yaml:1 about the same objects: permanent https://example.com/x here, pending SHOP-1 there',
    );
  });

  it('compares limits and patterns by what they mean', async () => {
    const limits = { topologies: '[External, DualReplica]', platforms: '[aws, GCP]' };
    const pattern = { namespace: undefined, namespacePattern: 'team-<any>', patternReason: 'x' };
    const names = { name: undefined, namePattern: 'web-<hash>' };
    const first = { ...limits, ...pattern, ...names, releases: '">=4.20 <5.1"' };
    const second = {
      ...first,
      topologies: '[DualReplica, External]',
      platforms: '[gcp, AWS]',
      releases: '"<5.1  >=4.20"',
    };
    await refused(
      [recordWith(first), recordWith(second)],
      'b.yaml:1:3 says the same of the same objects as a.yaml:1',
    );
  });

  const different: readonly Readonly<Record<string, string | undefined>>[] = [
    { check: 'CM-01' },
    { namespace: 'other' },
    { kind: 'StatefulSet' },
    { name: 'other' },
    { name: undefined, namePattern: 'cart-<hash>' },
    { releases: '">=4.20"' },
    { topologies: '[External]' },
    { platforms: '[AWS]' },
  ];
  it('takes two entries that differ in container', async () => {
    const probes = { check: 'readiness-probes' };
    const [one, other] = [probes, { ...probes, container: 'web', jira: 'SHOP-2' }].map(recordWith);
    assert.equal((await load(one ?? '', other ?? '')).length, 2);
  });

  for (const changes of different) {
    it(`takes two entries that differ in ${Object.keys(changes)}`, async () => {
      assert.equal((await load(good, recordWith({ ...changes, jira: 'SHOP-2' }))).length, 2);
    });
  }

  it('takes files of malice in bounded time', async () => {
    const bomb = `a0: &a0 x\n${Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`).join('')}`;
    const start = performance.now();
    const alias = 'an alias is not accepted here: write the value out';
    await refused(
      [bomb, '['.repeat(100_000), '- __proto__: {state: pending}\n'],
      ...Array.from({ length: 9 }, (_, n) => [
        `a.yaml:${n + 2}:10 ${alias}`,
        `a.yaml:${n + 2}:15 ${alias}`,
      ]).flat(),
      'b.yaml:1:20 nesting exceeded maxDepth (20)',
      'c.yaml:1:3 the key __proto__ is not accepted',
    );
    await writeFile(join(folder, 'a.yaml'), '');
    await truncate(join(folder, 'a.yaml'), 50_000_000);
    const large = loadExceptions([{ path: join(folder, 'a.yaml'), name: 'a.yaml' }], { checks });
    await assert.rejects(large, { message: 'a.yaml: is larger than 4 MiB' });
    const long = 'a'.repeat(3_000_000);
    for (const field of ['reason', 'check', 'name']) {
      await assert.rejects(load(recordWith({ [field]: `"${long}\\t"` })), { code: 'EXCEPTIONS' });
    }
    const source = `https://${'a.'.repeat(1_000_000)} b`;
    await assert.rejects(load(recordWith({ source })), { code: 'EXCEPTIONS' });
    await assert.rejects(load(recordWith({ [long]: 'x' })), { code: 'EXCEPTIONS' });
    assert(performance.now() - start < 10_000);
  });
});
