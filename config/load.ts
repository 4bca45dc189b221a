/** Finds and reads the configuration of a run. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { accepted, place } from './problems.ts';
import { readYaml } from './read-yaml.ts';
import type { Config } from './schema.ts';
import { configSchema } from './schema.ts';

export interface LoadedConfig {
  /** Absent where there is no configuration file. */
  readonly file?: string;
  /** Paths in it are relative to the working directory, durations are milliseconds. */
  readonly values: Config;
  /** `file:line:column` of a value, for what only its user can judge, such as the name of a check. */
  at(path: readonly PropertyKey[]): string;
}

const defaultFile = 'ha-compliance.yaml';

/** The file is `path`, else HA_COMPLIANCE_CONFIG, else ./ha-compliance.yaml if there is one. */
export async function loadConfig(options: {
  readonly path?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}): Promise<LoadedConfig> {
  const named = options.path ?? (options.env['HA_COMPLIANCE_CONFIG'] || undefined);
  const name = named ?? defaultFile;
  const path = resolve(options.cwd, name);
  if (named === undefined && !existsSync(path)) return { values: {}, at: () => 'no configuration' };
  const read = await readYaml({ path, name }, { schema: configSchema, empty: {} });
  const { value, document } = accepted('CONFIGURATION', read);
  return {
    file: name,
    values: fromWorkingDirectory(value, dirname(name)),
    at: (steps) => place(name, document.positionOf(steps)),
  };
}

/** Paths are written relative to the file that holds them, as in a kubeconfig. */
function fromWorkingDirectory(values: Config, folder: string): Config {
  const { kubeconfig, from, checkFolders, exceptions, out, record } = values;
  const moved = (path: string) => (path === '-' || isAbsolute(path) ? path : join(folder, path));
  return {
    ...values,
    ...(kubeconfig !== undefined && { kubeconfig: moved(kubeconfig) }),
    ...(from && { from: from.map(moved) }),
    ...(checkFolders && { checkFolders: checkFolders.map(moved) }),
    ...(exceptions && { exceptions: exceptions.map(moved) }),
    ...(out !== undefined && { out: moved(out) }),
    ...(record !== undefined && { record: moved(record) }),
  };
}
