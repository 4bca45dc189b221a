/** What became of each exception in a run: used or not, ended or ending, shadowed, or grown too broad. */
import type { ExceptionUse, ExceptionUses, Result } from '../core/result.ts';
import { count, names } from '../core/text.ts';
import type { Exception } from './exception.ts';
import { compareByPlace, referenceTo } from './exception.ts';
import { matches } from './match.ts';
import type { Selection, TestingResult } from './tested.ts';
import { isTested } from './tested.ts';
import { appliesTo, dayOf, endOf } from './validity.ts';

export type UsingResult = Pick<Result, 'check' | 'namespace' | 'verdict' | 'reason' | 'findings'>;

export interface UseOptions extends Selection {
  /** How many days before its last one an exception is called expiring. */
  readonly expiringWithinDays: number;
}

interface Use {
  readonly exception: Exception;
  /** How many objects have a finding that it is about; each container counts. */
  readonly matched: number;
  /** Where the exceptions stand that cover these findings. */
  readonly covering: ReadonlySet<string>;
  readonly end: string | undefined;
  readonly inForce: boolean;
}

/**
 * An exception that has ended is in no other list. One that was not put to the test (its check did
 * not look there, or it is for other releases, topologies or platforms) is neither used nor unused.
 */
export function usesOf(
  exceptions: readonly Exception[],
  results: readonly UsingResult[],
  options: UseOptions,
): ExceptionUses {
  const findings = Map.groupBy(
    results.flatMap(({ check, findings }) => findings.map((finding) => ({ check, finding }))),
    ({ check, finding }) => `${check} ${finding.object.kind}`,
  );
  const resultsOf = Map.groupBy(results, ({ check }) => check);
  const uses = exceptions.toSorted(compareByPlace).map((exception): Use => {
    const own = (findings.get(`${exception.check} ${exception.kind}`) ?? [])
      .map(({ finding }) => finding)
      .filter((finding) => matches(exception, finding, options.nodes));
    const matched = new Set(own.map(({ object }) => JSON.stringify(object))).size;
    const end = endOf(exception, options);
    const inForce = end === undefined && appliesTo(exception, options);
    const covering = new Set(own.flatMap((finding) => finding.exception?.at ?? []));
    return { exception, matched, covering, end, inForce };
  });
  return {
    used: list(uses, usedNote),
    unused: list(uses, (use) => unusedNote(use, resultsOf.get(use.exception.check) ?? [], options)),
    expired: list(uses, expiredNote),
    expiring: list(uses, (use) => expiringNote(use, options)),
    shadowed: list(uses, shadowedNote),
    broader: list(uses, broaderNote),
  };
}

/** Why an exception stands in a list: '' where the list says it all, undefined where it does not. */
type Note = string | undefined;

function list(uses: readonly Use[], noteOf: (use: Use) => Note): readonly ExceptionUse[] {
  return uses.flatMap((use) => {
    const note = noteOf(use);
    if (note === undefined) return [];
    const { exception, matched } = use;
    return [{ ...referenceTo(exception), matched, ...(note !== '' && { note }) }];
  });
}

function usedNote({ exception, covering, inForce }: Use): Note {
  return inForce && covering.has(exception.at) ? '' : undefined;
}

function unusedNote(use: Use, results: readonly TestingResult[], options: UseOptions): Note {
  if (!use.inForce || use.matched > 0) return undefined;
  const isUnused = isTested(use.exception, results, options);
  return isUnused ? 'nothing matched: the object is gone or complies' : undefined;
}

function expiredNote({ end, matched }: Use): Note {
  if (end === undefined || matched === 0) return end;
  return `${end}, would cover ${count(matched, 'object')}`;
}

function expiringNote({ exception, end }: Use, { now, expiringWithinDays }: UseOptions): Note {
  if (end !== undefined || exception.expires === undefined) return undefined;
  const days = (Date.parse(exception.expires) - Date.parse(dayOf(now))) / 86_400_000;
  if (days > expiringWithinDays) return undefined;
  return days === 0 ? 'expires today' : `expires in ${count(days, 'day')}`;
}

function shadowedNote({ exception, covering, inForce }: Use): Note {
  if (!inForce || covering.size === 0 || covering.has(exception.at)) return undefined;
  return `covered by ${names([...covering])}`;
}

function broaderNote({ exception, matched, inForce }: Use): Note {
  if (!inForce || exception.matched === undefined || matched <= exception.matched) return undefined;
  return `matched ${count(exception.matched, 'object')} when it was written`;
}
