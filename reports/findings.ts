/** Findings as the views show them: what is not covered before what is, each on one line. */
import type { ClassifiedFinding, Result } from '../core/result.ts';
import { count, title } from '../core/text.ts';
import { oneLine } from './clean.ts';

export interface Sides {
  readonly uncovered: readonly ClassifiedFinding[];
  readonly covered: readonly ClassifiedFinding[];
}

/** In the order of the report, which is sorted. */
export function sidesOf(findings: readonly ClassifiedFinding[]): Sides {
  return {
    uncovered: findings.filter(({ exception }) => exception === undefined),
    covered: findings.filter(({ exception }) => exception !== undefined),
  };
}

interface LineOptions {
  /** The namespace that goes without saying. */
  readonly home?: string | undefined;
  /** Leaves out the path of the field. */
  readonly brief?: boolean;
}

/** `Deployment shop/cart container app: keeps failing [spec.replicas]` */
export function findingLine(
  { code, object, path, message, conclusive }: ClassifiedFinding,
  { home, brief = false }: LineOptions = {},
): string {
  const { namespace, container, ...rest } = object;
  const named = title(
    namespace === undefined || namespace === home ? rest : { ...rest, namespace },
  );
  const isNamed = container === undefined || message.startsWith(`container ${container} `);
  const subject = [code, named, ...(isNamed ? [] : [`container ${container}`])];
  const place = brief || path === undefined || message.includes(path) ? '' : ` [${path}]`;
  const doubt = conclusive ? '' : ' (not confirmed)';
  return oneLine(`${subject.filter(Boolean).join(' ')}: ${message}${place}${doubt}`);
}

/** `2 findings (1 covered) in 12 objects` */
export function extent({ findings, examined }: Result): string {
  const { covered } = sidesOf(findings);
  const accepted = covered.length === 0 ? '' : ` (${covered.length} covered)`;
  return `${count(findings.length, 'finding')}${accepted} in ${count(examined, 'object')}`;
}
