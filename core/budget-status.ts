/** Whether what the disruption controller says of a budget is about the budget as it is. */
import type { PodDisruptionBudget } from './objects.ts';

type Condition = NonNullable<NonNullable<PodDisruptionBudget['status']>['conditions']>[number];

/** The controller has not seen the present spec. */
export function isBehind({ metadata, status }: PodDisruptionBudget): boolean {
  return (status?.observedGeneration ?? 0) < (metadata.generation ?? 0);
}

/** The controller could not reckon: every other field of the status is what it was before. */
export function syncFailure({ status }: PodDisruptionBudget): Condition | undefined {
  return status?.conditions?.find(
    (condition) =>
      condition.type === 'DisruptionAllowed' &&
      condition.status === 'False' &&
      condition.reason === 'SyncFailed',
  );
}
