/** The objects in a document: one, or those of a List. */
import { isMap } from './values.ts';

export interface Item {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly apiVersion: string;
  readonly kind: string;
  /** The file and, where there are several, the number of the document and item. */
  readonly where: string;
}

export interface Items {
  readonly items: readonly Item[];
  /** Types of the lists that name one, such as PodList: a list may be empty. */
  readonly lists: readonly { readonly apiVersion: string; readonly kind: string }[];
  /** A page of a longer list. */
  readonly cut: boolean;
}

/** Undefined when the document is no Kubernetes object. */
export function itemsOf(document: unknown, where: string): Items | undefined {
  if (!isMap(document)) return undefined;
  const { apiVersion, kind, items } = document;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const isList = kind.endsWith('List') && (Array.isArray(items) || items === null);
  if (!isList && kind !== 'List') {
    return { items: [{ raw: document, apiVersion, kind, where }], lists: [], cut: false };
  }
  const { metadata } = document;
  const cut = isMap(metadata) && typeof metadata['continue'] === 'string' && !!metadata['continue'];
  const of = kind === 'List' ? undefined : { apiVersion, kind: kind.slice(0, -'List'.length) };
  const found = (Array.isArray(items) ? items : []).map((item: unknown, i) =>
    itemOf(item, of, `${where} item ${i + 1}`),
  );
  return { items: found, lists: of ? [of] : [], cut };
}

// The items of a typed list leave out their type.
function itemOf(
  item: unknown,
  list: { readonly apiVersion: string; readonly kind: string } | undefined,
  where: string,
): Item {
  const raw = isMap(item) ? item : {};
  const { apiVersion = list?.apiVersion, kind = list?.kind } = raw;
  return {
    raw,
    apiVersion: typeof apiVersion === 'string' ? apiVersion : '',
    kind: typeof kind === 'string' ? kind : '',
    where,
  };
}
