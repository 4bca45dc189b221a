/** Whether pods are done, and the objects that count pods: budgets and Services. */
import { z } from 'zod';
import { conditionOf, isReady, type LiveObject } from './objects.ts';

export function podLacks(pod: LiveObject): string | undefined {
  if (pod.metadata.deletionTimestamp !== undefined) return 'is terminating';
  // Those of a controller are judged with it.
  if (pod.metadata.ownerReferences.some(({ controller, kind }) => controller && kind !== 'Node')) {
    return undefined;
  }
  return isReady(pod) || pod.status.phase === 'Succeeded' ? undefined : 'is not ready';
}

export function budgetLacks(
  budget: LiveObject,
  budgets: readonly LiveObject[],
  pods: readonly LiveObject[],
): string | undefined {
  // The answer to a budget that cannot be computed; such a budget is never marked as observed.
  if (conditionOf(budget, 'DisruptionAllowed')?.reason === 'SyncFailed') return undefined;
  if (budget.status.observedGeneration < budget.metadata.generation) return 'is not observed';
  const selected = podsOf(budget, pods);
  // Of several budgets on one pod, the controller keeps an arbitrary one up to date.
  const others = budgets.filter((other) => other !== budget);
  const shared = others.flatMap((other) => podsOf(other, pods));
  if (selected.some((pod) => shared.includes(pod))) return undefined;
  return countDiffers(budget.status.currentHealthy, selected.filter(isReady).length);
}

export function serviceLacks(
  service: LiveObject,
  pods: readonly LiveObject[],
  slices: readonly LiveObject[],
): string | undefined {
  const { selector, publishNotReadyAddresses = false } = service.spec;
  const labels = labelsSchema.safeParse(selector);
  if (!labels.success || Object.keys(labels.data).length === 0) return undefined;
  const expected = inNamespaceOf(service, pods).filter(
    (pod) =>
      matchesLabels(labels.data, pod.metadata.labels) &&
      pod.status.podIP !== undefined &&
      (pod.status.phase === 'Running' || pod.status.phase === 'Pending') &&
      (isReady(pod) || publishNotReadyAddresses),
  );
  const own = inNamespaceOf(service, slices).filter(
    ({ metadata }) => metadata.labels['kubernetes.io/service-name'] === service.metadata.name,
  );
  const endpoints = own
    .flatMap((slice) => slice.endpoints)
    .filter(({ conditions }) => conditions.ready !== false)
    .map(({ targetRef }) => targetRef?.uid);
  return countDiffers(new Set(endpoints).size, expected.length);
}

function podsOf(budget: LiveObject, pods: readonly LiveObject[]): readonly LiveObject[] {
  return inNamespaceOf(budget, pods).filter((pod) =>
    matchesSelector(budget.spec.selector, pod.metadata.labels),
  );
}

function inNamespaceOf(owner: LiveObject, objects: readonly LiveObject[]): readonly LiveObject[] {
  return objects.filter(({ metadata }) => metadata.namespace === owner.metadata.namespace);
}

function countDiffers(found: number, expected: number): string | undefined {
  return found === expected ? undefined : `counts ${found} ready pods, not ${expected}`;
}

const labelsSchema = z.record(z.string(), z.string());

const selectorSchema = z.looseObject({
  matchLabels: labelsSchema.default({}),
  matchExpressions: z
    .array(
      z.looseObject({
        key: z.string(),
        operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
        values: z.array(z.string()).default([]),
      }),
    )
    .default([]),
});

/** A selector that is absent matches nothing, an empty one everything. */
function matchesSelector(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  if (selector === undefined) return false;
  const { matchLabels, matchExpressions } = selectorSchema.parse(selector);
  return (
    matchesLabels(matchLabels, labels) &&
    matchExpressions.every(({ key, operator, values }) => {
      const value = labels[key];
      switch (operator) {
        case 'In':
          return value !== undefined && values.includes(value);
        case 'NotIn':
          return value === undefined || !values.includes(value);
        case 'Exists':
          return value !== undefined;
        case 'DoesNotExist':
          return value === undefined;
        default:
          return operator satisfies never;
      }
    })
  );
}

function matchesLabels(
  wanted: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(wanted).every(([key, value]) => labels[key] === value);
}
