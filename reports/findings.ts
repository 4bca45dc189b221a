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

/** `Deployment shop/cart container app: has no readiness probe`; without the namespace if it is `home`. */
export function findingLine(
  { code, object, path, message, conclusive }: ClassifiedFinding,
  home?: string,
) {
  const { namespace, ...rest } = object;
  const named = title(
    namespace === undefined || namespace === home ? rest : { ...rest, namespace },
  );
  const subject = [code, named, object.container && `container ${object.container}`];
  const place = path === undefined || message.includes(path) ? '' : ` [${path}]`;
  const doubt = conclusive ? '' : ' (not confirmed)';
  return oneLine(`${subject.filter(Boolean).join(' ')}: ${message}${place}${doubt}`);
}

/** `2 findings (1 covered) in 12 objects` */
export function extent({ findings, examined }: Result): string {
  const { covered } = sidesOf(findings);
  const accepted = covered.length === 0 ? '' : ` (${covered.length} covered)`;
  return `${count(findings.length, 'finding')}${accepted} in ${count(examined, 'object')}`;
}
