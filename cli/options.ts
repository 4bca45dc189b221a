/** The options of every command: what is parsed, what help and completion tell of it. */
import { parseArgs } from 'node:util';
import { KnownError } from '../core/errors.ts';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  readonly short?: string;
  /** What stands for the value in help. */
  readonly value?: string;
  /** The values that completion offers. */
  readonly choices?: readonly string[];
  readonly text: string;
}

type Options = Readonly<Record<string, Option>>;

const config = {
  type: 'string',
  value: 'FILE',
  text: 'the configuration (ha-compliance.yaml)',
} as const;
const format = (choices: readonly string[]) =>
  ({ type: 'string', value: choices.join('|'), choices, text: 'what is printed' }) as const;

export const runOptions = {
  kubeconfig: { type: 'string', value: 'FILE', text: 'the kubeconfig' },
  context: { type: 'string', value: 'NAME', text: 'the context of the kubeconfig' },
  cluster: { type: 'string', value: 'NAME', text: 'the cluster of the kubeconfig' },
  user: { type: 'string', value: 'NAME', text: 'the user of the kubeconfig' },
  as: { type: 'string', value: 'USER', text: 'the user to impersonate' },
  'as-group': { type: 'string', multiple: true, value: 'GROUP', text: 'a group to impersonate' },
  from: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    text: 'a recording to read; - is stdin',
  },
  namespace: {
    type: 'string',
    multiple: true,
    short: 'n',
    value: 'NS',
    text: 'judge this namespace only',
  },
  'exclude-namespace': { type: 'string', multiple: true, value: 'NS', text: 'leave this one out' },
  scope: {
    type: 'string',
    value: 'platform|all',
    choices: ['platform', 'all'],
    text: 'which namespaces (OpenShift: platform, else all)',
  },
  suite: { type: 'string', multiple: true, value: 'SUITE', text: 'run this suite only' },
  check: { type: 'string', multiple: true, value: 'ID', text: 'run this check only' },
  checks: { type: 'string', multiple: true, value: 'DIR', text: 'a folder of checks of your own' },
  stage: {
    type: 'string',
    multiple: true,
    value: '[CHECK|SUITE=]STAGE',
    choices: ['observe', 'flake', 'enforce'],
    text: 'what a finding comes to',
  },
  config,
  exceptions: { type: 'string', multiple: true, value: 'FILE', text: 'accepted deviations' },
  'no-shipped-exceptions': { type: 'boolean', text: 'leave out those of the package' },
  topology: { type: 'string', value: 'MODE', text: 'what manifests are written for' },
  out: { type: 'string', value: 'DIR', text: 'where the reports go ($ARTIFACT_DIR)' },
  record: { type: 'string', value: 'FILE', text: 'save what was read; .zst and .gz compress' },
  format: format(['terminal', 'json', 'junit']),
  timeout: { type: 'string', value: 'DURATION', text: 'ends the run (10m)' },
  'settle-wait': {
    type: 'string',
    value: 'DURATION',
    text: 'until a second look (30s; 0 is never)',
  },
  'exit-zero': { type: 'boolean', text: 'exit with 0 once the reports are written' },
  quiet: { type: 'boolean', short: 'q', text: 'no progress and no summary' },
} as const satisfies Options;

const { kubeconfig, context, cluster, user, as, from, exceptions, topology, timeout, quiet } =
  runOptions;

export const explainOptions = {
  kubeconfig,
  context,
  cluster,
  user,
  as,
  'as-group': runOptions['as-group'],
  from,
  checks: runOptions.checks,
  config,
  exceptions,
  'no-shipped-exceptions': runOptions['no-shipped-exceptions'],
  stage: runOptions.stage,
  topology,
  timeout,
  format: format(['terminal', 'json']),
  quiet: { ...quiet, text: 'no progress' },
} as const satisfies Options;

export const checksOptions = { format: format(['terminal', 'json']) } as const satisfies Options;
export const lintOptions = {
  config,
  format: format(['terminal', 'json']),
} as const satisfies Options;

/** Throws KnownError USAGE with the nearest option where one is unknown. */
export async function parse<const O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [, name] = /^Unknown option '(--?[^']+)'/.exec(error.message) ?? [];
    if (name === undefined) throw usage(error.message.replace(/\n[\s\S]*/, ''));
    const { didYouMean } = await import('../config/nearest.ts');
    const known = Object.keys(options).map((option) => `--${option}`);
    throw usage(`unknown option ${name}${didYouMean(name, known)}`);
  }
}

/** One of the choices of an option, or undefined where it was not given. */
export async function choice<const C extends string>(
  name: string,
  value: string | undefined,
  choices: readonly C[],
): Promise<C | undefined> {
  const found = choices.find((candidate) => candidate === value);
  if (found !== undefined || value === undefined) return found;
  const { didYouMean } = await import('../config/nearest.ts');
  throw usage(
    `--${name}: expected one of ${choices.join(', ')}, found "${value}"${didYouMean(value, choices)}`,
  );
}

export function usage(message: string): KnownError {
  return new KnownError('USAGE', message);
}
