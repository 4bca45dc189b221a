/** The name of a port that a probe calls is one of its container. */
import { defineCheck } from '../../../core/check.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import type { Container } from '../../../core/objects.ts';
import { runningWorkloads } from '../../../core/population.ts';
import type { NamedProbe, Probeable } from '../../../core/probe.ts';
import { probeable, probesOf, resolvePort } from '../../../core/probe.ts';
import { probeFinding } from '../../../core/probe-finding.ts';
import type { Finding } from '../../../core/result.ts';
import { names, title } from '../../../core/text.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'probe-targets',
  title: 'Probes reach a port that exists',
  failureTitle: 'Probes name a port that does not exist',
  testName: 'probes in ns/<namespace> should reach a declared port',
  suite: 'probes',
  scope: 'namespace',
  severity: 'critical',
  stage: 'flake',
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
    'The kubelet cannot resolve the name and never gets a result: without readiness or startup the ' +
    'pod never becomes ready, without liveness a hung process is never restarted.',
  fix: 'Name a port that the same container declares, or give its number.',
  run(artifacts, scope) {
    const population = runningWorkloads(artifacts, scope);
    const calls = population.workloads.flatMap(callsOf);
    const notes = calls.flatMap(undeclared);
    return {
      examined: calls.length,
      findings: calls.flatMap(unresolvable),
      notes: [...population.notes, ...notes],
    };
  },
});

interface Call extends Probeable {
  readonly workload: Workload;
  readonly probe: NamedProbe['name'];
  readonly type: 'httpGet' | 'tcpSocket';
  readonly port: number | string;
}

/** What probes call by a port; that of gRPC is always a number. */
function callsOf(workload: Workload): readonly Call[] {
  return probeable(workload.spec).flatMap((place) =>
    probesOf(place.container).flatMap(({ name, probe: { httpGet, tcpSocket } }) => {
      const type = httpGet ? 'httpGet' : 'tcpSocket';
      const port = resolvePort((httpGet ?? tcpSocket)?.port, place.container);
      return port === undefined ? [] : [{ ...place, workload, probe: name, type, port } as const];
    }),
  );
}

function unresolvable({ workload, probe, type, port, ...place }: Call): readonly Finding[] {
  if (typeof port === 'number') return [];
  const { ports = [] } = place.container;
  const named = ports.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const declared = named.length > 0 ? names(named) : 'no port by name';
  const right = onlyPort(place.container);
  return [
    probeFinding(workload, place, {
      probe,
      field: `${type}.port`,
      message: `${probe} probe uses port "${port}"; the container declares ${declared}`,
      change: right === undefined ? undefined : { [type]: { port: right } },
    }),
  ];
}

/** The one that must be meant. */
function onlyPort({ ports = [] }: Container): number | string | undefined {
  const [first, ...others] = ports.filter(({ protocol = 'TCP' }) => protocol === 'TCP');
  return others.length > 0 ? undefined : (first?.name ?? first?.containerPort);
}

/** Legal, the list of ports only informs: and yet the number may be an old one. */
function undeclared({ workload, probe, port, container }: Call): readonly string[] {
  const known = probeable(workload.spec).flatMap((place) => place.container.ports ?? []);
  if (typeof port === 'string' || known.some(({ containerPort }) => containerPort === port)) {
    return [];
  }
  return [
    `${title(workload)}: ${probe} probe of container ${container.name} uses port ${port}, ` +
      'which no container declares',
  ];
}
