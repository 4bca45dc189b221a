/** The configuration file of a run, the names of checks and suites in it included. */
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import type { AnyCheck } from '../core/check.ts';
import { KnownError } from '../core/errors.ts';
import { selectChecks } from './select.ts';
import type { Settings } from './settings.ts';
import { allChecks } from './user-checks.ts';

/** Throws KnownError CONFIGURATION with file:line:column. */
export async function configuration(options: Parameters<typeof loadConfig>[0]): Promise<Config> {
  const loaded = await loadConfig(options);
  const { suites = [], checks: ids = [], stages = {}, checkFolders = [] } = loaded.values;
  const all = await allChecks(checkFolders);
  const known = (path: readonly PropertyKey[], named: Named) => demand(all, named, loaded.at(path));
  for (const [i, suite] of suites.entries()) known(['suites', i], { suites: [suite] });
  for (const [i, id] of ids.entries()) known(['checks', i], { checks: [id] });
  for (const [name, stage] of Object.entries(stages)) {
    known(['stages', name], { stages: { [name]: stage } });
  }
  return loaded.values;
}

type Named = Partial<Pick<Settings, 'suites' | 'checks' | 'stages'>>;

function demand(checks: readonly AnyCheck[], named: Named, at: string): void {
  try {
    selectChecks(checks, { suites: [], checks: [], stages: {}, ...named });
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    throw new KnownError('CONFIGURATION', `${at} ${error.message}`, { cause: error });
  }
}
