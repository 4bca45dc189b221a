/** ha-compliance explain: what a check wants, or what checks say of one object and why. */

import { checks, suites } from '../checks/index.ts';
import { didYouMean } from '../config/nearest.ts';
import { factKinds } from '../core/object-facts.ts';
import { renderExplanation } from '../reports/explanation.ts';
import { pageOf } from '../reports/page.ts';
import { configuration } from '../suites/configuration.ts';
import { prepare } from '../suites/context.ts';
import { explain, objectName } from '../suites/explain.ts';
import { settingsOf } from '../suites/settings.ts';
import { printCheck } from './checks.ts';
import type { Command } from './command.ts';
import { interruption } from './interruption.ts';
import { choice, explainOptions, parse, usage } from './options.ts';
import { progress } from './progress.ts';
import { configOf } from './run-config.ts';

export const command: Command = async (args) => {
  const { values, positionals } = await parse(args, explainOptions);
  const [word, words, ...rest] = positionals;
  if (word === undefined) throw usage('explain: which check, or which suite?');
  if (rest.length > 0) throw usage('explain: one object at a time');
  const format = await choice('format', values.format, explainOptions.format.choices);
  const selected = select(word);
  if (words === undefined) {
    for (const check of selected) printCheck(check);
    return 0;
  }
  const object = objectName(words);
  const { env } = process;
  const file = await configuration({ path: values.config, env, cwd: process.cwd() });
  const { format: _, ...target } = values;
  const config = await configOf(target, [], file);
  const settings = settingsOf({
    ...config,
    namespaces: object.namespace === undefined ? [] : [object.namespace],
    excludeNamespaces: [],
    suites: [],
    checks: selected.map(({ id }) => id),
    record: undefined,
    // A second look is for verdicts.
    settleWait: 0,
  });
  const stop = interruption(settings.timeout);
  const line = progress(process.stderr, values.quiet === true);
  try {
    const context = await prepare(settings, {
      env,
      signal: stop.signal,
      now: new Date(),
      onProgress: line.show,
      onNotice: line.say,
      alsoRead: [...factKinds, object.kind],
    });
    const explanation = await explain(object, context);
    await context.close();
    line.clear();
    const { stdout } = process;
    if (format === 'json') stdout.write(`${JSON.stringify(explanation, null, 2)}\n`);
    else {
      const columns = Math.min(stdout.columns ?? 80, 120);
      stdout.write(
        renderExplanation(pageOf(columns, stdout.isTTY && stdout.hasColors()), explanation),
      );
    }
    return 0;
  } finally {
    line.clear();
    stop.done();
  }
};

function select(word: string) {
  const found = checks.filter(({ id, code, suite }) => [id, code, suite].includes(word));
  if (found.length > 0) return found;
  const known = [...checks.map(({ id }) => id), ...suites];
  throw usage(`unknown check or suite "${word}"${didYouMean(word, known)}`);
}
