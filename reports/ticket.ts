/** Why a violation is accepted, with the link that JUnit's readers and people follow. */
import type { ClassifiedFinding, ExceptionReference } from '../core/result.ts';
import { oneLine } from './clean.ts';

/** `OCPBUGS-1 https://redhat.atlassian.net/browse/OCPBUGS-1: reason`, or the public convention instead. */
export function acceptance(exception: ExceptionReference): string {
  const links = [exception.jira && ticketLink(exception.jira), exception.source];
  const end = endOf(exception);
  const until = end === undefined ? '' : ` (until ${end})`;
  return oneLine(`${links.filter(Boolean).join(' ')}: ${exception.reason}${until}`);
}

/** `; covered by OCPBUGS-1: reason`: what follows a finding on a page; nothing where it is not covered. */
export function acceptedBy({ exception }: ClassifiedFinding): string {
  if (exception === undefined) return '';
  const { jira, state, reason } = exception;
  return `; covered ${jira === undefined ? `(${state})` : `by ${ticket(jira)}`}: ${reason}`;
}

/** The last day of an exception, or the release that ends it. */
export function endOf({ expires, targetRelease }: ExceptionReference): string | undefined {
  return expires ?? (targetRelease && `release ${targetRelease}`);
}

function ticketLink(jira: string): string {
  const key = ticket(jira);
  // The sandbox's own project belongs to no tracker.
  return key.startsWith('SANDBOX-') ? key : `${key} https://redhat.atlassian.net/browse/${key}`;
}

/** The key: an exception names its issue by key or by URL. */
export const ticket = (jira: string): string => jira.slice(jira.lastIndexOf('/') + 1);
