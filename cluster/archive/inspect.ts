/** Reads trees as `oc adm inspect` writes them: the files of the wanted kinds, and what became of each. */
import type { Kind } from '../../core/kinds.ts';
import type { Files } from '../files/files.ts';
import type { Collection } from './collect.ts';
import { collection } from './collect.ts';
import type { Content, Failure, Reader } from './content.ts';
import { contentOf } from './content.ts';
import type { Evidence } from './evidence.ts';
import { evidenceLists, evidenceOf, operatorFiles } from './evidence.ts';
import type { Request } from './format.ts';
import { kindOfType } from './resources.ts';
import { operandVersion } from './times.ts';
import type { Root, Slot } from './tree.ts';
import { foldersIn, slotKey, slotOf } from './tree.ts';
import { mapAt, textAt } from './values.ts';

export interface Inspected {
  readonly objects: Collection;
  readonly namespaces: ReadonlySet<string>;
  /** Folders of cluster-scoped groups. */
  readonly groups: ReadonlySet<string>;
  /** What became of each list that there is a file for, by slot. */
  readonly lists: ReadonlyMap<string, Failure | 'read'>;
  /** The slots of which objects were saved one by one. */
  readonly singles: ReadonlySet<string>;
  evidence(): Evidence;
  serverVersion(): string | undefined;
}

/** A path below a root, and what is done with the content there. */
type Taker = readonly [string, (content: Content) => void];

/** What is to be read of each input, and where it goes. */
export function inspection(roots: readonly Root[], request: Request, objects = collection()) {
  const lists = new Map<string, Failure | 'read'>();
  const singles = new Set<string>();
  const listed = new Map<keyof Evidence, Set<string>>();
  let serverVersion: string | undefined;

  const plans = roots.map((root) => ({ root, slots: slotsIn(root, request.kinds) }));
  for (const slot of plans.flatMap((plan) => plan.slots)) {
    const lost = { cause: 'partial', detail: `are missing: ${slot.path} is cut off` } as const;
    if (slot.form === 'list') lists.set(slotKey(slot), lost);
    else singles.add(slotKey(slot));
  }

  function takeList(slot: Slot, content: Content) {
    const failure = add(objects, slot, content);
    const key = slotKey(slot);
    if (lists.get(key) !== 'read') lists.set(key, failure ?? 'read');
  }

  function takeSingle(slot: Slot, content: Content) {
    const failure = add(objects, slot, content);
    const of = slot.namespace === undefined ? {} : { namespace: slot.namespace };
    if (failure) objects.miss(slot.kind, { ...of, ...failure });
  }

  function takersOf(slots: readonly Slot[]): readonly Taker[] {
    // Where all objects of a kind are, one that was saved by itself is the same or gone.
    const read = slots.filter((slot) => slot.form === 'list' || !lists.has(slotKey(slot)));
    return [
      ...read.map(
        (slot): Taker => [
          slot.path,
          (content) => (slot.form === 'list' ? takeList : takeSingle)(slot, content),
        ],
      ),
      ...Object.entries(evidenceLists).map(
        ([path, what]): Taker => [
          path,
          ({ items, failure }) => {
            const names = items.map(({ raw }) => textAt(mapAt(raw, 'metadata'), 'name') ?? '');
            if (!failure) listed.set(what, new Set([...(listed.get(what) ?? []), ...names]));
          },
        ],
      ),
      ...operatorFiles.map(
        (path): Taker => [
          path,
          ({ items }) => {
            serverVersion ??= items.map(({ raw }) => operandVersion(raw)).find(Boolean);
          },
        ],
      ),
    ];
  }

  const seen: Inspected = {
    objects,
    namespaces: new Set(roots.flatMap((root) => foldersIn(root, 'namespaces'))),
    groups: new Set(roots.flatMap((root) => foldersIn(root, 'cluster-scoped-resources'))),
    lists,
    singles,
    evidence: () => evidenceOf(roots, listed),
    serverVersion: () => serverVersion,
  };
  return {
    seen,
    readers: (files: Files): readonly (readonly [string, Reader])[] =>
      plans
        .filter(({ root }) => root.files === files)
        .flatMap(({ root, slots }) => readersOf(root, takersOf(slots), request)),
  };
}

function slotsIn({ files, prefix }: Root, wanted: readonly Kind[]): readonly Slot[] {
  return files.paths.flatMap((path) => {
    const slot = path.startsWith(prefix) ? slotOf(path.slice(prefix.length)) : undefined;
    return slot && wanted.includes(slot.kind) ? [slot] : [];
  });
}

/** Adds what a file holds; tells why that is not all of it. */
function add(objects: Collection, slot: Slot, content: Content): Failure | undefined {
  for (const item of content.items) {
    if (kindOfType(item.apiVersion, item.kind) !== slot.kind) {
      const detail = `cannot be read: ${slot.path} holds a ${item.kind || 'thing without kind'}`;
      return { cause: 'malformed', detail };
    }
    objects.add(slot.kind, item, slot.namespace);
  }
  return content.failure;
}

function readersOf({ prefix }: Root, takers: readonly Taker[], { limits }: Request) {
  const options = { limit: limits.file, whenEmpty: 'not collected' } as const;
  return [...Map.groupBy(takers, ([path]) => path)].map(([path, ofPath]) => {
    const reader: Reader = async (file) => {
      const content = await contentOf(file, path, options);
      for (const [, take] of ofPath) take(content);
    };
    return [prefix + path, reader] as const;
  });
}
