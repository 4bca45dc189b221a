/** What the eviction API answers for one pod, by the status of the budgets that select it. */
import type { Pod, PodDisruptionBudget } from './objects.ts';
import { isReady, isTerminal, isTerminating } from './pods.ts';
import { budgetSelects } from './selector.ts';

/** The answers, by what they mean; 429 may be another one a moment later. */
export const evictionStatus = {
  allowed: 201,
  'not now': 429,
  'too many disrupted pods': 403,
  'several budgets': 500,
} as const;
type EvictionAnswer = keyof typeof evictionStatus;

export interface Eviction {
  readonly answer: EvictionAnswer;
  /** Those that select the pod, where it is they that decide. */
  readonly budgets: readonly PodDisruptionBudget[];
}

/** The API server takes no eviction beyond this many that are under way. */
const mostDisrupted = 2000;

/** As the API server decides; `budgets` are those of the pod's namespace. */
export function evictionOf(pod: Pod, budgets: readonly PodDisruptionBudget[]): Eviction {
  // Nothing that serves is lost: no budget is asked.
  if (isTerminal(pod) || isTerminating(pod) || pod.status?.phase === 'Pending') {
    return { answer: 'allowed', budgets: [] };
  }
  const own = budgets.filter((budget) => budgetSelects(budget, pod.metadata.labels));
  const [budget] = own;
  if (!budget) return { answer: 'allowed', budgets: [] };
  if (own.length > 1) return { answer: 'several budgets', budgets: own };
  if (!isReady(pod) && goesUnready(budget)) return { answer: 'allowed', budgets: own };
  return { answer: grant(budget), budgets: own };
}

/** Whether an unready pod goes without using the budget up. */
function goesUnready({ spec = {}, status = {} }: PodDisruptionBudget): boolean {
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status;
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

function grant({ metadata, status = {} }: PodDisruptionBudget): EvictionAnswer {
  const { observedGeneration = 0, disruptedPods = {}, disruptionsAllowed = 0 } = status;
  if (observedGeneration < (metadata.generation ?? 0)) return 'not now';
  if (Object.keys(disruptedPods).length > mostDisrupted) return 'too many disrupted pods';
  return disruptionsAllowed > 0 ? 'allowed' : 'not now';
}
