/** Building findings: the object at fault, what was seen, and the command that shows it. */
import { groupOf } from './owner.ts';
import type { Finding, ObjectReference } from './result.ts';

/** An API object, or a workload: anything that says what it is and what it is called. */
type Subject =
  | {
      readonly apiVersion: string;
      readonly kind: string;
      readonly metadata: { readonly name: string; readonly namespace?: string };
    }
  | {
      readonly apiVersion: string;
      readonly kind: string;
      readonly name: string;
      readonly namespace: string;
    };

interface Observation {
  readonly container?: string | undefined;
  readonly path?: string;
  readonly message: string;
  /** What of the object shows the evidence, as kubectl's JSONPath; the whole object without it. */
  readonly shows?: string;
  readonly patch?: Readonly<Record<string, unknown>>;
}

export function finding(subject: Subject, observation: Observation): Finding {
  const object = reference(subject, observation.container);
  return {
    object,
    ...(observation.path !== undefined && { path: observation.path }),
    message: observation.message,
    command: command(object, observation.shows),
    ...(observation.patch && { patch: observation.patch }),
  };
}

function reference(subject: Subject, container: string | undefined): ObjectReference {
  const { name, namespace } = 'metadata' in subject ? subject.metadata : subject;
  const { apiVersion, kind } = subject;
  return {
    apiVersion,
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    ...(container !== undefined && { container }),
  };
}

function command({ apiVersion, kind, namespace, name }: ObjectReference, shows?: string): string {
  const words = ['kubectl', 'get', resource(apiVersion, kind), name];
  if (namespace !== undefined) words.push('-n', namespace);
  words.push('-o', shows === undefined ? 'yaml' : `jsonpath=${shows}`);
  return words.map(quote).join(' ');
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

/** A patch of the pod template. */
export function templatePatch(spec: Readonly<Record<string, unknown>>) {
  return { spec: { template: { spec } } };
}
