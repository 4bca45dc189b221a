/** How a run's JUnit file is called, and which files of earlier runs it replaces: two would merge into flakes. */

/** `junit_ha_compliance__<YYYYMMDD-HHMMSS>.xml`, UTC; it belongs into the folder `junit` below --out. */
export function junitFileName(startedAt: Date | string): string {
  const [date = '', time = ''] = new Date(startedAt).toISOString().split('T');
  return `junit_ha_compliance__${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}.xml`;
}

/** Of the names in that folder those that a run removes before it writes its own. */
export function olderJunitFiles(names: readonly string[]): readonly string[] {
  return names.filter((name) => /^junit_ha_compliance__\d{8}-\d{6}\.xml$/.test(name));
}
