/** YAML and JSON files: manifests, or a dump of live objects, which have a uid. */
import { KnownError } from '../../core/errors.ts';
import type { Kind } from '../../core/kinds.ts';
import type { Node } from '../../core/objects.ts';
import type { Gap, Listing, Listings } from '../../core/snapshot.ts';
import { damageOf } from './content.ts';
import type { Format } from './format.ts';
import { readingOf } from './format.ts';
import { isObjectFile } from './object-files.ts';
import type { Stock } from './stock.ts';
import { stockOf } from './stock.ts';
import { kubeletVersion } from './times.ts';

export const format: Format = {
  name: 'manifests or dumped objects',
  inputKind: 'objects',
  recognizes: (files) =>
    files.paths.some((path) => isObjectFile(files, path)) ? Number.POSITIVE_INFINITY : undefined,
  async read(inputs, request) {
    const stock = await stockOf(inputs, request);
    const kind = originOf(stock) ?? 'manifests';
    const reading = readingOf(kind, inputs);
    const damage = damageOf(inputs);
    if (stock.isEmpty) {
      const message = damage ?? `${reading.input.name}: holds no Kubernetes object`;
      throw new KnownError('UNREADABLE_INPUT', message);
    }
    const listings = Object.fromEntries(
      request.kinds.map((wanted) => [
        wanted,
        kind === 'objects' ? dumped(wanted, stock, damage) : written(wanted, stock, damage),
      ]),
    ) as Listings; // each kind with its own objects
    return { ...reading, ...(kind === 'objects' && whenAndWhere(stock)), listings };
  },
};

/** Live state and manifests of it cannot be told apart any more once they are mixed. */
function originOf({ live, bare, othersLive }: Stock): 'objects' | 'manifests' | undefined {
  if (live && bare) {
    const message = `${live} has a uid and ${bare} has none: live objects and manifests cannot be read as one input`;
    throw new KnownError('UNREADABLE_INPUT', message);
  }
  if (bare) return 'manifests';
  return live || othersLive ? 'objects' : undefined;
}

/** Of a dump only those kinds are known of which it holds an object or a list. */
function dumped(kind: Kind, { objects, lists }: Stock, damage: string | undefined): Listing {
  if (objects.has(kind) || lists.has(kind)) return objects.listing(kind, cutShort(damage));
  const [gap] = cutShort(damage);
  const detail = 'were not collected: the input holds no such object or list';
  return { state: 'missing', ...(gap ?? { cause: 'not collected', detail }) };
}

/** Manifests are the whole truth of what people write, and say nothing of what a cluster has by itself. */
function written(kind: Kind, { objects }: Stock, damage: string | undefined): Listing {
  const isOfCluster = kind === 'nodes' || kind === 'infrastructures' || kind === 'clusterVersions';
  if (isOfCluster && !objects.has(kind)) return { state: 'unknown' };
  return objects.listing(kind, cutShort(damage));
}

function cutShort(damage: string | undefined): readonly Gap[] {
  return damage === undefined ? [] : [{ cause: 'partial', detail: `are not all there: ${damage}` }];
}

function whenAndWhere({ objects, newest, serverVersion }: Stock) {
  const nodes = objects.objects('nodes') as readonly Node[]; // of that kind
  const version = serverVersion ?? kubeletVersion(nodes);
  return {
    ...(newest !== undefined && { takenAt: newest }),
    ...(version !== undefined && { serverVersion: version }),
  };
}
