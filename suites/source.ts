/** Where the snapshot comes from: a live cluster, or recordings. */

import type { DryRun } from '../cluster/dry-run.ts';
import { KnownError } from '../core/errors.ts';
import type { Kind } from '../core/kinds.ts';
import type { Finding } from '../core/result.ts';
import type { Snapshot } from '../core/snapshot.ts';
import type { Settings } from './settings.ts';

export interface Source {
  read(kinds: readonly Kind[]): Promise<Snapshot>;
  /** Whether the same can be read again a moment later. */
  readonly isLive: boolean;
  /** What the cluster would make of a finding's patch. */
  dryRun(finding: Pick<Finding, 'object' | 'patch'>): Promise<DryRun>;
  close(): Promise<void>;
}

export interface SourceOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Hears how far the reading got. */
  readonly onProgress?: ((text: string) => void) | undefined;
  /** Hears what a person should know and no check depends on. */
  readonly onNotice?: ((text: string) => void) | undefined;
}

// Each side is loaded only where it is needed: the client alone takes a third of a second.
export async function openSource(settings: Settings, options: SourceOptions): Promise<Source> {
  return settings.from.length > 0 ? recording(settings, options) : live(settings, options);
}

async function live(
  { connection: target, namespaces }: Settings,
  { env, signal, onProgress }: SourceOptions,
): Promise<Source> {
  const [{ connect }, { gather }, { dryRun }] = await Promise.all([
    import('../cluster/connect.ts'),
    import('../cluster/gather.ts'),
    import('../cluster/dry-run.ts'),
  ]);
  const connection = await connect(target, env, signal);
  return {
    isLive: true,
    read: (kinds) =>
      gather(connection, {
        kinds,
        signal,
        namespaces,
        onPage: (kind, objects) => onProgress?.(`listing ${kind}: ${objects}`),
        onRetry: (why) => onProgress?.(`asking ${connection.name} again: ${why}`),
      }),
    dryRun: (finding) => dryRun(connection, finding, signal),
    close: () => connection.close(),
  };
}

async function recording({ from }: Settings, options: SourceOptions): Promise<Source> {
  const { readRecording } = await import('../cluster/archive/index.ts');
  const { signal, onNotice: notice } = options;
  return {
    isLive: false,
    read: async (kinds) => {
      const name = from.join(', ');
      options.onProgress?.(`reading ${name}`);
      try {
        const { stdin } = process;
        return await readRecording(from, { kinds, signal, stdin, ...(notice && { notice }) });
      } catch (cause) {
        if (!signal.aborted) throw cause;
        const { message } = signal.reason;
        throw new KnownError('UNREADABLE_INPUT', `${name}: not read to its end: ${message}`, {
          cause,
        });
      }
    },
    dryRun: async () => ({ state: 'not tried', reason: 'a recording takes no patch' }),
    close: async () => {},
  };
}
