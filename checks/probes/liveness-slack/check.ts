/** Liveness is more patient than readiness where both ask the same. */
import { defineCheck } from '../../../core/check.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import type { Probe } from '../../../core/objects.ts';
import { runningWorkloads } from '../../../core/population.ts';
import type { Probeable } from '../../../core/probe.ts';
import {
  detectSeconds,
  handlerOf,
  longestPeriod,
  probeable,
  timingOf,
} from '../../../core/probe.ts';
import { probeFinding } from '../../../core/probe-finding.ts';
import type { Finding } from '../../../core/result.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'liveness-slack',
  title: 'Containers leave the endpoints before liveness restarts them',
  failureTitle: 'Liveness fires no later than readiness',
  testName: 'containers in ns/<namespace> should leave the endpoints before liveness restarts them',
  suite: 'probes',
  scope: 'namespace',
  severity: 'minor',
  stage: 'observe',
  source: [
    {
      title: 'Liveness, Readiness, and Startup Probes',
      url: 'https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/',
    },
  ],
  requires: [...W],
  uses: [...usesOfW],
  perContainer: true,
  breaks:
    'A busy pod is restarted instead of relieved; under load after a node loss the restarts run ' +
    'through all replicas.',
  fix: 'Make liveness several times as patient, or give it an endpoint that does not depend on load.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const pairs = population.workloads.flatMap(pairsOf);
    return { ...population, examined: pairs.length, findings: pairs.flatMap(impatient) };
  },
});

interface Pair extends Probeable {
  readonly workload: Workload;
  readonly liveness: Probe;
  readonly readiness: Probe;
}

function pairsOf(workload: Workload): readonly Pair[] {
  return probeable(workload.spec).flatMap(({ container, list }) => {
    const { livenessProbe: liveness, readinessProbe: readiness } = container;
    return liveness && readiness ? [{ workload, container, list, liveness, readiness }] : [];
  });
}

function impatient(pair: Pair): readonly Finding[] {
  const { workload, container, liveness, readiness } = pair;
  const handler = handlerOf(liveness, container);
  if (handler === undefined || handler !== handlerOf(readiness, container)) return [];
  const [restarts, relieves] = [detectSeconds(liveness), detectSeconds(readiness)];
  if (restarts > relieves) return [];
  const same = liveness.exec ? 'run the same command' : 'probe the same endpoint';
  const when =
    restarts === relieves
      ? `both give up after ${restarts} s`
      : `liveness gives up after ${restarts} s, readiness after ${relieves} s`;
  const failureThreshold = Math.max(patience, failuresBeyond(relieves, liveness));
  return [
    probeFinding(workload, pair, {
      probe: 'liveness',
      message: `liveness and readiness ${same} and ${when}`,
      change: { failureThreshold },
    }),
  ];
}

/** Twice the failures that a probe takes by default. */
const patience = 6;

/** The fewest failures with which a probe takes longer than so many seconds. */
function failuresBeyond(seconds: number, probe: Probe): number {
  const { timeoutSeconds } = timingOf(probe);
  return Math.floor((seconds - timeoutSeconds) / longestPeriod(probe)) + 1;
}
