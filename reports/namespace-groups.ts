/** Results by namespace, as a person works through them: the worst namespace first, in it the worst result. */
import type { Owner, Result } from '../core/result.ts';
import { severities } from '../core/result.ts';
import { compare } from '../core/text.ts';
import { sidesOf } from './findings.ts';

export interface Group {
  readonly name: string;
  readonly namespaced: boolean;
  /** Who answers for it, where no Jira component says so. */
  readonly owner?: Owner;
  readonly results: readonly Result[];
  /** Fail and flake, worst first. */
  readonly bad: readonly Result[];
}

export function groupsOf(results: readonly Result[]): readonly Group[] {
  const byPlace = Map.groupBy(results, ({ cluster, namespace = 'the cluster as a whole' }) =>
    cluster === undefined ? namespace : `${cluster}: ${namespace}`,
  );
  return [...byPlace].map(([name, members]) => ({
    name,
    ...ownerOf(members),
    namespaced: members.some(({ namespace }) => namespace !== undefined),
    results: members,
    bad: members.filter(isBad).toSorted((a, b) => rank(a) - rank(b) || compare(a.id, b.id)),
  }));
}

/** The results of the cluster are several owners'. */
function ownerOf(results: readonly Result[]): Pick<Group, 'owner'> {
  const named = results.find(
    ({ namespace, jiraComponent }) => namespace !== undefined && jiraComponent === undefined,
  );
  return named?.owner ? { owner: named.owner } : {};
}

const isBad = ({ verdict }: Result): boolean => verdict === 'fail' || verdict === 'flake';

/** A minor failure before a critical flake: somebody has decided that the failure matters. */
const rank = ({ verdict, severity }: Result): number =>
  (verdict === 'fail' ? 0 : severities.length) + severities.indexOf(severity);

/** The one with more of the worst, then of the second worst, and so on; at last with more findings. */
export function worstFirst(a: Group, b: Group): number {
  for (let worst = 0; worst < 2 * severities.length; worst++) {
    const of = (group: Group) => group.bad.filter((result) => rank(result) === worst).length;
    const difference = of(b) - of(a);
    if (difference !== 0) return difference;
  }
  const open = ({ bad }: Group) =>
    bad.flatMap(({ findings }) => sidesOf(findings).uncovered).length;
  return open(b) - open(a) || compare(a.name, b.name);
}
