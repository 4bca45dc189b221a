/** ha-compliance explain: what a check wants, or what checks say of one object and why. */
import { didYouMean } from '../config/nearest.ts';
import type { Config } from '../config/schema.ts';
import type { AnyCheck } from '../core/check.ts';
import { factKinds } from '../core/fact.ts';
import type { Explanation } from '../core/result.ts';
import { renderExplanation } from '../reports/explanation.ts';
import { configuration } from '../suites/configuration.ts';
import { prepare } from '../suites/context.ts';
import { explain } from '../suites/explain.ts';
import type { ObjectName } from '../suites/object-name.ts';
import { objectName } from '../suites/object-name.ts';
import { settingsOf } from '../suites/settings.ts';
import { allChecks } from '../suites/user-checks.ts';
import { printChecks } from './checks.ts';
import type { Command } from './command.ts';
import { interruption } from './interruption.ts';
import { choice, explainOptions, parse, usage } from './options.ts';
import { pageOfOutput } from './output.ts';
import { progress } from './progress.ts';
import type { RunValues } from './run-config.ts';
import { configOf } from './run-config.ts';

export const command: Command = async (args) => {
  const { values, positionals } = await parse(args, explainOptions);
  const [word, words, ...rest] = positionals;
  if (word === undefined) throw usage('explain: which check, or which suite?');
  if (rest.length > 0) throw usage('explain: one object at a time');
  const format = await choice('format', values.format, explainOptions.format.choices);
  const { format: _, ...target } = values;
  const config = await configured(target);
  const selected = await select(word, config);
  if (words === undefined) {
    printChecks(selected, format);
    return 0;
  }
  const explanation = await explainObject(objectName(words), selected, config);
  process.stdout.write(
    format === 'json'
      ? `${JSON.stringify(explanation, undefined, 2)}\n`
      : renderExplanation(pageOfOutput(), explanation),
  );
  return 0;
};

async function configured(target: RunValues): Promise<Config> {
  const { env } = process;
  const file = await configuration({ path: target.config, env, cwd: process.cwd() });
  return configOf(target, [], file);
}

async function select(word: string, { checkFolders }: Config): Promise<readonly AnyCheck[]> {
  const checks = await allChecks(checkFolders);
  const found = checks.filter(({ id, code, suite }) => [id, code, suite].includes(word));
  if (found.length > 0) return found;
  if (word.includes('/')) throw usage('explain: a check or a suite comes before the object');
  const known = new Set(checks.flatMap(({ id, suite }) => [id, suite]));
  throw usage(`unknown check or suite "${word}"${didYouMean(word, [...known])}`);
}

async function explainObject(
  object: ObjectName,
  selected: readonly AnyCheck[],
  config: Config,
): Promise<Explanation> {
  const { env } = process;
  const settings = settingsOf({
    ...config,
    namespaces: object.namespace === undefined ? [] : [object.namespace],
    // Whoever names an object wants to know of it.
    excludeNamespaces: [],
    suites: [],
    checks: selected.map(({ id }) => id),
    // A second look is for verdicts.
    settleWait: 0,
  });
  const stop = interruption(settings.timeout);
  const line = progress(process.stderr, config.quiet === true);
  try {
    const context = await prepare(settings, {
      env,
      signal: stop.signal,
      now: new Date(),
      onProgress: line.show,
      onNotice: line.say,
      alsoRead: [...factKinds, object.kind],
    });
    try {
      return await explain(object, context);
    } finally {
      await context.close();
    }
  } finally {
    line.clear();
    stop.done();
  }
}
