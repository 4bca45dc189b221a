/** An autoscaler has something to scale, for itself alone, and room to do it. */
import { isYoung } from '../../../core/age.ts';
import type { Scaler, ScalerArtifacts } from '../../../core/autoscaler.ts';
import {
  ceilingOf,
  floorOf,
  isFrozen,
  isKedas,
  isScaledObject,
  scalerFloor,
  targetOf,
  targets,
} from '../../../core/autoscaler.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding, kubectlGet } from '../../../core/finding.ts';
import { A, usesOfA, usesOfW, W } from '../../../core/kinds.ts';
import type { HorizontalPodAutoscaler } from '../../../core/objects.ts';
import { groupOf } from '../../../core/owner.ts';
import type { Finding } from '../../../core/result.ts';
import type { WrongTarget } from '../../../core/scale-target.ts';
import { faultOf } from '../../../core/scale-target.ts';
import type { Scope } from '../../../core/scope.ts';
import { names, title } from '../../../core/text.ts';
import type { Workload } from '../../../core/workload.ts';
import { workloadsOf } from '../../../core/workload.ts';
import { declaredReplicas } from '../../../core/workload-source.ts';

export default defineCheck({
  id: 'autoscaler-wiring',
  title: 'Autoscalers act on one existing workload and can grow',
  failureTitle: 'Autoscalers are dangling, rivalling or stuck',
  testName: 'autoscalers in ns/<namespace> should scale an existing workload without rivals',
  suite: 'redundancy',
  scope: 'namespace',
  severity: 'major',
  stage: 'flake',
  source: [
    {
      title: 'Horizontal Pod Autoscaling',
      url: 'https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/',
    },
  ],
  requires: [...W, ...A],
  uses: [...usesOfW, ...usesOfA],
  breaks:
    'After a node loss nobody adds the missing capacity. Two scalers block each other, and bounds ' +
    'that do not overlap set the count to and fro.',
  fix: 'Name one existing workload, keep one autoscaler for it, and leave replicas to that.',
  run(artifacts, scope) {
    const { all } = workloadsOf(artifacts, scope);
    const hpas = artifacts.horizontalPodAutoscalers.in(scope.namespace);
    const scalers: readonly Scaler[] = [
      ...hpas.filter((hpa) => !isKedas(hpa)),
      ...(artifacts.scaledObjects?.in(scope.namespace) ?? []),
    ];
    const findings: Finding[] = all.flatMap((workload) => resetting(workload, artifacts, scope));
    const notes: string[] = [];
    let examined = 0;
    for (const scaler of scalers) {
      const workload = all.find((candidate) => targets(targetOf(scaler), candidate));
      if (workload && isInert(scaler, workload)) {
        notes.push(`${titleOf(scaler)}: inert while ${title(workload)} is switched off`);
        continue;
      }
      examined += 1;
      const fault = faultOf(targetOf(scaler), artifacts, scope);
      if (fault?.kind === 'wrong') {
        findings.push(dangling(scaler, fault));
        continue;
      }
      if (fault) notes.push(`${titleOf(scaler)}: ${fault.message}`);
      const rivals = scalers.filter((other) => other !== scaler && areRivals(other, scaler));
      findings.push(...(rivals.length > 0 ? [rivalling(scaler, rivals)] : []), ...stuck(scaler));
      // KEDA scales through an HPA, whose conditions tell for both.
      const acting = isScaledObject(scaler)
        ? hpas.filter((hpa) => isKedas(hpa, scaler.metadata.name))
        : [scaler];
      if (rivals.length === 0) findings.push(...acting.flatMap((hpa) => idle(hpa, scaler, scope)));
      notes.push(...remarks(scaler, acting));
    }
    return { examined, findings, notes };
  },
});

const titleOf = ({ kind, metadata }: Scaler) => title({ kind, ...metadata });
const shortTitle = (scaler: Scaler) =>
  `${isScaledObject(scaler) ? 'ScaledObject' : 'HPA'} ${scaler.metadata.name}`;

/** An HPA leaves alone what somebody set to zero. KEDA does not: it starts from there. */
function isInert(scaler: Scaler, { replicas }: Workload): boolean {
  return replicas === 0 && !isScaledObject(scaler) && scaler.spec?.minReplicas !== 0;
}

function areRivals(one: Scaler, other: Scaler): boolean {
  const [a, b] = [targetOf(one), targetOf(other)];
  return groupOf(a.apiVersion) === groupOf(b.apiVersion) && a.kind === b.kind && a.name === b.name;
}

/** In a manifest a number is somebody's; of a stored one nobody knows whether the scaler wrote it. */
function resetting(
  workload: Workload,
  artifacts: ScalerArtifacts,
  scope: Scope,
): readonly Finding[] {
  const replicas = declaredReplicas(workload.source);
  const { scaler, replicas: floor } = floorOf(workload, artifacts, scope);
  if (!workload.isManifest || !scaler || replicas === undefined) return [];
  if (isInert(scaler, workload)) return [];
  const becomes = replicas < ceilingOf(scaler) ? 'cuts' : 'sets';
  return [
    finding(workload, {
      path: 'spec.replicas',
      message:
        `sets replicas ${replicas} beside ${shortTitle(scaler)} (min ${floor}): ` +
        `each apply ${becomes} it to ${replicas}`,
      shows: '{.spec.replicas}',
    }),
  ];
}

function dangling(scaler: Scaler, { message, right }: WrongTarget): Finding {
  return finding(scaler, {
    path: 'spec.scaleTargetRef',
    message,
    shows: '{.spec.scaleTargetRef}',
    patch: right && { spec: { scaleTargetRef: right } },
  });
}

function rivalling(scaler: Scaler, rivals: readonly Scaler[]): Finding {
  const { namespace = '' } = scaler.metadata;
  return finding(scaler, {
    path: 'spec.scaleTargetRef',
    message: `also scaled by ${names(rivals.map(shortTitle))}`,
    command: kubectlGet(['hpa', '-n', namespace, '-o', 'wide']),
  });
}

/** No room between the bounds, unless the lower one is zero: to and from there KEDA scales, too. */
function stuck(scaler: Scaler): readonly Finding[] {
  const floor = scalerFloor(scaler, 0);
  const ceiling = ceilingOf(scaler);
  if (isFrozen(floor) || floor.replicas < 1 || ceiling > floor.replicas) return [];
  const maximum = isScaledObject(scaler) ? 'maxReplicaCount' : 'maxReplicas';
  const minimum = floor.path.replace('spec.', '');
  const relation = ceiling === floor.replicas ? '=' : '>';
  return [
    finding(scaler, {
      path: `spec.${maximum}`,
      message: `cannot grow: ${minimum} ${floor.replicas} ${relation} ${maximum} ${ceiling}`,
      shows: '{.spec}',
    }),
  ];
}

/** What its controller says of an HPA: it could not be read or set, or metrics are missing. */
function idle(hpa: HorizontalPodAutoscaler, scaler: Scaler, scope: Scope): readonly Finding[] {
  const failing = (hpa.status?.conditions ?? []).filter(
    ({ type, status, reason }) =>
      status === 'False' &&
      (type === 'AbleToScale' || (type === 'ScalingActive' && reason !== 'ScalingDisabled')),
  );
  if (failing.length === 0 || isYoung(hpa, scope)) return [];
  const { name, namespace = '' } = hpa.metadata;
  const shows = 'jsonpath={.status.conditions}';
  const reasons = failing.map(({ type, reason }) => reason ?? `${type} False`);
  return [
    finding(scaler, {
      path: 'status.conditions',
      message: `not scaling: ${names(reasons)}`,
      command: kubectlGet(['hpa', name, '-n', namespace, '-o', shows]),
      transient: true,
    }),
  ];
}

function remarks(scaler: Scaler, acting: readonly HorizontalPodAutoscaler[]): readonly string[] {
  const floor = scalerFloor(scaler, 0);
  const frozen = isFrozen(floor) ? [`${titleOf(scaler)}: frozen (${floor.found})`] : [];
  // The old version has no conditions in its status.
  const mute = acting.filter(
    ({ apiVersion, metadata }) => apiVersion === 'autoscaling/v1' && metadata.uid !== undefined,
  );
  return [...frozen, ...mute.map((hpa) => `${titleOf(hpa)}: ${hpa.apiVersion} has no conditions`)];
}
