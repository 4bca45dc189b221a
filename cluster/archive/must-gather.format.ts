/** must-gather and `oc adm inspect`: trees of YAML files, by namespace and by API group. */
import { MissingError } from '../../core/errors.ts';
import type { Node } from '../../core/objects.ts';
import { text } from '../files/text.ts';
import type { Reader } from './content.ts';
import { damageOf, readAll } from './content.ts';
import type { Format } from './format.ts';
import { readingOf } from './format.ts';
import { inspection } from './inspect.ts';
import { inspectedListings } from './inspected.ts';
import { kubeletVersion, startOf } from './times.ts';
import type { Root } from './tree.ts';
import { rootsOf } from './tree.ts';

export const format: Format = {
  name: 'must-gather',
  inputKind: 'must-gather',
  recognizes(files) {
    const depths = rootsOf(files).map(({ prefix }) => prefix.split('/').length - 1);
    return depths.length > 0 ? Math.min(...depths) : undefined;
  },
  async read(inputs, request) {
    const roots = inputs.flatMap(rootsOf);
    const tree = inspection(roots, request);
    const starts: string[] = [];
    for (const files of inputs) {
      const clocks = roots
        .filter((root) => root.files === files)
        .flatMap((root) => timestampOf(root) ?? [])
        .map((path): [string, Reader] => [path, clock(request.limits.file, starts)]);
      await readAll(files, new Map([...clocks, ...tree.readers(files)]), request);
    }
    const { seen } = tree;
    const listings = inspectedListings(request.kinds, seen, damageOf(inputs));
    const nodes = seen.objects.objects('nodes') as readonly Node[]; // of that kind
    const takenAt = starts.sort()[0] ?? seen.objects.newest();
    const serverVersion = seen.serverVersion() ?? kubeletVersion(nodes);
    return {
      ...readingOf('must-gather', inputs),
      ...(takenAt !== undefined && { takenAt }),
      ...(serverVersion !== undefined && { serverVersion }),
      listings,
    };
  },
};

/**
 * The nearest one: beside the tree stands the time of the cluster, above it that of the machine that
 * asked for it.
 */
function timestampOf({ files, prefix }: Root): string | undefined {
  const folders = prefix.split('/').slice(0, -1);
  const above = folders.map((_, i) => `${folders.slice(0, i + 1).join('/')}/timestamp`).reverse();
  return [...above, 'timestamp'].find((path) => files.paths.includes(path));
}

function clock(limit: number, starts: string[]): Reader {
  return async (file) => {
    try {
      const start = startOf(await text(file, limit));
      if (start !== undefined) starts.push(start);
    } catch (error) {
      // Conditions tell the time, too.
      if (!(error instanceof MissingError)) throw error;
    }
  };
}
