/** The layout that `oc adm inspect` and must-gather write: which object or list of objects a path holds. */
import type { Kind } from '../../core/kinds.ts';
import { kinds } from '../../core/kinds.ts';
import type { Files } from '../files/files.ts';
import { kindOfResource } from './resources.ts';

/** The part of a cluster that one file holds. */
export interface Slot {
  readonly kind: Kind;
  readonly resource: string;
  readonly namespace?: string;
  /** All objects of the resource (in the namespace), or one of them. */
  readonly form: 'list' | 'single';
  /** The path below the root. */
  readonly path: string;
}

export interface Root {
  readonly files: Files;
  /** The folders above `namespaces` and `cluster-scoped-resources`, with the slash that ends them. */
  readonly prefix: string;
}

const scopes: readonly string[] = ['namespaces', 'cluster-scoped-resources'];
const maxDepth = 2;

/** The roots of trees in an input; a must-gather of several images has as many. */
export function rootsOf(files: Files): readonly Root[] {
  const prefixes = new Set<string>();
  for (const folder of files.folders) {
    const parts = folder.split('/');
    const depth = parts.findIndex((part) => scopes.includes(part));
    if (depth < 0 || depth > maxDepth) continue;
    prefixes.add(
      parts
        .slice(0, depth)
        .map((part) => `${part}/`)
        .join(''),
    );
  }
  const roots = [...prefixes].sort().map((prefix) => ({ files, prefix }));
  return roots.filter(isInspected);
}

// Manifests, too, may be kept in a folder named `namespaces`.
function isInspected({ files, prefix }: Root): boolean {
  if (files.folders.has(`${prefix}cluster-scoped-resources`)) return true;
  return files.paths.some(
    (path) => path.startsWith(prefix) && slotOf(path.slice(prefix.length)) !== undefined,
  );
}

/** The folders directly below one of the two scopes: namespaces, or groups of the API. */
export function foldersIn(
  { files, prefix }: Root,
  scope: 'namespaces' | 'cluster-scoped-resources',
) {
  const parent = `${prefix}${scope}/`;
  return [...files.folders].flatMap((folder) => {
    const name = folder.startsWith(parent) ? folder.slice(parent.length) : '';
    return name === '' || name.includes('/') ? [] : [name];
  });
}

/** What a path below the root holds; undefined when it is nothing of the table. */
export function slotOf(path: string): Slot | undefined {
  const match = /^(.*)\.(ya?ml|json)$/.exec(path);
  if (!match?.[1]) return undefined;
  const [scope, ...parts] = match[1].split('/');
  if (scope === 'cluster-scoped-resources') return clusterSlot(parts, path);
  return scope === 'namespaces' ? namespacedSlot(parts, path) : undefined;
}

function clusterSlot(parts: readonly string[], path: string): Slot | undefined {
  const [group = '', resource = ''] = parts;
  const kind = kindOfResource(group === 'core' ? '' : group, resource);
  if (!kind || kinds[kind].namespaced || parts.length > 3) return undefined;
  return { kind, resource, form: parts.length === 2 ? 'list' : 'single', path };
}

function namespacedSlot(parts: readonly string[], path: string): Slot | undefined {
  const [namespace = '', group = '', resource = '', name] = parts;
  if (parts.length === 2 && namespace === group) {
    return { kind: 'namespaces', resource: 'namespaces', namespace, form: 'single', path };
  }
  // Beside its logs, a pod is saved on its own: pods/NAME/NAME.yaml.
  if (parts.length === 4 && group === 'pods' && resource === name) {
    return { kind: 'pods', resource: 'pods', namespace, form: 'single', path };
  }
  const kind = kindOfResource(group === 'core' ? '' : group, resource);
  if (!kind || !kinds[kind].namespaced || parts.length > 4) return undefined;
  return { kind, resource, namespace, form: parts.length === 3 ? 'list' : 'single', path };
}

/** The same for all files that hold the same part of a cluster. */
export function slotKey(part: {
  readonly kind: Kind;
  readonly resource: string;
  readonly namespace?: string | undefined;
}): string {
  const { kind, resource, namespace = '' } = part;
  return `${resource}.${kinds[kind].group} ${kind === 'namespaces' ? '' : namespace}`;
}

/** Where the file of a list would be. */
export function listPath(kind: Kind, resource: string, namespace?: string): string {
  const group = kinds[kind].group || 'core';
  const scope = namespace === undefined ? 'cluster-scoped-resources' : `namespaces/${namespace}`;
  return `${scope}/${group}/${resource}.yaml`;
}
