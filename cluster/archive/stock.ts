/** What files of Kubernetes objects hold together, before it is decided whether they are manifests. */
import { KnownError } from '../../core/errors.ts';
import type { Kind } from '../../core/kinds.ts';
import { kinds } from '../../core/kinds.ts';
import { compare, count, title } from '../../core/text.ts';
import type { Files } from '../files/files.ts';
import type { Collection } from './collect.ts';
import { collection } from './collect.ts';
import type { Request } from './format.ts';
import type { Item } from './items.ts';
import { itemsOf } from './items.ts';
import { documentsIn } from './object-files.ts';
import { kindOfType } from './resources.ts';
import { newestCondition, operandVersion } from './times.ts';
import { mapAt, textAt } from './values.ts';

export interface Stock {
  readonly objects: Collection;
  /** Kinds of which there is a list, be it an empty one. */
  readonly lists: ReadonlySet<Kind>;
  /** The first object with a uid and the first without one, and where they stand. */
  readonly live: string | undefined;
  readonly bare: string | undefined;
  /** There are lists, or live objects of kinds that no check reads. */
  readonly othersLive: boolean;
  readonly isEmpty: boolean;
  readonly newest: string | undefined;
  readonly serverVersion: string | undefined;
}

export async function stockOf(inputs: readonly Files[], request: Request): Promise<Stock> {
  const objects = collection();
  const lists = new Set<Kind>();
  const namespaces = new Set<string>();
  const ignored: string[] = [];
  const first: { live?: string; bare?: string } = {};
  const times: string[] = [];
  let othersLive = false;
  let documents = 0;
  let serverVersion: string | undefined;

  function take(item: Item) {
    const { raw } = item;
    const kind = kindOfType(item.apiVersion, item.kind);
    const namespace = namespaceOf(item, kind);
    const uid = textAt(mapAt(raw, 'metadata'), 'uid');
    if (namespace !== undefined) namespaces.add(namespace);
    serverVersion ??= operandVersion(raw);
    times.push(newestCondition(raw) ?? '');
    if (kind) first[uid === undefined ? 'bare' : 'live'] ??= described(item, namespace);
    else ignored.push(item.kind);
    othersLive ||= uid !== undefined;
    if (kind && request.kinds.includes(kind)) objects.add(kind, item);
  }

  for (const files of inputs) {
    for await (const { value, where } of documentsIn(files, request)) {
      const found = itemsOf(value, where);
      if (!found) {
        refuse(files, where);
        continue;
      }
      documents += found.items.length + found.lists.length;
      for (const item of found.items) take(item);
      for (const kind of kindsOf(found.lists)) lists.add(kind);
      if (!found.cut) continue;
      const detail = `are cut short: ${where} is one page of them`;
      for (const kind of kindsOf([...found.lists, ...found.items])) {
        objects.miss(kind, { cause: 'partial', detail });
      }
    }
  }
  if (request.kinds.includes('namespaces')) nameNamespaces(objects, namespaces);
  if (ignored.length > 0) request.notice(ignoredText(ignored));
  return {
    objects,
    lists,
    live: first.live,
    bare: first.bare,
    othersLive: othersLive || lists.size > 0,
    isEmpty: documents === 0,
    newest: times.sort().at(-1) || undefined,
    serverVersion,
  };
}

/** In a folder there may be other YAML, such as a chart's values; what was named should hold objects. */
function refuse(files: Files, where: string) {
  if (files.form !== 'file') return;
  const message = `${where}: is no Kubernetes object: it has no apiVersion and kind`;
  throw new KnownError('UNREADABLE_INPUT', message);
}

const kindsOf = (types: readonly { readonly apiVersion: string; readonly kind: string }[]) =>
  new Set(types.flatMap(({ apiVersion, kind }) => kindOfType(apiVersion, kind) ?? []));

/** Whether other kinds are namespaced is not known: only what they say counts. */
function namespaceOf({ raw }: Item, kind: Kind | undefined): string | undefined {
  if (kind && !kinds[kind].namespaced) return undefined;
  return textAt(mapAt(raw, 'metadata'), 'namespace') ?? (kind && 'default');
}

function described({ raw, kind, where }: Item, namespace: string | undefined): string {
  const metadata = mapAt(raw, 'metadata');
  const name = textAt(metadata, 'name') ?? textAt(metadata, 'generateName') ?? '';
  return `${title({ kind, namespace, name })} (${where})`;
}

/** A namespace exists that an object is in, whether or not the input holds its Namespace. */
function nameNamespaces(objects: Collection, names: ReadonlySet<string>) {
  const present = new Set(objects.objects('namespaces').map(({ metadata }) => metadata.name));
  for (const name of names) {
    if (present.has(name)) continue;
    const raw = { metadata: { name } };
    objects.add('namespaces', { raw, apiVersion: 'v1', kind: 'Namespace', where: name });
  }
}

function ignoredText(types: readonly string[]): string {
  const numbers = [...Map.groupBy(types, (type) => type)]
    .sort(([a], [b]) => compare(a, b))
    .map(([type, all]) => `${all.length} ${type}`);
  return `ignored ${count(types.length, 'object')} of kinds that no check reads: ${numbers.join(', ')}`;
}
