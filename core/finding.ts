/** Building findings: the object at fault, what was seen, and the command that shows it. */
import { groupOf } from './owner.ts';
import type { ApiObject } from './reference.ts';
import { reference } from './reference.ts';
import type { Finding, ObjectReference } from './result.ts';
import { compare, title } from './text.ts';
import type { Workload } from './workload.ts';
import { isArgoRollout } from './workload-source.ts';

interface Observation {
  readonly container?: string | undefined;
  readonly path?: string;
  readonly message: string;
  /** What of the object shows the evidence, as kubectl's JSONPath; the whole object without it. */
  readonly shows?: string;
  /** A command that shows the evidence better than the object itself. */
  readonly command?: string;
  readonly patch?: Readonly<Record<string, unknown>> | undefined;
  /** May be gone a moment later: must hold in two listings. */
  readonly transient?: true;
}

/** A finding on an API object, or on a workload, which may be in the hands of a manager. */
export function finding(subject: ApiObject | Workload, observation: Observation): Finding {
  const { container } = observation;
  const object = { ...reference(subject), ...(container !== undefined && { container }) };
  const managed = 'metadata' in subject ? undefined : subject.manager;
  // What a person changes below a manager does not last, and of a custom workload nothing is known.
  const isPatchable = 'metadata' in subject || (subject.source !== undefined && !managed);
  const { path, message, shows, patch, transient } = observation;
  return {
    object,
    ...(path !== undefined && { path }),
    message: managed ? `${message}; managed by ${title(managed)}: change it there` : message,
    command: observation.command ?? get(object, shows),
    ...(patch && isPatchable && { patch }),
    ...(transient && { transient }),
  };
}

function get({ apiVersion, kind, namespace, name }: ObjectReference, shows?: string): string {
  const words = [resource(apiVersion, kind), name];
  if (namespace !== undefined) words.push('-n', namespace);
  return kubectlGet([...words, '-o', shows === undefined ? 'yaml' : `jsonpath=${shows}`]);
}

type Selected = Pick<Workload, 'namespace' | 'labels'> &
  Partial<Pick<Workload, 'source' | 'counted'>>;

/** The pods with all these labels and the nodes they run on. */
export function podsCommand({ namespace, labels, source, counted = [] }: Selected): string {
  const own = Object.entries(labels);
  // Of a custom workload the labels are those of one pod: the others may share some of them only.
  const shared = source
    ? own
    : own.filter(([key, value]) =>
        counted.every(({ metadata }) => metadata.labels?.[key] === value),
      );
  const selector = shared.map(([key, value]) => `${key}=${value}`).toSorted(compare);
  return kubectlGet(['pods', '-n', namespace, '-l', selector.join(','), '-o', 'wide']);
}

export function kubectlGet(words: readonly string[]): string {
  return ['kubectl', 'get', ...words].map(quote).join(' ');
}

/** Qualified where the bare name could mean another API's kind. */
function resource(apiVersion: string, kind: string): string {
  const group = groupOf(apiVersion);
  const isBuiltIn = !group.includes('.') || group.endsWith('.k8s.io');
  return isBuiltIn ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
}

/** Names in recordings may be anything: what a person pastes into a shell must stay one word. */
function quote(word: string): string {
  return /^[\w./=:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * A patch of the pod template. A custom resource is merged without knowing its lists: a patch would
 * replace the containers as a whole.
 */
export function templatePatch(
  { source }: Pick<Workload, 'source'>,
  spec: Readonly<Record<string, unknown>>,
) {
  return isArgoRollout(source) ? undefined : { spec: { template: { spec } } };
}
