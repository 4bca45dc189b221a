/** A budget guards something: its selector fits pods, or what will make some. */
import type { BudgetArtifacts } from '../../../core/budget.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { usesOfW, W } from '../../../core/kinds.ts';
import type { Nearest } from '../../../core/nearest.ts';
import { nearestWorkload } from '../../../core/nearest.ts';
import type { LabelSelector, PodDisruptionBudget } from '../../../core/objects.ts';
import { isCounted, isTerminating } from '../../../core/pods.ts';
import type { Scope } from '../../../core/scope.ts';
import {
  budgetSelects,
  isEmpty,
  isValid,
  labelsLike,
  selectorText,
} from '../../../core/selector.ts';
import { ownLabels } from '../../../core/spread.ts';
import { title } from '../../../core/text.ts';
import type { Workload } from '../../../core/workload.ts';
import { workloadsOf } from '../../../core/workload.ts';

export default defineCheck({
  id: 'pdb-selects-pods',
  title: 'Every budget selects pods',
  failureTitle: 'A budget selects nothing',
  testName: 'PodDisruptionBudgets in ns/<namespace> should select pods',
  suite: 'disruption',
  scope: 'namespace',
  severity: 'minor',
  stage: 'flake',
  source: [
    {
      title: 'Specifying a Disruption Budget for your Application',
      url: 'https://kubernetes.io/docs/tasks/run-application/configure-pdb/#specifying-a-poddisruptionbudget',
    },
  ],
  requires: [...W, 'podDisruptionBudgets'],
  uses: [...usesOfW],
  breaks: 'Someone believes the workload is protected; it is not.',
  fix: 'Let the selector of the budget ask for labels that the pods have, or delete the budget.',
  run(artifacts, scope) {
    const budgets = artifacts.podDisruptionBudgets.in(scope.namespace);
    const { all, of, notes } = workloadsOf(artifacts, scope);
    const living = artifacts.pods
      .in(scope.namespace)
      .filter((pod) => isCounted(pod) || (isTerminating(pod) && isCustom(of(pod))));
    // What is switched off, and what changes its labels in this rollout, will have pods.
    const labels = [...all.map((own) => own.labels), ...living.map((pod) => pod.metadata.labels)];
    const findings = budgets
      .filter((budget) => !labels.some((own) => budgetSelects(budget, own)))
      .map((budget) =>
        finding(budget, {
          path: 'spec.selector',
          shows: '{.spec.selector}',
          ...explanation(budget, artifacts, scope),
        }),
      );
    return { examined: budgets.length, findings, notes };
  },
});

/** What is above it makes another pod in a moment, and only the old one shows the template. */
const isCustom = (workload: Workload | undefined) => workload !== undefined && !workload.source;

function explanation(budget: PodDisruptionBudget, artifacts: BudgetArtifacts, scope: Scope) {
  const { apiVersion, metadata, spec = {} } = budget;
  const { selector } = spec;
  const text = selectorText(selector);
  if (!selector) {
    return { message: `selector ${text}: a ${apiVersion} budget without selector matches nothing` };
  }
  if (!isValid(selector)) return { message: `selector ${text} is invalid: it matches nothing` };
  if (isEmpty(selector) && apiVersion === 'policy/v1beta1') {
    return { message: `selector ${text}: an empty one of ${apiVersion} matches nothing` };
  }
  const left = artifacts.pods
    .in(scope.namespace)
    .filter((pod) => budgetSelects(budget, pod.metadata.labels)).length;
  const except = left > 0 ? ` but ${left} finished, terminating or static` : '';
  const { name } = metadata;
  const nearest = nearestWorkload(
    { name, labels: selector.matchLabels ?? {} },
    workloadsOf(artifacts, scope).all,
  );
  const others = artifacts.podDisruptionBudgets.in(scope.namespace);
  return {
    message: `selector ${text} matches no pod${except}${hint(budget, selector, nearest, artifacts)}`,
    patch: nearest && correction(name, selector, nearest.workload, others),
  };
}

function hint(
  budget: PodDisruptionBudget,
  selector: LabelSelector,
  nearest: Nearest | undefined,
  { deployments, statefulSets, daemonSets }: BudgetArtifacts,
): string {
  // What only excludes fits nearly everything elsewhere, and says nothing.
  const [full] = [...deployments.all, ...statefulSets.all, ...daemonSets.all].filter(
    ({ spec }) => selector.matchLabels && budgetSelects(budget, spec?.template?.metadata?.labels),
  );
  if (full && !nearest?.sharesLabel) {
    return `; ${title({ kind: full.kind, ...full.metadata })} of another namespace has them`;
  }
  if (!nearest?.workload.isTemplateKnown) return '';
  const { kind, name, labels } = nearest.workload;
  return `; ${kind} ${name} has ${labelsLike(labels, selector)}`;
}

/**
 * Only for the workload that is called like the budget, and unless another budget selects its pods:
 * two would make them impossible to evict.
 */
function correction(
  name: string,
  { matchLabels = {} }: LabelSelector,
  workload: Workload,
  budgets: readonly PodDisruptionBudget[],
) {
  const { source, labels } = workload;
  const own = ownLabels(workload);
  // What makes pods one by one may label each its own way, and a revision is gone with the next.
  const isLasting = source && !Object.keys(own).some((key) => key.endsWith('pod-template-hash'));
  // Merged instead of replaced as a whole, a selector would keep the key that nothing has.
  const isWhole = Object.keys(matchLabels).every((key) => Object.hasOwn(own, key));
  const isTaken = budgets.some((budget) => budgetSelects(budget, labels));
  if (workload.name !== name || !isLasting || !isWhole || isTaken) return undefined;
  return { spec: { selector: { matchLabels: own, matchExpressions: null } } };
}
