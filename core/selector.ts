/** Label selectors, and what nil and empty mean in each place that has one. */
import type { LabelSelector, PodDisruptionBudget, Service } from './objects.ts';
import { compare, labels as labelText } from './text.ts';

export type Labels = Readonly<Record<string, string>> | undefined;
type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];

/** AND over all pairs and requirements: an empty selector matches everything, an invalid one nothing. */
export function matches(selector: LabelSelector, labels: Labels): boolean {
  if (!isValid(selector)) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    includes(labels, matchLabels) &&
    matchExpressions.every((requirement) => meets(requirement, labels))
  );
}

/** Whether every pair stands in the labels: a Service's or a ReplicationController's plain selector. */
export function includes(labels: Labels, pairs: Readonly<Record<string, string>>): boolean {
  // Asked for every pair of a budget and a pod: without an array for each.
  for (const key in pairs) if (labelValue(labels, key) !== pairs[key]) return false;
  return true;
}

/** The API machinery refuses such a selector as a whole; so do the controllers that read it. */
export function isValid(selector: LabelSelector): boolean {
  return (selector.matchExpressions ?? []).every(({ operator, values = [] }) => {
    switch (operator) {
      case 'In':
      case 'NotIn':
        return values.length > 0;
      case 'Exists':
      case 'DoesNotExist':
        return values.length === 0;
      default:
        return false;
    }
  });
}

function meets({ key = '', operator, values = [] }: Requirement, labels: Labels): boolean {
  const value = labelValue(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}

// Labels are data: a key may have the name of something that every JavaScript object inherits.
function labelValue(labels: Labels, key: string): string | undefined {
  return labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
}

export function isEmpty(selector: LabelSelector): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}

/** An absent selector selects no pod; an empty one every pod of the namespace, in v1beta1 none. */
export function budgetSelects(budget: PodDisruptionBudget, labels: Labels): boolean {
  const selector = budget.spec?.selector;
  if (!selector) return false;
  if (budget.apiVersion === 'policy/v1beta1' && isEmpty(selector)) return false;
  return matches(selector, labels);
}

/** Where a Service has no selector, its endpoints are made by hand; an ExternalName has none at all. */
export function hasSelector({ spec = {} }: Service): boolean {
  return spec.selector !== undefined && spec.type !== 'ExternalName';
}

export function serviceSelects(service: Service, labels: Labels): boolean {
  const { selector } = service.spec ?? {};
  return selector !== undefined && hasSelector(service) && includes(labels, selector);
}

/** `{app: web}`, `{app NotIn [web, api]}`: for messages. */
export function selectorText(selector: LabelSelector | undefined): string {
  if (!selector) return 'absent';
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const pairs = Object.keys(matchLabels).length > 0 ? [labelText(matchLabels).slice(1, -1)] : [];
  const requirements = matchExpressions
    .map(({ key = '', operator = '', values }) =>
      [key, operator, ...(values ? [`[${values.join(', ')}]`] : [])].join(' '),
    )
    .toSorted(compare);
  return `{${[...pairs, ...requirements].join(', ')}}`;
}

/** The labels that a selector asks about, or all when it asks about none of them: for messages. */
export function labelsLike(
  labels: Labels,
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
) {
  const asked = new Set([...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)]);
  const alike = Object.entries(labels ?? {}).filter(([key]) => asked.has(key));
  return labelText(alike.length > 0 ? Object.fromEntries(alike) : labels);
}
