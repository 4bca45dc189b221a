/** A Service leads somewhere: to pods, and to ports that these have. */
import { defineCheck } from '../../../core/check.ts';
import { finding, kubectlGet } from '../../../core/finding.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import { nearestWorkload } from '../../../core/nearest.ts';
import type { Container, Service } from '../../../core/objects.ts';
import { runningWorkloads } from '../../../core/population.ts';
import type { Finding } from '../../../core/result.ts';
import type { Selection } from '../../../core/selection.ts';
import { isSwitchedOff, selectedContainers, selectionOf } from '../../../core/selection.ts';
import { hasSelector, includes, labelsLike } from '../../../core/selector.ts';
import { ownLabels } from '../../../core/spread.ts';
import { count, labels, names, title } from '../../../core/text.ts';
import { declares } from '../../../core/traffic.ts';
import type { Workload } from '../../../core/workload.ts';

export default defineCheck({
  id: 'service-selection',
  title: 'Services select pods and resolve their ports',
  failureTitle: 'Services select nothing or target ports that do not exist',
  testName: 'Services in ns/<namespace> should select pods by a resolvable port',
  suite: 'services',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    { title: 'Service', url: 'https://kubernetes.io/docs/concepts/services-networking/service/' },
  ],
  requires: [...W, 'services'],
  uses: usesOfW,
  breaks: 'Clients of the Service get no answer now, or from the next rollout on.',
  fix: 'Select labels of the pod template, and name ports that its containers declare.',
  run(artifacts, scope) {
    const { workloads, notes } = runningWorkloads(artifacts, scope);
    const selections = artifacts.services
      .in(scope.namespace)
      .filter(hasSelector)
      .map((service) => selectionOf(service, artifacts, scope));
    const findings = selections.flatMap((selection) => [
      ...unselecting(selection, workloads),
      ...unresolved(selection, selectedContainers(selection, artifacts, scope)),
      ...premature(selection),
    ]);
    const idle = selections.filter(isSwitchedOff).map(offNote);
    return { examined: selections.length, findings, notes: [...notes, ...idle] };
  },
});

function offNote({ service: { kind, metadata }, workloads }: Selection): string {
  return `${title({ kind, ...metadata })}: selects only what is switched off (${titles(workloads)})`;
}

const titles = (workloads: readonly Workload[]) =>
  names(workloads.map(({ kind, name }) => `${kind} ${name}`));

/** Labels that a controller gives to the pods of one revision only. */
const revisionLabels = ['pod-template-hash', 'controller-revision-hash'];

function unselecting(selection: Selection, candidates: readonly Workload[]): readonly Finding[] {
  const { service, selector, pods, workloads } = selection;
  const revision = revisionLabels.find((label) => Object.hasOwn(selector, label));
  if (revision !== undefined) {
    const found = count(pods.length, 'pod');
    const message = `selector contains ${revision} (${found}): empty after the next rollout`;
    return [wrongSelector(service, message, withoutRevision(selection, candidates))];
  }
  if (pods.length + workloads.length > 0) return [];
  const message = `selector ${labels(selector)} matches no pod`;
  const { name: own } = service.metadata;
  const nearest = nearestWorkload({ name: own, labels: selector }, candidates);
  if (!nearest) return [wrongSelector(service, message, undefined)];
  const { kind, name, labels: theirs } = nearest.workload;
  const found = `${kind} ${name} ${labelsLike(theirs, { matchLabels: selector })}`;
  const patch = nearest.isOnly ? towards(selection, nearest.workload) : undefined;
  return [wrongSelector(service, `${message}; nearest: ${found}`, patch)];
}

type Patch = Readonly<Record<string, unknown>> | undefined;

function wrongSelector(service: Service, message: string, patch: Patch): Finding {
  const { namespace = '' } = service.metadata;
  const command = kubectlGet(['pods', '-n', namespace, '--show-labels']);
  return finding(service, { path: 'spec.selector', message, command, patch });
}

/** What is left must still select something. */
function withoutRevision({ selector }: Selection, candidates: readonly Workload[]): Patch {
  const pairs = Object.entries(selector).filter(([label]) => !revisionLabels.includes(label));
  const kept = Object.fromEntries(pairs);
  const isUseful =
    pairs.length > 0 && candidates.some((workload) => includes(workload.labels, kept));
  return isUseful ? replacing(selector, kept) : undefined;
}

function towards({ selector }: Selection, workload: Workload): Patch {
  // What is above a custom workload gives its pods the labels that it wants.
  return workload.source && replacing(selector, ownLabels(workload));
}

type Selector = Selection['selector'];

/** Labels that are not wanted must be named to go. */
function replacing(old: Selector, wanted: Selector): Patch {
  const gone = Object.keys(old).map((label) => [label, null]);
  return { spec: { selector: { ...Object.fromEntries(gone), ...wanted } } };
}

/** A number leads somewhere whether it is declared or not; a name must be found. */
function unresolved(
  { service, ports, pods, workloads }: Selection,
  containers: readonly Container[] | undefined,
): readonly Finding[] {
  if (!containers) return [];
  return ports.flatMap(({ protocol = 'TCP', targetPort: target, port, name = port }) => {
    if (typeof target !== 'string') return [];
    if (containers.some((container) => declares(container, { target, protocol }))) return [];
    const whose =
      pods.length > 0
        ? `none of ${count(pods.length, 'pod')}`
        : `no container of ${titles(workloads)}`;
    // Ports are merged by their number, which TCP and UDP may share.
    const isAlone = ports.filter((other) => other.port === port).length === 1;
    return [
      finding(service, {
        path: `spec.ports[${name}].targetPort`,
        message: `targetPort "${target}" is declared by ${whose}`,
        shows: '{.spec.ports}',
        patch: isAlone ? renamed(port, namesOf(containers, protocol)) : undefined,
      }),
    ];
  });
}

/** The names of the ports that could have been meant. */
function namesOf(containers: readonly Container[], wanted: string): readonly string[] {
  const ports = containers.flatMap((container) => container.ports ?? []);
  const alike = ports.filter(({ protocol = 'TCP' }) => protocol === wanted);
  return [...new Set(alike.flatMap(({ name }) => name ?? []))];
}

function renamed(port: number | undefined, [name, ...others]: readonly string[]): Patch {
  if (name === undefined || others.length > 0) return undefined;
  return { spec: { ports: [{ port, targetPort: name }] } };
}

/** Peers may look for each other before they are ready, by the names of a headless Service. */
function premature({ service }: Selection): readonly Finding[] {
  if (!service.spec?.publishNotReadyAddresses || service.spec.clusterIP === 'None') return [];
  return [
    finding(service, {
      path: 'spec.publishNotReadyAddresses',
      message: 'publishNotReadyAddresses without clusterIP None: unready pods receive traffic',
      shows: '{.spec}',
      patch: { spec: { publishNotReadyAddresses: false } },
    }),
  ];
}
