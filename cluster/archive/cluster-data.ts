/** What OpenShift's tests write of the cluster they ran on: for where its own objects were not recorded. */
import path from 'node:path';
import { z } from 'zod';
import { MissingError } from '../../core/errors.ts';
import type { JobData } from '../../core/snapshot.ts';
import type { Files } from '../files/files.ts';
import { text } from '../files/text.ts';
import { readAll } from './content.ts';
import type { Request } from './format.ts';

const clusterData = z.object({
  Platform: z.string().optional(),
  Release: z.string().optional(),
  Topology: z.string().optional(),
});

const isClusterData = (file: string) => /^cluster-data_.*\.json$/.test(path.posix.basename(file));

/** Of several the newest, whose name holds the latest time. */
export async function clusterDataOf(
  inputs: readonly Files[],
  { limits, signal }: Pick<Request, 'limits' | 'signal'>,
): Promise<JobData | undefined> {
  const found = new Map<string, JobData>();
  for (const files of inputs) {
    const names = files.paths.filter(isClusterData);
    if (names.length === 0) continue;
    const readers = names.map((name) => {
      return [
        name,
        async (file: Parameters<typeof text>[0]) => {
          const data = await parse(file, limits.file);
          if (data) found.set(path.posix.basename(name), data);
        },
      ] as const;
    });
    await readAll(files, new Map(readers), { signal });
  }
  return [...found].toSorted(([a], [b]) => (a < b ? 1 : -1))[0]?.[1];
}

/** Undefined where it is no such file: it is the last resort, and its absence is told by what is missing. */
async function parse(file: Parameters<typeof text>[0], limit: number) {
  try {
    const parsed = clusterData.safeParse(JSON.parse(await text(file, limit)));
    if (!parsed.success) return undefined;
    const { Platform: platform, Release: release, Topology: topology } = parsed.data;
    return {
      ...(platform && { platform }),
      ...(release && { release }),
      ...(topology && { topology }),
    };
  } catch (error) {
    if (error instanceof MissingError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
