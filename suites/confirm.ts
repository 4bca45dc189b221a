/** A second look at what may pass by itself: a transient finding must hold in two readings. */
import { setTimeout } from 'node:timers/promises';
import { artifactsOf } from '../core/artifacts.ts';
import type { Outcome } from '../core/evaluate.ts';
import { evaluate, placeOf } from '../core/evaluate.ts';
import type { Finding } from '../core/result.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { compareFindings, count } from '../core/text.ts';
import type { Case } from './plan.ts';
import { kindsFor } from './select.ts';
import type { Source } from './source.ts';

/** An outcome, and which of its findings are beyond doubt. */
interface Confirmed {
  readonly outcome: Outcome;
  readonly isConclusive: (finding: Finding) => boolean;
}

/** Waits for the second reading where the outcome has a transient finding. */
export type Confirm = (subject: Case, first: Outcome) => Promise<Confirmed>;

export interface ConfirmOptions {
  readonly source: Source;
  readonly snapshot: Snapshot;
  /** Milliseconds from the first reading to the second; 0 is none. */
  readonly settleWait: number;
  /** When the first reading was done, by performance.now(). */
  readonly readAt: number;
  readonly signal: AbortSignal;
}

/** Reads again only when a case is in doubt, and then only the kinds that doubtful cases need. */
export function confirmation(doubtful: readonly Case[], options: ConfirmOptions): Confirm {
  const second = doubtful.length > 0 ? readAgain(doubtful, options) : undefined;
  return async (subject, first) => {
    const isInDoubt = first.kind === 'judged' && first.findings.some(isTransient);
    const again = isInDoubt ? await second : undefined;
    if (first.kind !== 'judged' || !again) return { outcome: first, isConclusive: isLasting };
    const { scope } = subject;
    const { takenAt } = again.snapshot;
    const later = evaluate(
      subject.check,
      again.snapshot,
      again.artifacts(placeOf(subject.check, scope)),
      {
        ...scope,
        cluster: { ...scope.cluster, ...(takenAt !== undefined && { takenAt }) },
      },
    );
    // Without a second answer the first one stands, in doubt.
    if (later.kind !== 'judged') return { outcome: first, isConclusive: isLasting };
    return { outcome: inBoth(first, later), isConclusive: () => true };
  };
}

const isTransient = (finding: Finding) => finding.transient === true;
const isLasting = (finding: Finding) => !isTransient(finding);

type Judged = Outcome & { readonly kind: 'judged' };

/** What lasts, and what was seen twice, in the words of the second time. */
function inBoth(first: Judged, later: Judged): Judged {
  const seen = new Set(first.findings.filter(isTransient).map(identity));
  const held = later.findings.filter(
    (finding) => isTransient(finding) && seen.has(identity(finding)),
  );
  const gone = seen.size - held.length;
  return {
    ...first,
    findings: [...first.findings.filter(isLasting), ...held].toSorted(compareFindings),
    notes:
      gone > 0
        ? [...first.notes, `${count(gone, 'finding')} did not hold a moment later`]
        : first.notes,
  };
}

const identity = ({ object, path, code }: Finding) => JSON.stringify([object, path, code]);

async function readAgain(doubtful: readonly Case[], options: ConfirmOptions) {
  const { source, snapshot, settleWait, readAt, signal } = options;
  try {
    await setTimeout(settleWait - (performance.now() - readAt), undefined, { signal });
  } catch {
    // The run ends before anything could settle: what was found stays in doubt.
    return undefined;
  }
  const kinds = kindsFor(doubtful.map(({ check }) => check));
  const again = await source.read(kinds);
  const merged = { ...again, listings: { ...snapshot.listings, ...again.listings } };
  return { snapshot: merged, artifacts: artifactsOf(merged) };
}
