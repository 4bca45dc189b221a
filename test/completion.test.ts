import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { before, describe, it } from 'mocha';
import { checks, suites } from '../checks/index.ts';
import type { Option } from '../cli/options.ts';
import { checksOptions, runOptions } from '../cli/options.ts';
import { command } from './command.ts';

const cwd = tmpdir();

describe('ha-compliance completion bash', () => {
  let script = '';
  before(async () => {
    ({ stdout: script } = await command(['completion', 'bash'], { cwd }));
  });

  const bash = (text: string) => spawnSync('bash', { input: text, encoding: 'utf8', cwd });

  /** What bash offers for the last of the words. */
  function offered(...words: readonly string[]): readonly string[] {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const asked = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _ha_compliance`;
    const { stdout, stderr } = bash(`${script}\n${asked}\nprintf '%s\\n' "\${COMPREPLY[@]}"`);
    assert.equal(stderr, '');
    return stdout.split('\n').filter((word) => word !== '');
  }

  it('is a script', () => {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('is registered for the command', () => {
    const { stdout } = bash(`${script}\ncomplete -p ha-compliance`);
    assert.match(stdout, /-F _ha_compliance ha-compliance/);
  });

  it('offers commands, options and their values', () => {
    assert.deepEqual(offered('ha-compliance', 'ch'), ['checks']);
    assert.deepEqual(offered('ha-compliance', 'run', '--settle'), ['--settle-wait']);
    assert.deepEqual(offered('ha-compliance', 'run', '--format', ''), runOptions.format.choices);
    assert.deepEqual(offered('ha-compliance', 'run', '--suite', ''), suites);
    const pdb = checks.map(({ id }) => id).filter((id) => id.startsWith('pdb-'));
    assert.deepEqual(offered('ha-compliance', 'run', '--check', 'pdb-'), pdb);
    assert.deepEqual(offered('ha-compliance', 'checks', 'pdb-'), pdb);
    assert.deepEqual(offered('ha-compliance', 'explain', 'pdb-'), pdb);
    assert.deepEqual(offered('ha-compliance', 'explain', 'dis'), ['disruption']);
    assert.deepEqual(offered('ha-compliance', 'explain', 'pdb-presence', '--fo'), ['--format']);
    assert.deepEqual(offered('ha-compliance', 'exceptions', 'l'), ['lint']);
    assert.deepEqual(offered('ha-compliance', 'completion', 'z'), ['zsh']);
  });

  it('offers the values of the options that a command has, and of no other', () => {
    assert.deepEqual(
      offered('ha-compliance', 'checks', '--format', ''),
      checksOptions.format.choices,
    );
    assert.deepEqual(offered('ha-compliance', 'run', '--topology', 'D'), ['DualReplica']);
    assert.deepEqual(offered('ha-compliance', 'completion', '--format', ''), ['--help']);
  });

  it('leaves a name or a file to the shell', () => {
    const own = Object.entries(runOptions).filter(
      ([, option]: readonly [string, Option]) => option.type === 'string' && !option.choices,
    );
    const offering = ['check', 'suite', 'topology'];
    for (const [name] of own.filter(([known]) => !offering.includes(known))) {
      assert.deepEqual([name, offered('ha-compliance', 'run', `--${name}`, '')], [name, []]);
    }
    assert.deepEqual(offered('ha-compliance', 'run', '-n', ''), []);
    assert.deepEqual(offered('ha-compliance', 'exceptions', 'lint', '--config', ''), []);
    assert.deepEqual(offered('ha-compliance', 'exceptions', 'lint', ''), []);
  });

  it('offers options behind the words that a command takes', () => {
    assert.deepEqual(offered('ha-compliance', 'exceptions', 'lint', '--c'), ['--config']);
    assert.deepEqual(offered('ha-compliance', 'checks', 'pdb-presence', ''), [
      '--format',
      '--help',
    ]);
    assert.deepEqual(offered('ha-compliance', 'run', '--quiet', '--sc'), ['--scope']);
  });

  it('offers every option', () => {
    const names = Object.keys(runOptions).map((name) => `--${name}`);
    assert.deepEqual(
      offered('ha-compliance', 'run', '--').toSorted(),
      [...names, '--help'].toSorted(),
    );
  });
});

for (const shell of ['zsh', 'fish']) {
  describe(`ha-compliance completion ${shell}`, () => {
    it('is a script, as far as that shell is there to tell', async function () {
      const { status, stdout } = await command(['completion', shell], { cwd });
      assert.equal(status, 0);
      const checked = spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' });
      if (checked.error) this.skip();
      assert.deepEqual([checked.status, checked.stderr], [0, '']);
    });
  });
}
