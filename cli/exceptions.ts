/** ha-compliance exceptions: what is done with files of accepted deviations. */
import { checks } from '../checks/index.ts';
import { loadConfig } from '../config/load.ts';
import { didYouMean } from '../config/nearest.ts';
import { count } from '../core/text.ts';
import type { Exception } from '../exceptions/exception.ts';
import { loadExceptions } from '../exceptions/load.ts';
import { shippedExceptions } from '../exceptions/shipped.ts';
import type { Command } from './command.ts';
import { choice, lintOptions, parse, usage } from './options.ts';

const commands: Readonly<Record<string, Command>> = { lint };

export const command: Command = async ([name, ...args]) => {
  if (name === undefined)
    throw usage('exceptions: which command? See ha-compliance exceptions --help');
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (found) return found(args);
  throw usage(`unknown command "exceptions ${name}"${didYouMean(name, Object.keys(commands))}`);
};

/** Throws the errors of all files at once. */
async function lint(args: readonly string[]): Promise<number> {
  const { values, positionals } = await parse(args, lintOptions);
  const format = await choice('format', values.format, lintOptions.format.choices);
  const files = positionals.length > 0 ? positionals : await usedFiles(values.config);
  const exceptions = await loadExceptions(files, { checks });
  if (format === 'json') {
    process.stdout.write(`${JSON.stringify(exceptions.map(written), null, 2)}\n`);
    return 0;
  }
  process.stdout.write(
    `${count(files.length, 'file')}, ${count(exceptions.length, 'exception')}: valid\n`,
  );
  return 0;
}

/** Patterns as their text: what matching makes of them is no business of a reader. */
function written(exception: Exception) {
  const { namePattern, namespacePattern } = exception;
  return {
    ...exception,
    ...(namePattern && { namePattern: namePattern.text }),
    ...(namespacePattern && { namespacePattern: namespacePattern.text }),
  };
}

async function usedFiles(config: string | undefined) {
  const { values } = await loadConfig({ path: config, env: process.env, cwd: process.cwd() });
  const shipped = (['kubernetes', 'openshift', 'sandbox'] as const).map(shippedExceptions);
  return [...shipped, ...(values.exceptions ?? [])];
}
