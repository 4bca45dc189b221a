/** Probes notice a failure in time, and are not so tight that load looks like one. */
import { defineCheck } from '../../../core/check.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import type { Container } from '../../../core/objects.ts';
import { runningWorkloads } from '../../../core/population.ts';
import type { NamedProbe } from '../../../core/probe.ts';
import {
  detectSeconds,
  longestPeriod,
  probeable,
  probesOf,
  startBudget,
  timingOf,
} from '../../../core/probe.ts';
import { probeFinding } from '../../../core/probe-finding.ts';
import type { Thresholds } from '../../../core/thresholds.ts';

export default defineCheck({
  id: 'probe-timing',
  title: 'Probe timings are within bounds',
  failureTitle: 'Probe timings hide failures or cause restarts',
  testName: 'containers in ns/<namespace> should have probe timings within bounds',
  suite: 'probes',
  scope: 'namespace',
  severity: 'minor',
  stage: 'observe',
  source: [
    {
      title: 'Configure Liveness, Readiness and Startup Probes',
      url: 'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/',
    },
  ],
  requires: [...W],
  uses: [...usesOfW],
  perContainer: true,
  breaks:
    'Too slow: clients keep reaching a dead replica. Too tight: restarts in the very moment when ' +
    'nodes are under load.',
  fix: 'Let readiness give up within a minute, and liveness only after several failed runs.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const containers = population.workloads.flatMap((workload) =>
      probeable(workload.spec)
        .filter(({ container }) => probesOf(container).length > 0)
        .map((place) => ({ workload, place })),
    );
    const findings = containers.flatMap(({ workload, place }) =>
      defectsOf(place.container, scope.cluster.thresholds).map((defect) =>
        probeFinding(workload, place, defect),
      ),
    );
    return { ...population, examined: containers.length, findings };
  },
});

interface Defect {
  readonly field: string;
  readonly message: string;
}

type Rule = (named: NamedProbe, container: Container, limits: Thresholds) => Defect | undefined;

function defectsOf(container: Container, limits: Thresholds) {
  return probesOf(container).flatMap((named) =>
    rules.flatMap((rule) => {
      const defect = rule(named, container, limits);
      return defect ? [{ ...defect, probe: named.name, change: cure(named, limits) }] : [];
    }),
  );
}

const slow: Rule = ({ name, probe }, _, { readinessDetectMax, livenessDetectMax }) => {
  if (name === 'startup') return undefined;
  const limit = name === 'readiness' ? readinessDetectMax : livenessDetectMax;
  const seconds = detectSeconds(probe);
  if (seconds <= limit) return undefined;
  const { failureThreshold, timeoutSeconds } = timingOf(probe);
  const sum = `${failureThreshold} × ${longestPeriod(probe)} s + ${timeoutSeconds} s`;
  const message = `${name} gives up after ${seconds} s (${sum}); at most ${limit} s`;
  return { field: 'failureThreshold', message };
};

/** Runs are serial: the real period is the timeout then. */
const overlapping: Rule = ({ name, probe }) => {
  const { periodSeconds, timeoutSeconds } = timingOf(probe);
  if (timeoutSeconds < periodSeconds) return undefined;
  const message = `${name} timeout ${timeoutSeconds} s ≥ period ${periodSeconds} s`;
  return { field: 'timeoutSeconds', message };
};

/** Each run starts a process in the container. */
const costly: Rule = ({ name, probe }, _, { execPeriodMin }) => {
  const { periodSeconds } = timingOf(probe);
  if (!probe.exec || periodSeconds >= execPeriodMin) return undefined;
  const message = `${name} exec probe every ${periodSeconds} s; at most every ${execPeriodMin} s`;
  return { field: 'periodSeconds', message };
};

/** One run that was late, and half a minute was not waited for a second. */
const rash: Rule = ({ name, probe }) => {
  const { failureThreshold, periodSeconds } = timingOf(probe);
  if (name !== 'liveness' || failureThreshold > 1 || periodSeconds >= 30) return undefined;
  const message = 'one failed liveness run restarts the container; needs 2, or a period of 30 s';
  return { field: 'failureThreshold', message };
};

/** A startup probe that gives up restarts the container as well, with liveness or without. */
const hurried: Rule = ({ name }, container, { startBudgetMin }) => {
  if (name !== (container.startupProbe ? 'startup' : 'liveness')) return undefined;
  const seconds = startBudget(container);
  if (seconds >= startBudgetMin) return undefined;
  const message = `start budget ${seconds} s; at least ${startBudgetMin} s`;
  return { field: 'failureThreshold', message };
};

const rules = [slow, overlapping, costly, rash, hurried];

/** How slowly a container may start or recover is not written down: only readiness gets numbers. */
function cure({ name, probe }: NamedProbe, { execPeriodMin }: Thresholds) {
  if (name !== 'readiness') return undefined;
  const periodSeconds = probe.exec ? execPeriodMin : 5;
  return { periodSeconds, timeoutSeconds: 2, failureThreshold: 3 };
}
