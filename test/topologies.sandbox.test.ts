/** What each check says of the same estate on each topology: what is expected depends on it. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'mocha';
import type { Report, Result } from '../core/result.ts';
import type { TopologyName } from '../sandbox/topologies.ts';
import { topologies } from '../sandbox/topologies.ts';
import { up } from '../sandbox/up.ts';
import { command } from './command.ts';
import { golden } from './golden.ts';
import type { Workspace } from './workspace.ts';
import { workspace } from './workspace.ts';

/** On OpenShift the Infrastructure says it, elsewhere the nodes show it. */
const platforms = { kubernetes: false, openshift: true } as const;
type Platform = keyof typeof platforms;

const columns = (Object.keys(platforms) as Platform[]).flatMap((platform) =>
  (Object.keys(topologies) as TopologyName[]).map((topology) => ({ platform, topology })),
);

describe('the small estate', function () {
  this.timeout(30 * 60_000);
  let space: Workspace;
  const reports = new Map<string, Report>();

  before(async () => {
    space = await workspace();
    // The estate is young; what a transient check leaves out for that is to be judged here.
    await space.write('ha-compliance.yaml', 'thresholds: { settle: 0 }\nscope: all\n');
    for (const column of columns) reports.set(nameOf(column), await reportOn(column));
  });
  after(() => space?.remove());

  const nameOf = ({ platform, topology }: (typeof columns)[number]) => `${platform} ${topology}`;

  async function reportOn(column: (typeof columns)[number]): Promise<Report> {
    const { platform, topology } = column;
    const name = `table-${platform}-${topology}`;
    await using sandbox = await up({
      name,
      topology,
      estate: 'small',
      openshift: platforms[platform],
    });
    const { kubeconfig } = sandbox.files;
    const args = ['run', '--kubeconfig', kubeconfig, '--settle-wait', '0', '--out', name, '-q'];
    await command(args, { cwd: space.path });
    return JSON.parse(readFileSync(space.at(`${name}/report.json`), 'utf8'));
  }

  for (const column of columns) {
    it(`is known to be on ${nameOf(column)}`, () => {
      const { topology } = reports.get(nameOf(column)) ?? {};
      assert.ok(topology !== undefined && topology !== 'unknown');
      const { controlPlane, workers } = topologies[column.topology].infrastructure;
      assert.deepEqual(
        [topology.controlPlaneTopology, topology.infrastructureTopology],
        [controlPlane, workers],
      );
      const source = column.platform === 'openshift' ? 'Infrastructure' : 'nodes';
      assert.equal(topology.source, source);
    });
  }

  it('is expected to be what its topology allows', () => {
    const checks = [
      ...new Set([...reports.values()].flatMap(({ results }) => results.map(({ check }) => check))),
    ];
    const tables = (Object.keys(platforms) as Platform[]).map((platform) => {
      const own = columns.filter((column) => column.platform === platform);
      const rows = checks
        .toSorted()
        .map((check) => [check, ...own.map((column) => cell(reports.get(nameOf(column)), check))]);
      return `${platform}\n${table([['check', ...own.map(({ topology }) => topology)], ...rows])}`;
    });
    return golden('topologies.txt', tables.join('\n'));
  });
});

/** The estate asks for different nodes: whether these are in different zones, the scheduler decides. */
const byChance = 'replicas-span-zones';

/** Of the estate's own namespaces and of the cluster: findings, or why there are none. */
function cell(report: Report | undefined, check: string): string {
  const own = (report?.results ?? []).filter(
    (result) =>
      result.check === check &&
      (result.namespace === undefined || ['kiosk', 'telemetry'].includes(result.namespace)),
  );
  const findings = own.flatMap((result) => result.findings).length;
  const said = [...new Set(own.map(word))];
  if (check === byChance && said.includes('pass')) return 'as scheduled';
  if (findings > 0) return String(findings);
  return said.includes('pass') ? 'pass' : (said[0] ?? '-');
}

function word({ verdict, reason = '', cause }: Result): string {
  if (verdict === 'pass' || verdict === 'flake' || verdict === 'fail') return 'pass';
  if (verdict === 'error') return `error ${cause}`;
  return reason.startsWith('topology')
    ? 'topology'
    : reason.replace(/^not served: .*/, 'not served');
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map(
      (row) =>
        `${row
          .map((text, column) => text.padEnd(widths?.[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
