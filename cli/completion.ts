/** ha-compliance completion: scripts by which shells complete commands, options and their values. */
import { checks, suites } from '../checks/index.ts';
import { didYouMean } from '../config/nearest.ts';
import type { Command } from './command.ts';
import type { Option } from './options.ts';
import { checksOptions, lintOptions, runOptions, usage } from './options.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export const command: Command = async ([name]) => {
  if (name === undefined) throw usage(`completion: for which shell? One of ${shells.join(', ')}`);
  const shell = shells.find((known) => known === name);
  if (!shell) {
    const expected = `expected one of ${shells.join(', ')}, found "${name}"`;
    throw usage(`completion: ${expected}${didYouMean(name, shells)}`);
  }
  process.stdout.write(shell === 'fish' ? fish() : shell === 'zsh' ? zsh() : bash());
  return 0;
};

const optionsOf: Readonly<Record<string, Readonly<Record<string, Option>>>> = {
  run: runOptions,
  checks: checksOptions,
  exceptions: lintOptions,
  completion: {},
};
const wordsOf: Readonly<Record<string, readonly string[]>> = {
  checks: checks.map(({ id }) => id),
  exceptions: ['lint'],
  completion: shells,
};

/** What may follow an option; undefined leaves it to the shell's own file names. */
function valuesOf(name: string, { choices }: Option): readonly string[] | undefined {
  if (name === 'check') return checks.map(({ id }) => id);
  return name === 'suite' ? suites : choices;
}

function bash(): string {
  const options = Object.entries(runOptions).flatMap(([name, option]) => {
    const values = valuesOf(name, option);
    return values ? [`    --${name}) words="${values.join(' ')}" ;;`] : [];
  });
  const commands = Object.entries(optionsOf).map(([name, own]) => {
    const words = [...(wordsOf[name] ?? []), ...Object.keys(own).map((o) => `--${o}`), '--help'];
    return `      ${name}) words="${words.join(' ')}" ;;`;
  });
  return `_ha_compliance() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=
  case \${COMP_WORDS[COMP_CWORD-1]} in
${options.join('\n')}
  esac
  if [ -z "$words" ] && [ "$COMP_CWORD" -eq 1 ]; then
    words="${Object.keys(optionsOf).join(' ')} --help --version"
  elif [ -z "$words" ]; then
    case \${COMP_WORDS[1]} in
${commands.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _ha_compliance ha-compliance
`;
}

function zsh(): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash()}`;
}

function fish(): string {
  const lines = Object.entries(optionsOf).flatMap(([name, options]) => {
    const inCommand = `complete -c ha-compliance -n '__fish_seen_subcommand_from ${name}'`;
    const words = wordsOf[name] ?? [];
    return [
      `complete -c ha-compliance -n __fish_use_subcommand -f -a ${name}`,
      ...(words.length > 0 ? [`${inCommand} -f -a '${words.join(' ')}'`] : []),
      ...Object.entries(options).map(([option, own]) => {
        const values = valuesOf(option, own);
        const argument =
          own.type === 'boolean' ? '' : values ? ` -x -a '${values.join(' ')}'` : ' -r';
        return `${inCommand} -l ${option}${argument} -d '${own.text}'`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}
