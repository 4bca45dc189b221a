/** ha-compliance completion: scripts by which shells complete commands, options and their values. */
import { checks, suites } from '../checks/index.ts';
import { didYouMean } from '../config/nearest.ts';
import { topologyModes } from '../core/topology.ts';
import type { Command } from './command.ts';
import type { Option } from './options.ts';
import { checksOptions, explainOptions, lintOptions, runOptions, usage } from './options.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export const command: Command = async ([name, ...rest]) => {
  if (name === undefined) throw usage(`completion: for which shell? One of ${shells.join(', ')}`);
  const shell = shells.find((known) => known === name);
  if (!shell) {
    const expected = `expected one of ${shells.join(', ')}, found "${name}"`;
    throw usage(`completion: ${expected}${didYouMean(name, shells)}`);
  }
  if (rest.length > 0) throw usage('completion: one shell at a time');
  process.stdout.write(shell === 'fish' ? fish() : shell === 'zsh' ? zsh() : bash());
  return 0;
};

const optionsOf: Readonly<Record<string, Readonly<Record<string, Option>>>> = {
  run: runOptions,
  checks: checksOptions,
  explain: explainOptions,
  exceptions: lintOptions,
  completion: {},
};
/** What may follow a command at once. */
const wordsOf: Readonly<Record<string, readonly string[]>> = {
  checks: [...checks.map(({ id }) => id), ...suites],
  explain: [...checks.map(({ id }) => id), ...suites],
  exceptions: ['lint'],
  completion: shells,
};
/** What takes files behind its words: there the shell's own names are offered, and options only for a dash. */
const takesFiles: readonly string[] = ['exceptions'];

/** What may follow an option; undefined leaves it to the shell's own file names. */
function valuesOf(name: string, { choices }: Option): readonly string[] | undefined {
  if (name === 'check') return checks.map(({ id }) => id);
  if (name === 'topology') return topologyModes;
  return name === 'suite' ? suites : choices;
}

/** An empty COMPREPLY leaves a word to the shell, which offers files. */
function bash(): string {
  const commands = Object.keys(optionsOf);
  return `_ha_compliance() {
  local command=\${COMP_WORDS[1]} previous=\${COMP_WORDS[COMP_CWORD-1]} words=
  local current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.join(' ')} --help --version"
  else
    case "$command $previous" in
${Object.entries(optionsOf).flatMap(valueCases).join('\n')}
      *) case "$command $COMP_CWORD $current" in
${commands.flatMap(wordCases).join('\n')}
      esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _ha_compliance ha-compliance
`;
}

/** What may follow an option that takes a value. */
function valueCases([command, options]: readonly [string, Readonly<Record<string, Option>>]) {
  return Object.entries(options).flatMap(([name, option]) => {
    if (option.type === 'boolean') return [];
    const spellings = [`--${name}`, ...(option.short ? [`-${option.short}`] : [])];
    const pattern = spellings.map((spelling) => `"${command} ${spelling}"`).join('|');
    const values = valuesOf(name, option);
    return [`      ${pattern}) ${values ? `words="${values.join(' ')}"` : 'return'} ;;`];
  });
}

/** What may follow anything else. */
function wordCases(command: string): readonly string[] {
  const options = [...Object.keys(optionsOf[command] ?? {}), 'help'].map((name) => `--${name}`);
  const words = [...(wordsOf[command] ?? []), ...options];
  const dash = takesFiles.includes(command) ? '-' : '';
  return [
    `        "${command} 2 "*) words="${words.join(' ')}" ;;`,
    `        "${command} "*" ${dash}"*) words="${options.join(' ')}" ;;`,
  ];
}

function zsh(): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash()}`;
}

function fish(): string {
  const lines = Object.entries(optionsOf).flatMap(([name, options]) => {
    const inCommand = `complete -c ha-compliance -n '__fish_seen_subcommand_from ${name}'`;
    const words = (wordsOf[name] ?? []).join(' ');
    const isFirst = `-n '__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${words}'`;
    return [
      `complete -c ha-compliance -n __fish_use_subcommand -f -a ${name}`,
      ...(words === '' ? [] : [`complete -c ha-compliance ${isFirst} -f -a '${words}'`]),
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
