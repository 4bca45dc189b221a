/** The configuration file of a run, the names of checks and suites in it included. */
import { checks } from '../checks/index.ts';
import type { LoadedConfig } from '../config/load.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { KnownError } from '../core/errors.ts';
import { selectChecks } from './select.ts';
import type { Settings } from './settings.ts';

/** Throws KnownError CONFIGURATION with file:line:column. */
export async function configuration(options: Parameters<typeof loadConfig>[0]): Promise<Config> {
  const loaded = await loadConfig(options);
  const { suites = [], checks: ids = [], stages = {} } = loaded.values;
  for (const [i, suite] of suites.entries()) known(loaded, ['suites', i], { suites: [suite] });
  for (const [i, id] of ids.entries()) known(loaded, ['checks', i], { checks: [id] });
  for (const [name, stage] of Object.entries(stages)) {
    known(loaded, ['stages', name], { stages: { [name]: stage } });
  }
  return loaded.values;
}

function known(
  { at }: LoadedConfig,
  path: readonly PropertyKey[],
  named: Partial<Pick<Settings, 'suites' | 'checks' | 'stages'>>,
): void {
  try {
    selectChecks(checks, { suites: [], checks: [], stages: {}, ...named });
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    throw new KnownError('CONFIGURATION', `${at(path)} ${error.message}`, { cause: error });
  }
}
