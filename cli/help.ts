/** The help pages. */
import type { Option } from './options.ts';
import { checksOptions, explainOptions, lintOptions, runOptions } from './options.ts';

export function isHelpWanted(args: readonly string[]): boolean {
  const [first] = args;
  return first === 'help' || args.includes('--help') || args.includes('-h');
}

/** The page of a command; without one, or for one that is unknown, the overview. */
export function help(command?: string, ...rest: readonly string[]): string {
  switch (command) {
    case 'run':
      return runPage;
    case 'checks':
      return checksPage;
    case 'explain':
      return explainPage;
    case 'exceptions':
      return rest.includes('lint') ? lintPage : exceptionsPage;
    case 'completion':
      return completionPage;
    default:
      return overview;
  }
}

const overview = `ha-compliance: what does a cluster lose with a node, a zone, or in a rollout?

  ha-compliance run               judge a cluster or a recording; write reports
  ha-compliance checks [ID]       the checks; one of them in full
  ha-compliance explain CHECK OBJ what a check says of one object, and why
  ha-compliance exceptions lint   validate files of accepted deviations
  ha-compliance completion SHELL  a completion script for bash, zsh or fish

  --help after a command          its options
  --version                       the version

Examples
  ha-compliance run                             the cluster of the kubeconfig
  ha-compliance run --namespace shop            one namespace, with fixes
  ha-compliance run --from must-gather.tar.gz   a recording, without a cluster
  helm template . | ha-compliance run --from -  manifests, not yet applied
`;

const explainPage = `ha-compliance explain CHECK|SUITE [[NAMESPACE/]KIND/NAME] [options]

Without an object: what a check wants, or the checks of a suite. With one, from
a live cluster or a recording: what decides what is expected of it (replicas,
autoscaler, topology, nodes, callers, election, budgets), and what each check
says of it: what it reads, its verdict, and the patch that would make it pass. A
live API server is asked for a dry run of the patch; nothing is changed.

${optionLines(explainOptions)}
Examples
  ha-compliance explain disruption
  ha-compliance explain disruption shop/deployment/cart
  ha-compliance explain nodes machineconfigpool/worker --from must-gather
`;

const runPage = `ha-compliance run [options]

Reads a live cluster, or recordings, and judges it namespace by namespace. The
reports are report.json and junit/junit_ha_compliance__<time>.xml.

Exit status: 0 nothing fails; 1 something does; 2 the job could not be done
(usage, configuration or exceptions file, nothing readable, deadline or signal,
or a result with verdict error: live any; of a recording one that is malformed,
or whose check threw).

${optionLines(runOptions)}
Recordings: must-gather, oc adm inspect, gather-extra, kubectl get -o yaml,
manifests, and what --record wrote; a directory, a file, or a .tar, .tar.gz,
.tar.xz or .zip.
Every option can stand in the configuration file, too: --config, else
$HA_COMPLIANCE_CONFIG, else ./ha-compliance.yaml. An option of the command line
wins over it.
`;

const checksPage = `ha-compliance checks [ID|SUITE] [options]

Lists the checks, or those of a suite, or shows one of them in full.

${optionLines(checksOptions)}`;

const exceptionsPage = `ha-compliance exceptions COMMAND

  lint [FILE…]    validate files of accepted deviations
`;

const lintPage = `ha-compliance exceptions lint [FILE…] [options]

Validates files of exceptions: without FILE the shipped ones and those of the
configuration.
Exit status: 0 all valid; 2 not.

${optionLines(lintOptions)}`;

const completionPage = `ha-compliance completion bash|zsh|fish

Prints a completion script:
  bash   source <(ha-compliance completion bash)
  zsh    source <(ha-compliance completion zsh)
  fish   ha-compliance completion fish | source
`;

function optionLines(options: Readonly<Record<string, Option>>): string {
  const rows = Object.entries(options).map(([name, { short, value, multiple, text }]) => {
    const left = [short && `-${short},`, `--${name}`, value].filter(Boolean).join(' ');
    return [left, multiple ? `${text} (repeatable)` : text] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
}
