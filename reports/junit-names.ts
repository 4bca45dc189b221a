/** Test names as they stand in JUnit, and one result for each of them. */
import type { Result } from '../core/result.ts';
import { oneLine } from './clean.ts';

/** Sippy and Jira keep 200 characters of a name. */
const limit = 200;

export function junitName(testName: string): string {
  // Half of a surrogate pair must not be left at the end.
  return oneLine(testName)
    .slice(0, limit)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}

/**
 * Sippy merges what has one name into a flake, so that of a fleet's clusters the worst speaks for all.
 * The result's testName is the name in JUnit.
 */
export function resultPerName(results: readonly Result[]): readonly Result[] {
  const groups = Map.groupBy(results, ({ testName }) => junitName(testName));
  return [...groups].flatMap(([testName, members]) =>
    members
      .toSorted((a, b) => rank(a) - rank(b))
      .slice(0, 1)
      .map((worst) => ({ ...(members.length === 1 ? worst : together(worst, members)), testName })),
  );
}

/** What was not judged counts only where nothing was. */
function rank({ verdict, guarded }: Result): number {
  if (guarded) return 1;
  return ['fail', 'flake', 'pass', 'error', 'skip'].indexOf(verdict);
}

function together(worst: Result, members: readonly Result[]): Result {
  const violating = rank(worst) <= rankOfFlake;
  // Beside failures and flakes, what is only observed elsewhere would read as one of them.
  const shown = members.filter((member) => !violating || rank(member) <= rankOfFlake);
  return {
    ...worst,
    examined: members.map(({ examined }) => examined).reduce((sum, n) => sum + n, 0),
    findings: shown.flatMap((member) =>
      member.findings.map((finding) => ({
        ...finding,
        message: `${finding.message} (${origin(member)})`,
      })),
    ),
    notes: members.flatMap((member) => [
      [`${origin(member)}: ${member.verdict}`, member.cause, member.reason]
        .filter(Boolean)
        .join(' '),
      ...member.notes.map((note) => `${origin(member)}: ${note}`),
    ]),
  };
}

const rankOfFlake = 1;

const origin = ({ cluster, id }: Result): string =>
  cluster === undefined ? id : `cluster ${cluster}`;
