import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { command as checks } from '../cli/checks.ts';
import type { Command } from '../cli/command.ts';
import { command as completion } from '../cli/completion.ts';
import { command as exceptions } from '../cli/exceptions.ts';
import { command as explain } from '../cli/explain.ts';
import { command as run } from '../cli/run.ts';
import { command } from './command.ts';
import type { Workspace } from './workspace.ts';
import { workspace } from './workspace.ts';

const manifests = join(import.meta.dirname, '..', 'sandbox', 'estates', 'small');
const from = ['--from', manifests];

type Mistake = readonly [readonly string[], RegExp];

const mistyped: Readonly<Record<string, readonly [Command, readonly Mistake[]]>> = {
  run: [
    run,
    [
      [['--form', 'x'], /unknown option --form, did you mean "--from"\?/],
      [['-x'], /unknown option -x/],
      [['everything'], /unexpected "everything"; see ha-compliance run --help/],
      [['--check', 'pdb-presense'], /unknown check "pdb-presense", did you mean "pdb-presence"/],
      [['--suite', 'prob'], /unknown suite "prob", did you mean "probes"/],
      [['--stage', 'enforc'], /--stage: .*found "enforc", did you mean "enforce"/],
      [['--stage', 'probs=flake'], /unknown check or suite "probs", did you mean "probes"/],
      [['--stage', '=flake'], /--stage: expected \[CHECK\|SUITE=\]STAGE/],
      [['--format', 'junti'], /--format: .*found "junti", did you mean "junit"/],
      [['--scope', 'al'], /--scope: .*found "al", did you mean "all"/],
      [['--topology', 'SingelReplica'], /--topology: .*did you mean "SingleReplica"/],
      [['--timeout', '5'], /--timeout: expected a duration such as 90s/],
      [['--timeout', '0'], /^--timeout: expected more than 0, found "0"$/],
      [['--settle-wait', 'soon'], /--settle-wait: expected a duration/],
      [['--out', ''], /^--out: expected text, found ""$/],
      [['--from', 'x', '--from', ''], /^--from: expected text, found ""$/],
      [['--namespace', ''], /^--namespace: expected text, found ""$/],
      [[...from, '--record', ''], /^--record: expected text, found ""$/],
      [['--as-group', 'g'], /--as-group needs --as/],
      [
        ['--from', 'x', '--kubeconfig', 'k', '--context', 'c'],
        /^--from reads a recording: leave out --kubeconfig and --context$/,
      ],
      [
        ['--from', 'x', '--cluster', 'c', '--user', 'u'],
        /^--from reads a recording: leave out --cluster and --user$/,
      ],
      [
        ['--from', 'x', '--as', 'a', '--as-group', 'g'],
        /^--from reads a recording: leave out --as and --as-group$/,
      ],
      [['--kubeconfig', 'missing'], /kubeconfig missing/],
      [['--from', 'missing'], /missing: no such file or directory/],
      [['--config', 'missing.yaml'], /missing\.yaml: cannot be read/],
      [[...from, '--exceptions', 'missing.yaml'], /missing\.yaml: cannot be read/],
      [[...from, '--record', 'missing/x'], /--record missing\/x: cannot be written/],
      [[...from, '--timeout', '1ms'], /small: not read to its end: deadline/],
      [[...from, '--namespace', 'kisok'], /there is no namespace "kisok", did you mean "kiosk"\?$/],
      [
        [...from, '--namespace', 'kisok', '--namespace', 'other'],
        /there is no namespace "kisok", did you mean "kiosk"\?; no namespace "other"$/,
      ],
      [
        [...from, '--namespace', 'kiosk', '--exclude-namespace', 'kiosk'],
        /every namespace that is named is excluded, too/,
      ],
    ],
  ],
  checks: [
    checks,
    [
      [['pdb-presense'], /unknown check or suite "pdb-presense", did you mean "pdb-presence"/],
      [['a', 'b'], /checks: one ID or SUITE at a time/],
      [['--format', 'jsn'], /--format: .*did you mean "json"/],
    ],
  ],
  explain: [
    explain,
    [
      [[], /explain: which check, or which suite\?/],
      [['pdb-presense'], /unknown check or suite "pdb-presense", did you mean "pdb-presence"/],
      [['kiosk/deploy/api'], /explain: a check or a suite comes before the object/],
      [['probes', 'a/pod/b', 'a/pod/c'], /explain: one object at a time/],
      [['probes', 'api'], /expected NAMESPACE\/KIND\/NAME, or KIND\/NAME .*found "api"/],
      [['probes', 'deploy/api'], /a Deployment lives in a namespace: .*found "deploy\/api"/],
      [['probes', 'kiosk/node/a'], /a Node is an object of the cluster: .*found/],
      [['probes', 'kiosk/deploymnt/api'], /unknown kind "deploymnt", did you mean "Deployment"/],
      [['probes', 'kiosk/deploy/apy', ...from], /no Deployment kiosk\/apy, did you mean "api"\?$/],
      [['probes', 'kisok/deploy/api', ...from], /no namespace "kisok", did you mean "kiosk"\?$/],
      [['probes', '--format', 'jsn'], /--format: .*did you mean "json"/],
      [['probes', '--namespace', 'kiosk'], /unknown option --namespace/],
    ],
  ],
  exceptions: [
    exceptions,
    [
      [[], /exceptions: which command\?/],
      [['lnt'], /unknown command "exceptions lnt", did you mean "lint"/],
      [['lint', 'missing.yaml'], /missing\.yaml: cannot be read/],
    ],
  ],
  completion: [
    completion,
    [
      [[], /completion: for which shell\?/],
      [['bsh'], /completion: .*found "bsh", did you mean "bash"/],
      [['bash', 'extra'], /completion: one shell at a time/],
    ],
  ],
};

describe('what is mistyped is an error that names the nearest word there is', () => {
  let space: Workspace;
  before(async () => {
    space = await workspace();
  });
  after(() => space?.remove());

  for (const [name, [own, mistakes]] of Object.entries(mistyped)) {
    for (const [args, message] of mistakes) {
      const shown = args.join(' ').replace(manifests, 'MANIFESTS');
      it(`ha-compliance ${name} ${shown}`, async () => {
        const out = name === 'run' ? ['--out', space.at('out')] : [];
        const known = { name: 'KnownError', exitStatus: 2, message };
        await assert.rejects(own([...out, ...args]), known);
      });
    }
  }
});

describe('what cannot be done is said in one line on standard error, with status 2', () => {
  let space: Workspace;
  before(async () => {
    space = await workspace();
    await space.write('plain-file', '');
    await space.write('empty.yaml', '');
    await space.write('folder/same.yaml', '');
  });
  after(() => space?.remove());

  const impossible: readonly Mistake[] = [
    [['rum'], /unknown command "rum", did you mean "run"\?; see ha-compliance --help/],
    [['--versoin'], /unknown command "--versoin", did you mean "--version"\?/],
    [['run'], /no cluster to talk to: set KUBECONFIG/],
    [['run', '--out'], /'--out <value>' argument missing/],
    [['run', '--from', 'empty.yaml'], /empty\.yaml: holds no Kubernetes object/],
    [['run', ...from, '--out', 'plain-file'], /--out plain-file: cannot be written/],
    [['run', ...from, '--record', 'plain-file/x'], /--record plain-file\/x: cannot be written/],
    [['run', ...from, '--record', 'folder'], /--record folder: cannot be written: is a directory/],
    [
      ['run', '--from', 'folder/same.yaml', '--record', 'folder/../folder/same.yaml'],
      /--record folder\/..\/folder\/same\.yaml: cannot be written: is what --from reads/,
    ],
  ];
  for (const [args, message] of impossible) {
    it(`ha-compliance ${args.join(' ').replace(manifests, 'MANIFESTS')}`, async () => {
      const { status, stdout, stderr } = await command(args, { cwd: space.path });
      assert.match(stderr, message);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, /^ha-compliance: [^\n]*\n$/);
    });
  }
});
