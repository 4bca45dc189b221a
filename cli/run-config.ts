/** The options of a run, laid over the configuration file. */
import type { parseArgs } from 'node:util';
import { checks as allChecks } from '../checks/index.ts';
import { configOfOptions } from '../config/options.ts';
import type { Config } from '../config/schema.ts';
import type { Stage } from '../core/result.ts';
import { stages } from '../core/result.ts';
import { choice, type runOptions, usage } from './options.ts';

export type RunValues = ReturnType<typeof parseArgs<{ options: typeof runOptions }>>['values'];

/** An option wins over the file; what neither says keeps its default. */
export async function configOf(
  values: RunValues,
  positionals: readonly string[],
  file: Config,
): Promise<Config> {
  const [stray] = positionals;
  if (stray !== undefined) throw usage(`unexpected "${stray}"; see ha-compliance run --help`);
  const given = configOfOptions(
    {
      kubeconfig: values.kubeconfig,
      context: values.context,
      cluster: values.cluster,
      user: values.user,
      as: values.as,
      asGroups: values['as-group'],
      from: values.from,
      namespaces: values.namespace,
      excludeNamespaces: values['exclude-namespace'],
      scope: values.scope,
      suites: values.suite,
      checks: values.check,
      checkFolders: values.checks,
      stages: values.stage && overridden(file.stages, await stagesOf(values.stage)),
      exceptions: values.exceptions,
      shippedExceptions: values['no-shipped-exceptions'] ? false : undefined,
      topology: values.topology,
      out: values.out,
      record: values.record,
      format: values.format,
      timeout: values.timeout,
      settleWait: values['settle-wait'],
      exitZero: values['exit-zero'],
      quiet: values.quiet,
    },
    names,
  );
  if (given.as === undefined && given.asGroups && file.as === undefined) {
    throw usage('--as-group needs --as: a group is not impersonated without a user');
  }
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const merged = { ...withoutSelection(file, given), ...Object.fromEntries(set) };
  return withTarget(file, merged, given);
}

/** How the options are called whose keys are called otherwise. */
const names: Readonly<Record<string, string>> = {
  asGroups: '--as-group',
  namespaces: '--namespace',
  excludeNamespaces: '--exclude-namespace',
  suites: '--suite',
  checks: '--check',
  checkFolders: '--checks',
  settleWait: '--settle-wait',
};

/** Suites and checks add up: who names some on the command line wants these and no others. */
function withoutSelection(file: Config, { suites, checks }: Config): Config {
  return suites || checks ? { ...file, suites: undefined, checks: undefined } : file;
}

/** What is named on the command line holds for all that it names, whatever the file says of a part of it. */
function overridden(
  stagesOfFile: Readonly<Record<string, Stage>> = {},
  given: Readonly<Record<string, Stage>>,
): Record<string, Stage> {
  const isNamed = (name: string) => Object.hasOwn(given, name);
  const kept = Object.entries(stagesOfFile).filter(([name]) => {
    const suite = allChecks.find(({ id }) => id === name)?.suite;
    return !isNamed('*') && !(suite !== undefined && isNamed(suite));
  });
  return { ...Object.fromEntries(kept), ...given };
}

/** A cluster on the command line is not the recording of the file, nor the other way round. */
function withTarget(file: Config, merged: Config, given: Config): Config {
  const named = given.kubeconfig ?? given.context;
  const isRecording = given.from !== undefined || (file.from !== undefined && named === undefined);
  if (!isRecording) return { ...merged, from: undefined };
  const live = Object.entries(liveOptions).filter(([, key]) => given[key] !== undefined);
  if (live.length === 0) return merged;
  const options = live.map(([option]) => option).join(' and ');
  const where = given.from ? '--from reads' : 'from in the configuration file reads';
  throw usage(`${where} a recording: leave out ${options}`);
}

/** What says which cluster is read, and as whom: to a recording it means nothing. */
const liveOptions = {
  '--kubeconfig': 'kubeconfig',
  '--context': 'context',
  '--cluster': 'cluster',
  '--user': 'user',
  '--as': 'as',
  '--as-group': 'asGroups',
} as const satisfies Readonly<Record<string, keyof Config>>;

async function stagesOf(words: readonly string[]): Promise<Record<string, Stage>> {
  const entries = words.map(async (word) => {
    const cut = word.lastIndexOf('=');
    const name = cut < 0 ? '*' : word.slice(0, cut);
    const stage = await choice('stage', word.slice(cut + 1), stages);
    if (!stage || name === '') throw usage('--stage: expected [CHECK|SUITE=]STAGE');
    return [name, stage] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
