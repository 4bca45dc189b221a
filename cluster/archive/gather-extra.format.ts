/** gather-extra, the artifacts of OpenShift's CI jobs: one JSON list for each resource of the cluster. */
import type { Kind } from '../../core/kinds.ts';
import { kindNames, kinds } from '../../core/kinds.ts';
import type { Node } from '../../core/objects.ts';
import type { Listing, Listings } from '../../core/snapshot.ts';
import type { Files } from '../files/files.ts';
import { collection } from './collect.ts';
import type { Content, Failure, Reader } from './content.ts';
import { contentOf, damageOf, readAll } from './content.ts';
import type { Format } from './format.ts';
import { readingOf } from './format.ts';
import { inspection } from './inspect.ts';
import { inspectedListing } from './inspected.ts';
import { kindOfType } from './resources.ts';
import { kubeletVersion, operandVersion } from './times.ts';
import { rootsOf } from './tree.ts';

export const format: Format = {
  name: 'gather-extra',
  inputKind: 'gather-extra',
  recognizes(files) {
    const root = rootOf(files);
    return root === undefined ? undefined : root.split('/').length - 1;
  },
  async read(inputs, request) {
    const lists = inputs.flatMap((files) => listFiles(files, request.kinds));
    const held = new Set(lists.flatMap(({ holds }) => holds));
    const reading = {
      lists,
      objects: collection(),
      outcomes: new Map<ListFile, Failure | 'read'>(),
    };
    let serverVersion: string | undefined;

    // What has no list of its own may be in the trees that were inspected beside the lists.
    const roots = inputs.flatMap(rootsOf);
    const elsewhere = { ...request, kinds: request.kinds.filter((kind) => !held.has(kind)) };
    const tree = inspection(roots, elsewhere, reading.objects);
    // An empty list is written as one: an empty file is a request that timed out.
    const options = { limit: request.limits.file, whenEmpty: 'timeout' } as const;
    for (const files of inputs) {
      const readers = lists
        .filter((list) => list.files === files)
        .map((list): [string, Reader] => [
          list.path,
          async (file) => {
            const content = await contentOf(file, list.name, options);
            take(list, content, reading);
            serverVersion ??= content.items.map(({ raw }) => operandVersion(raw)).find(Boolean);
          },
        ]);
      await readAll(files, new Map([...tree.readers(files), ...readers]), request);
    }

    const damage = damageOf(inputs);
    const listings = request.kinds.map((kind): [Kind, Listing] => [
      kind,
      held.has(kind) || roots.length === 0
        ? listingOf(kind, reading, damage)
        : inspectedListing(kind, tree.seen, damage),
    ]);
    const nodes = reading.objects.objects('nodes') as readonly Node[]; // of that kind
    const version = serverVersion ?? kubeletVersion(nodes);
    const takenAt = reading.objects.newest();
    return {
      ...readingOf('gather-extra', inputs),
      ...(takenAt !== undefined && { takenAt }),
      ...(version !== undefined && { serverVersion: version }),
      listings: Object.fromEntries(listings) as Listings, // each kind with its own objects
    };
  },
};

interface ListFile {
  readonly files: Files;
  readonly path: string;
  /** Below the root, as a person knows it. */
  readonly name: string;
  readonly holds: readonly Kind[];
  /** Objects of other kinds stand beside them. */
  readonly mixed: boolean;
}

interface Reading {
  readonly lists: readonly ListFile[];
  readonly objects: ReturnType<typeof collection>;
  readonly outcomes: Map<ListFile, Failure | 'read'>;
}

/** The folder of the lists, with the slash that ends it. */
function rootOf({ paths }: Files): string | undefined {
  const known = new Set(paths);
  const nodes = paths.filter((path) => /(^|\/)nodes\.json$/.test(path));
  const roots = nodes.map((path) => path.slice(0, -'nodes.json'.length));
  return roots
    .filter((root) => known.has(`${root}pods.json`))
    .sort((a, b) => a.split('/').length - b.split('/').length)[0];
}

/** What is in the files that are not named for the one resource in them. */
const otherNames: Readonly<Record<string, readonly Kind[]>> = {
  'config-resources': ['infrastructures'],
  clusterversion: ['clusterVersions'],
};

function listFiles(files: Files, wanted: readonly Kind[]): readonly ListFile[] {
  const root = rootOf(files) ?? '';
  return files.paths.flatMap((path) => {
    const name = path.startsWith(root) ? path.slice(root.length) : '';
    const stem = /^([^/]+)\.json(\.gz)?$/.exec(name)?.[1];
    if (stem === undefined) return [];
    const other = otherNames[stem];
    const named = kindNames.filter((kind) => kinds[kind].resources.some((name) => name === stem));
    const holds = (other ?? named).filter((kind) => wanted.includes(kind));
    if (holds.length === 0) return [];
    return [{ files, path, name, holds, mixed: other !== undefined }];
  });
}

function take(list: ListFile, { items, failure }: Content, { objects, outcomes }: Reading) {
  outcomes.set(list, failure ?? 'read');
  for (const item of items) {
    const kind = kindOfType(item.apiVersion, item.kind);
    if (kind && list.holds.includes(kind)) {
      objects.add(kind, item);
    } else if (!list.mixed) {
      const detail = `cannot be read: ${list.name} holds a ${item.kind || 'thing without kind'}`;
      outcomes.set(list, { cause: 'malformed', detail });
    }
  }
}

function listingOf(kind: Kind, reading: Reading, damage: string | undefined): Listing {
  const { lists, objects, outcomes } = reading;
  const own = lists.filter(({ holds }) => holds.includes(kind));
  const failures = own
    .map((list) => outcomes.get(list) ?? cutOff(list.name))
    .filter((outcome) => outcome !== 'read');
  if (objects.has(kind)) return objects.listing(kind, failures);
  // A list of many kinds that has none of this one was not asked for it.
  const asked = own.some(({ mixed }) => !mixed);
  const [failure = asked ? undefined : notCollected(kind, damage)] = failures;
  return failure ? { state: 'missing', ...failure } : objects.listing(kind);
}

function notCollected(kind: Kind, damage: string | undefined): Failure {
  if (damage !== undefined) return { cause: 'partial', detail: `are not all there: ${damage}` };
  const names = kinds[kind].resources.map((resource) => `${resource}.json`);
  return {
    cause: 'not collected',
    detail: `were not collected: there is no ${names.join(' or ')}`,
  };
}

function cutOff(name: string): Failure {
  return { cause: 'partial', detail: `are missing: ${name} is cut off` };
}
